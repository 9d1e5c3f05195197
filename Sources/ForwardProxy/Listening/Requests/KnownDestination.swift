import Routing

/// The destination of the last request in absolute-form of a client's connection, for those behind it.
final class KnownDestination {
    let origin: KnownOrigin
    private let decidedBy: ProxyWorker
    /// To the upstream.
    let connections: TargetPool

    init(_ origin: KnownOrigin, by worker: ProxyWorker) {
        self.origin = origin
        decidedBy = worker
        connections = worker.pool.connections(
            to: UpstreamTarget(kind: .api(origin.route.index), authority: origin.upstream)
        )
    }

    /// Nil when another configuration has decided upon it.
    func origin(by worker: ProxyWorker) -> KnownOrigin? {
        decidedBy === worker ? origin : nil
    }
}

@available(*, unavailable)
extension KnownDestination: Sendable {}
