/// The results of a watch, which goes on until nobody has them any more.
struct WatchResults {
    private let reading: WatchReading
    private var additions: AsyncStream<Void>.Iterator

    init(of backlog: WatchBacklog, readBy task: Task<Void, Never>) {
        reading = WatchReading(backlog: backlog, task: task)
        additions = backlog.additions.makeAsyncIterator()
    }

    /// - Returns: Nil when the task was cancelled.
    /// - Throws: ``EtcdClient/WatchEnd``.
    mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> EtcdClient.WatchResult? {
        while true {
            if let result = try reading.backlog.take() { return result }
            guard await additions.next(isolation: isolation) != nil else { return nil }
        }
    }
}

/// The reading of a watch's results, which ends with whoever has them.
private final class WatchReading: Sendable {
    let backlog: WatchBacklog
    private let task: Task<Void, Never>

    init(backlog: WatchBacklog, task: Task<Void, Never>) {
        (self.backlog, self.task) = (backlog, task)
    }

    deinit { task.cancel() }
}
