import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings

/// The access log of one event loop: a line for each request, written in batches.
///
/// The query of a request-target is left out: it may hold secrets.
final class AccessLog {
    private static let batch = 16 * 1024
    /// The time for which lines are gathered.
    static let delay = TimeAmount.milliseconds(100)

    private let loop: any EventLoop
    private let format: LogFormat
    private let sink: LogSink?
    private var lines = ByteBuffer()
    private var isScheduled = false
    private let clock: any ProxyClock
    private var timestamp = LogClock()

    /// - Parameter sink: Nil when the log's level is above that of the lines.
    init(loop: any EventLoop, clock: any ProxyClock, format: LogFormat, sink: LogSink?) {
        self.loop = loop
        self.clock = clock
        self.format = format
        self.sink = sink
    }

    var isOn: Bool { sink != nil }

    func append(_ summary: RequestSummary) {
        guard sink != nil else { return }
        let record = summary.record
        let method = summary.method
        let authority = summary.authority
        let (api, account, client, outcome) = (summary.api, summary.account, summary.client, summary.outcome)
        let path = summary.target.map { $0.readableBytesView.prefix { $0 != UInt8(ascii: "?") } } ?? []
        let microseconds = (summary.end - record.start).nanoseconds / 1000
        switch format {
        case .json:
            lines.writeStaticString("{\"time\":\"")
            timestamp.write(clock.wallTime, into: &lines)
            lines.writeStaticString("\",\"level\":\"info\",\"message\":\"request\",\"method\":")
            lines.writeJSON(bytes: method.readableBytesView)
            member("authority", authority)
            lines.writeStaticString(",\"path\":")
            lines.writeJSON(bytes: path.prefix(1024))
            if let status = record.status { lines.writeString(",\"status\":\(status)") }
            if let api { member("api", api) }
            if let account { member("account", account) }
            if let client { member("client", client) }
            if let error = record.error { member("error", error.rawValue) }
            if let details = record.details { member("details", details) }
            if let outcome { member("outcome", outcome) }
            lines.writeString(
                ",\"request_bytes\":\(record.requestBytes),\"response_bytes\":\(record.responseBytes)"
            )
            lines.writeString(",\"duration_us\":\(microseconds)}\n")
        case .text:
            timestamp.write(clock.wallTime, into: &lines)
            lines.writeStaticString(" info request ")
            word(method.readableBytesView)
            lines.writeStaticString(" ")
            lines.writeString(authority)
            word(path.prefix(1024))
            lines.writeString(" \(record.status.map(String.init) ?? "-")")
            if let api { field(" api=", api) }
            if let account { field(" account=", account) }
            if let client { field(" client=", client) }
            if let error = record.error { lines.writeString(" error=\(error.rawValue)") }
            if let details = record.details {
                lines.writeStaticString(" details=")
                lines.writeJSON(details)
            }
            if let outcome { lines.writeString(" outcome=\"\(outcome)\"") }
            lines.writeString(" in=\(record.requestBytes) out=\(record.responseBytes) us=\(microseconds)\n")
        }
        finishLine()
    }

    private func member(_ name: StaticString, _ value: String) {
        lines.writeStaticString(",\"")
        lines.writeStaticString(name)
        lines.writeStaticString("\":")
        lines.writeJSON(value)
    }

    /// Writes a name, and its value as it is, or as JSON where that could pass for something else.
    private func field(_ name: StaticString, _ value: String) {
        lines.writeStaticString(name)
        if value.isPlainField { lines.writeString(value) } else { lines.writeJSON(value) }
    }

    /// Writes a word as it is, or with what could pass for something else escaped.
    private func word(_ bytes: some Collection<UInt8>) {
        if bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            lines.writeBytes(bytes)
        } else {
            lines.writeString(PrintableText(String(decoding: bytes, as: UTF8.self), escapesSpaces: true).description)
        }
    }

    private func finishLine() {
        if lines.readableBytes >= Self.batch { return flush() }
        guard !isScheduled else { return }
        isScheduled = true
        clock.schedule(in: Self.delay, on: loop) { [self] in
            isScheduled = false
            flush()
        }
    }

    func flush() {
        guard lines.readableBytes > 0 else { return }
        sink?.write(lines)
        lines.clear()
    }
}

@available(*, unavailable)
extension AccessLog: Sendable {}
