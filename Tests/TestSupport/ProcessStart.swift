import Foundation
import Synchronization

/// The start of other processes, of which there is one at a time.
///
/// Foundation closes in a new process the descriptors up to the highest that there was when it looked. What another
/// thread opens between that and the start is inherited: an end of another process's pipe, of the socket by which
/// Foundation learns that it has ended, or of a connection of another test. Whoever waits for the end of that one waits
/// for the end of this process, too. So a high number is taken meanwhile, below which all of them are.
package enum ProcessStart {
    private static let lock = Mutex(())
    private static let highest: CInt = 4_096

    /// Makes the pipes of a process and starts it.
    package static func alone<Value>(_ body: () throws -> sending Value) rethrows -> Value {
        try lock.withLock { _ in
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let number = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, min(highest, CInt(clamping: limit.rlim_cur) - 1))
            defer { close(number) }
            return try body()
        }
    }
}
