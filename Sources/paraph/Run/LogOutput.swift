import Bytes
import ForwardProxy
import Logging
import NIOCore
import ParaphConfiguration
import Settings
import Synchronization

/// The way in which the process's log lines are written at the moment: a reload may change it.
final class LogOutput: Sendable {
    let sink: LogSink
    private let storage: Mutex<LogSettings>

    init(_ settings: LogSettings, sink: LogSink) {
        self.sink = sink
        storage = Mutex(settings)
    }

    var settings: LogSettings {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// Nil when the level is above that of access log lines.
    var accessLogSink: LogSink? { settings.level <= .info ? sink : nil }

    func logger() -> Logger {
        sink.whenLinesAreLost { [weak self] count in
            let logger = self.map { output in Logger(label: "paraph") { _ in LineLogHandler(output: output) } }
            logger?.warning(
                "log lines were dropped: nobody read them in time, or they could not be written",
                metadata: ["count": "\(count)"]
            )
        }
        return Logger(label: "paraph") { _ in LineLogHandler(output: self) }
    }
}

/// Writes each log message as one line: a JSON object, or text for a person. The same lines as the access log's.
private struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let output: LogOutput
    /// The level of this copy alone; nil: that of the output.
    private var ownLevel: Logger.Level?

    init(output: LogOutput) {
        self.output = output
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? output.settings.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let more = event.metadata { fields.merge(more) { _, new in new } }
        let sorted = fields.sorted { $0.key < $1.key }
        var line = ByteBuffer()
        var clock = LogClock()
        clock.write(SystemClock.shared.wallTime, into: &line)
        switch output.settings.format {
        case .json:
            let members: [(key: String, value: JSONText)] = [
                ("time", .string(String(buffer: line))),
                ("level", .string(event.level.rawValue)),
                ("message", .string(event.message.description)),
            ]
            let more = sorted.map { (key: $0.key, value: JSONText.string($0.value.description)) }
            line = ByteBuffer(string: JSONText.object(members + more).line + "\n")
        case .text:
            let message = PrintableText(event.message.description, escapesQuotes: false)
            line.writeString(" \(event.level.rawValue) \(message)")
            for (key, value) in sorted {
                line.writeString(" \(key)=")
                let text = value.description
                if text.isPlainField { line.writeString(text) } else { line.writeJSON(text) }
            }
            line.writeString("\n")
        }
        output.sink.write(line)
    }
}
