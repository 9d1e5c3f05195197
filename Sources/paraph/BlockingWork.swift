import NIOPosix

/// Work that waits for files or for standard input. A command that runs on the concurrency pool leaves it to a thread
/// of NIO's pool for blocking calls: the concurrency pool has no more threads than there are processors.
enum BlockingWork {
    /// Runs the work to its end, also where the task is cancelled.
    static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            // The pool of the process is never shut down, so that no work is turned away.
            NIOThreadPool.singleton.submit { _ in
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }
}
