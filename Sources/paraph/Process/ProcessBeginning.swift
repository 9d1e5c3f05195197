import Files
import Glibc

/// The state that this process was started with, byte by byte: the text that Swift makes of it need not be the same.
struct ProcessBeginning: Sendable {
    let signals: InheritedSignals
    /// The open files, besides the standard streams, that a program started from here is to have too.
    let descriptors: Set<Int32>
    /// The arguments, with the program's own name.
    let arguments: [[UInt8]]
    /// The environment, `NAME=value` each.
    let environment: [[UInt8]]

    /// Reads what the process began with, before anything else is opened or caught.
    /// - Throws: A sentence: there is no `/proc`.
    static func read() throws(SecretSourceError) -> ProcessBeginning {
        let status = String(decoding: try GivenFile.read("/proc/self/status"), as: UTF8.self)
        return ProcessBeginning(
            signals: InheritedSignals(status: status, blocked: InheritedSignals.blockedAtStart),
            descriptors: OpenDescriptors.inheritable(),
            arguments: try list("/proc/self/cmdline"),
            environment: try list("/proc/self/environ")
        )
    }

    /// Reads entries of which each ends with a byte 0.
    private static func list(_ path: String) throws(SecretSourceError) -> [[UInt8]] {
        try GivenFile.read(path).split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
    }
}

/// The open files of this process.
enum OpenDescriptors {
    /// The file descriptors above the standard streams.
    static func all() -> Set<Int32> {
        let names = (try? Directory(path: "/proc/self/fd").names()) ?? []
        // Those that the directory was read by are closed again.
        return Set(names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO && fcntl($0, F_GETFD) >= 0 })
    }

    /// The file descriptors that live through execve(2).
    static func inheritable() -> Set<Int32> {
        all().filter {
            let flags = fcntl($0, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }
}
