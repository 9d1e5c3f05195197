/// The results of a watch, which are read of the server as they are asked for.
struct WatchResults {
    private var results: AsyncThrowingStream<EtcdClient.WatchResult, any Error>.Iterator
    private let demands: AsyncStream<Void>.Continuation

    /// - Parameter demands: Where each result is asked for.
    init(
        results: AsyncThrowingStream<EtcdClient.WatchResult, any Error>.Iterator,
        demands: AsyncStream<Void>.Continuation
    ) {
        self.results = results
        self.demands = demands
    }

    /// - Throws: ``EtcdClient/WatchEnd``.
    mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> EtcdClient.WatchResult? {
        demands.yield()
        return try await results.next(isolation: isolation)
    }
}
