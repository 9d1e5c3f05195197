import Files
import Glibc
import NIOCore

/// The processors that this process may run on.
enum UsableProcessors {
    /// Limits the event loops to one for each of them. NIO by itself follows the limits of cgroups, but no affinity,
    /// which taskset and systemd's `CPUAffinity=` set: two loops on one processor only take turns. To be called once,
    /// before the shared event loops are used. `NIO_SINGLETON_GROUP_LOOP_COUNT` in the environment has the last word.
    static func limitEventLoops() {
        guard getenv("NIO_SINGLETON_GROUP_LOOP_COUNT") == nil, let usable = count() else { return }
        NIOSingletons.groupLoopCountSuggestion = min(System.coreCount, usable)
    }

    /// Returns the number of processors that this process may use; nil where the system does not tell.
    static func count() -> Int? {
        guard let status = try? FileContents.read("/proc/self/status") else { return nil }
        return String(decoding: status, as: UTF8.self).split(separator: "\n").lazy
            .compactMap { count(inLine: $0) }.first
    }

    /// - Parameter line: One of proc_pid_status(5): `Cpus_allowed:`, a tab, and the mask as groups of hexadecimal
    ///   digits with commas between them.
    /// - Returns: The processors in the mask; nil for every other line.
    static func count(inLine line: some StringProtocol) -> Int? {
        let name = "Cpus_allowed:"
        guard line.hasPrefix(name) else { return nil }
        let count = line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
        return count > 0 ? count : nil
    }
}
