import HTTP1Codec
import NIOCore

/// The line of a request in JSON, from its first own member on. Members stand in it where there is something to say.
enum JSONAccessLine {
    static func write(
        _ summary: borrowing RequestSummary,
        path: ByteBufferView,
        query: Substring?,
        into out: inout ByteBuffer
    ) {
        let record = summary.record
        bytes("method", summary.method.readableBytesView, &out)
        if !summary.authority.isEmpty { text("authority", summary.shownAuthority, &out) }
        bytes("path", path, &out)
        if let query {
            name("query", &out)
            out.writeJSON(query)
        }
        number("status", record.status, &out)
        text("api", summary.api, &out)
        text("account", summary.account, &out)
        text("client", summary.client, &out)
        if let address = summary.address {
            out.writeStaticString(",\"address\":\"")
            out.writeAddress(address)
            out.writeStaticString("\"")
        }
        text("protocol", summary.version?.protocolName, &out)
        text("upstream_protocol", record.upstreamProtocol, &out)
        if let error = record.error { text("error", error.rawValue, &out) }
        text("cause", record.cause, &out)
        text("diagnosis", record.diagnosis, &out)
        text("details", record.details, &out)
        text("outcome", summary.outcome, &out)
        number("request_bytes", record.requestBytes, &out)
        number("response_bytes", record.responseBytes, &out)
        time("duration_us", summary.end - record.start, &out)
        time("token_us", record.tokenWait, &out)
        time("connection_us", record.connectionWait, &out)
        if let times = record.connectTimes {
            time("name_us", times.name, &out)
            time("tcp_us", times.tcp, &out)
            time("tls_us", times.tls, &out)
        }
        time("first_byte_us", record.firstByte, &out)
        time("established_us", record.established, &out)
        if let isReused = record.isReused {
            out.writeStaticString(isReused ? ",\"reused\":true" : ",\"reused\":false")
        }
        if !record.repeats.isEmpty {
            out.writeStaticString(",\"repeats\":[")
            for (index, cause) in record.repeats.enumerated() {
                if index > 0 { out.writeStaticString(",") }
                out.writeJSON(cause.rawValue)
            }
            out.writeStaticString("]")
        }
        text("trace_id", summary.traceID, &out)
        text("trace_state", summary.shownTraceState, &out)
        number("request", record.number, &out)
        out.writeStaticString("}\n")
    }

    private static func name(_ name: StaticString, _ out: inout ByteBuffer) {
        out.writeStaticString(",\"")
        out.writeStaticString(name)
        out.writeStaticString("\":")
    }

    private static func text(_ member: StaticString, _ value: (some StringProtocol)?, _ out: inout ByteBuffer) {
        guard let value else { return }
        name(member, &out)
        out.writeJSON(value)
    }

    /// Writes what is empty where there is nothing to say.
    private static func bytes(_ member: StaticString, _ value: ByteBufferView, _ out: inout ByteBuffer) {
        guard !value.isEmpty else { return }
        name(member, &out)
        out.writeJSON(bytes: value)
    }

    private static func number(_ member: StaticString, _ value: Int?, _ out: inout ByteBuffer) {
        guard let value else { return }
        name(member, &out)
        out.writeDecimal(value)
    }

    private static func time(_ member: StaticString, _ value: TimeAmount?, _ out: inout ByteBuffer) {
        guard let value else { return }
        number(member, Int(value.nanoseconds / 1000), &out)
    }
}

extension HTTPVersion {
    /// The name that ALPN has for it.
    var protocolName: String {
        switch self {
        case .http10: "http/1.0"
        case .http11: "http/1.1"
        case .http2: "h2"
        }
    }
}
