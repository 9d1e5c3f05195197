import Bytes

/// A message to the service manager that started this process (sd_notify(3)).
enum ServiceNotification: Equatable {
    /// Every listener is open, and requests are served; after a reload: it is over.
    case ready(status: String)
    /// The configuration is read again.
    /// - Parameter monotonicMicroseconds: The time, by CLOCK_MONOTONIC, at which that began.
    case reloading(monotonicMicroseconds: UInt64, status: String)
    /// No new connection is served any more.
    case stopping(status: String)
    /// The event loops are alive.
    case watchdog
}

extension ServiceNotification {
    /// One assignment a line.
    var bytes: [UInt8] {
        let lines =
            switch self {
            case .ready(let status): ["READY=1", Self.line(status)]
            case .reloading(let time, let status): ["RELOADING=1", "MONOTONIC_USEC=\(time)", Self.line(status)]
            case .stopping(let status): ["STOPPING=1", Self.line(status)]
            case .watchdog: ["WATCHDOG=1"]
            }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// A line break in the text would begin another assignment.
    private static func line(_ status: String) -> String {
        "STATUS=\(PrintableText(status, escapesQuotes: false))"
    }
}
