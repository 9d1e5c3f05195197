import Tracing

/// The request that hands spans to a collector: `ExportTraceServiceRequest` of OpenTelemetry's protocol, in Protocol
/// Buffers (opentelemetry-proto 1.x, `collector/trace/v1/trace_service.proto`).
package enum OTLPTraces {
    /// The path of the request below the collector's address.
    package static let path = "/v1/traces"
    package static let contentType = "application/x-protobuf"

    /// - Parameter resource: Names and values of what the spans come from.
    package static func request(_ spans: [SpanRecord], resource: [(String, String)]) -> [UInt8] {
        var request = ProtobufMessage()
        request.append(1) { resourceSpans in
            resourceSpans.append(1) { message in
                for (name, value) in resource { append(1, name, .string(value), to: &message) }
            }
            resourceSpans.append(2) { scopeSpans in
                scopeSpans.append(1) { $0.append(1, text: "paraph") }
                for span in spans { scopeSpans.append(2) { append(span, to: &$0) } }
            }
        }
        return request.bytes
    }

    private static func append(_ span: SpanRecord, to message: inout ProtobufMessage) {
        message.append(1, bytes: span.traceID.bytes)
        message.append(2, bytes: span.spanID.bytes)
        if !span.state.isEmpty { message.append(3, text: span.state) }
        if let parent = span.parentID { message.append(4, bytes: parent.bytes) }
        message.append(5, text: span.name)
        message.append(6, integer: number(of: span.kind))
        message.append(7, fixed: span.start)
        message.append(8, fixed: span.end)
        span.attributes.forEach { name, value in append(9, name, value, to: &message) }
        if let status = span.status {
            message.append(15) { body in
                if let text = status.message { body.append(2, text: text) }
                body.append(3, integer: status.code == .error ? 2 : 1)
            }
        }
    }

    private static func number(of kind: SpanKind) -> UInt64 {
        switch kind {
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        default: 1
        }
    }

    private static func append(
        _ field: UInt64,
        _ name: String,
        _ value: SpanAttribute,
        to message: inout ProtobufMessage
    ) {
        message.append(field) { attribute in
            attribute.append(1, text: name)
            attribute.append(2) { any in
                switch value {
                case .int32(let number): any.append(3, integer: UInt64(bitPattern: Int64(number)))
                case .int64(let number): any.append(3, integer: UInt64(bitPattern: number))
                case .double(let number): any.append(4, fixed: number.bitPattern)
                case .bool(let value): any.append(2, integer: value ? 1 : 0)
                case .string(let text): any.append(1, text: text)
                default: any.append(1, text: "\(value)")
                }
            }
        }
    }
}
