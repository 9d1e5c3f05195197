import Synchronization

/// The start of other processes, of which there is one at a time.
///
/// Foundation closes in a new process the descriptors up to the highest that there was when it looked. What another thread
/// opens between that and the start is inherited: an end of another process's pipe, or of the socket by which Foundation
/// learns that it has ended. Whoever waits for the end of that one waits for the end of this one, too.
package enum ProcessStart {
    private static let lock = Mutex(())

    /// Makes the pipes of a process and starts it.
    package static func alone<Value>(_ body: () throws -> sending Value) rethrows -> Value {
        try lock.withLock { _ in try body() }
    }
}
