import CGlibc
import Files
import Glibc
import SystemPackage

/// Keeps secrets out of core dumps and backtraces and from other processes, and new files to their owner.
enum ProcessHardening {
    static func apply() {
        forgoCoreDumps()
        forgoBacktraces()
        forgoTracing()
        umask(0o077)
    }

    /// Programs that are started afterwards have none either.
    static func forgoCoreDumps() {
        // The kernel takes a limit of one byte for "none", also where a program receives the dump (core(5)); with 0
        // it would still be piped there.
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        // And if one is made all the same: no memory is to be in it.
        try? FileContents.write(Array("0\n".utf8), to: "/proc/self/coredump_filter", mode: .ownerReadWrite)
    }

    /// Keeps this process's memory and environment from other processes of the same user (ptrace(2), proc(5)). Programs
    /// that are started afterwards are as usual. What only the owner may open in `/proc/self` is closed to this
    /// process, too.
    static func forgoTracing() {
        _ = set_dumpable(0)
    }

    /// Forgoes backtraces: Swift's runtime may be told to show a crash with registers and what they point to.
    /// - Parameter inherited: The signals that the process inherited: those that are ignored stay so.
    static func forgoBacktraces(besides inherited: InheritedSignals = .none) {
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] where !inherited.ignores(number) {
            signal(number, SIG_DFL)
        }
    }
}
