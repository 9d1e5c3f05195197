import ForwardProxy
import Logging
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
