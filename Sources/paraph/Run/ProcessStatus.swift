/// The fields of /proc/PID/stat that are shown (proc_pid_stat(5)).
struct ProcessStatus: Equatable {
    var cpuTicks: Int
    /// The time at which it was started, since the system was.
    var startTicks: Int
    var virtualBytes: Int
    var residentPages: Int

    /// - Parameter text: The whole line. The name of the program stands in parentheses, and may have any in it.
    init?(parsing text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        // The first of these is the third of all, the state.
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        func number(_ field: Int) -> Int? { field - 3 < fields.count ? Int(fields[field - 3]) : nil }
        guard let user = number(14), let system = number(15), let start = number(22), let virtual = number(23),
            let resident = number(24)
        else { return nil }
        cpuTicks = user + system
        startTicks = start
        virtualBytes = virtual
        residentPages = resident
    }

    /// Returns when the system was started, in seconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter text: The content of /proc/stat.
    static func bootTime(parsing text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst(6)) }
    }
}
