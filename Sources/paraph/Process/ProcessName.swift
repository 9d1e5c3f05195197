import Glibc

/// The name that this process has in lists of processes, and for pkill(1).
enum ProcessName {
    /// Who means the proxies that run with `pkill -x paraph` does not mean what users run their programs by: signals
    /// are passed on to those.
    ///
    /// - Parameter name: Of at most 15 bytes.
    static func set(_ name: String) {
        let descriptor = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        try? FileBytes.write(Array(name.utf8), to: descriptor)
    }
}
