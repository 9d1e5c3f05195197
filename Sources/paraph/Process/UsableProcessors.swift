import Glibc
import NIOCore

/// The processors that this process may run on.
enum UsableProcessors {
    /// Has one event loop made for each of them. NIO by itself follows the limits of cgroups, but no affinity, which
    /// taskset and systemd's `CPUAffinity=` set: two loops on one processor only take turns. To be called once, before
    /// the shared event loops are used. `NIO_SINGLETON_GROUP_LOOP_COUNT` in the environment has the last word.
    static func limitEventLoops() {
        guard getenv("NIO_SINGLETON_GROUP_LOOP_COUNT") == nil, let usable = count() else { return }
        NIOSingletons.groupLoopCountSuggestion = min(System.coreCount, usable)
    }

    /// Nil where the system does not tell.
    static func count() -> Int? {
        guard let status = fopen("/proc/self/status", "re") else { return nil }
        defer { fclose(status) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, status) > 0, let text = line {
            if let count = count(inLine: String(cString: text)) { return count }
        }
        return nil
    }

    /// - Parameter line: One of proc_pid_status(5): `Cpus_allowed:`, a tab, and the mask as groups of hexadecimal
    ///   digits with commas between them.
    /// - Returns: The processors in the mask; nil for every other line.
    static func count(inLine line: String) -> Int? {
        let name = "Cpus_allowed:"
        guard line.hasPrefix(name) else { return nil }
        let count = line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
        return count > 0 ? count : nil
    }
}
