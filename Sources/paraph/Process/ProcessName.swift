import Files

/// The name that this process has in lists of processes, and for pkill(1).
enum ProcessName {
    /// Sets the name. Who means the proxies that run with `pkill -x paraph` does not mean what users run their programs
    /// by: signals are passed on to those.
    ///
    /// - Parameter name: Of at most 15 bytes.
    static func set(_ name: String) {
        try? FileContents.write(Array(name.utf8), to: "/proc/self/comm", mode: [])
    }
}
