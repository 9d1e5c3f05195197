/// The variables by which a service manager talks to the process that it starts (sd_notify(3), sd_watchdog_enabled(3),
/// sd_listen_fds(3)).
struct ServiceEnvironment: Equatable {
    /// The names of all of them. No program that this process starts is meant by them.
    static let names = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]

    /// The address that messages are sent to; nil: they are not wanted.
    let notifySocket: String?
    /// The time within which the manager wants to hear that the process is alive, each time; nil: it does not.
    let watchdogInterval: Duration?
    /// The number of sockets that were passed, and their names, as text; nil: none was.
    let sockets: (count: String, names: String?)?

    /// - Parameter process: This process's number: variables that name another are not meant for it.
    init(_ environment: [String: String], process: Int32) {
        let notifySocket = environment["NOTIFY_SOCKET"] ?? ""
        self.notifySocket = notifySocket.isEmpty ? nil : notifySocket
        let isWatched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isWatched && microseconds > 0 ? Duration.microseconds(microseconds) : nil
        if let count = environment["LISTEN_FDS"], environment["LISTEN_PID"] == "\(process)" {
            sockets = (count, environment["LISTEN_FDNAMES"])
        } else {
            sockets = nil
        }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.notifySocket == other.notifySocket && one.watchdogInterval == other.watchdogInterval
            && one.sockets?.count == other.sockets?.count && one.sockets?.names == other.sockets?.names
    }
}
