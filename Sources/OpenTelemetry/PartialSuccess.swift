/// A collector's answer to a request whose spans it has accepted in part: `partial_success` of
/// `ExportTraceServiceResponse`, in Protocol Buffers.
package struct PartialSuccess: Sendable, Equatable {
    /// The most bytes of an answer that are read.
    private static let limit = 64 * 1024

    /// The number of spans that it did not take.
    package private(set) var rejectedSpans = 0
    /// The reason, in the collector's words.
    package private(set) var message = ""

    /// Reads the body of an answer. What is no such message says nothing.
    package init(answer: [UInt8]) {
        let answer = answer.prefix(Self.limit)
        guard let fields = ProtobufFields(answer) else { return }
        for case (1, .bytes(let partial)) in fields.values {
            for (field, value) in ProtobufFields(partial)?.values ?? [] {
                switch (field, value) {
                case (1, .integer(let count)): rejectedSpans = Int(clamping: Int64(bitPattern: count))
                case (2, .bytes(let text)): message = String(decoding: text, as: UTF8.self)
                default: break
                }
            }
        }
        rejectedSpans = max(0, rejectedSpans)
    }
}

/// The fields of a message of Protocol Buffers, in their order.
private struct ProtobufFields {
    enum Value {
        case integer(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A number of fixed size, which nothing here has.
        case fixed
    }

    private(set) var values: [(field: UInt64, value: Value)] = []

    /// Reads the message; nil when it is malformed.
    init?(_ message: ArraySlice<UInt8>) {
        var rest = message
        while !rest.isEmpty {
            guard let tag = Self.varint(&rest) else { return nil }
            switch tag & 7 {
            case 0:
                guard let value = Self.varint(&rest) else { return nil }
                values.append((tag >> 3, .integer(value)))
            case 2:
                guard let length = Self.varint(&rest), length <= rest.count else { return nil }
                values.append((tag >> 3, .bytes(rest.prefix(Int(length)))))
                rest = rest.dropFirst(Int(length))
            case 1, 5:
                let length = tag & 7 == 1 ? 8 : 4
                guard length <= rest.count else { return nil }
                values.append((tag >> 3, .fixed))
                rest = rest.dropFirst(length)
            default: return nil
            }
        }
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
