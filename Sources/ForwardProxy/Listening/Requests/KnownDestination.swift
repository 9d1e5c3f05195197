import HTTP1Codec
import Routing
import Settings

/// The destination of the last request in absolute-form of a client's connection, for those behind it.
final class KnownDestination {
    let origin: KnownOrigin
    private let decidedBy: ProxyWorker
    /// The connections to the upstream.
    let connections: TargetPool

    init(_ origin: KnownOrigin, by worker: ProxyWorker) {
        self.origin = origin
        decidedBy = worker
        connections = worker.pool.connections(
            to: UpstreamTarget(kind: .api(origin.route.index), authority: origin.upstream)
        )
    }

    /// Returns the origin; nil when another configuration has decided upon it.
    func origin(by worker: ProxyWorker) -> KnownOrigin? {
        decidedBy === worker ? origin : nil
    }
}

@available(*, unavailable)
extension KnownDestination: Sendable {}

extension ProxyWorker {
    /// Decides upon a request in absolute-form.
    ///
    /// - Parameter destination: The destination of the request before it on the same connection; set to the request's
    ///   own, nil where that is not an API.
    func decide(
        absolute head: borrowing RequestHead,
        known destination: inout KnownDestination?
    ) throws(Refusal) -> RequestRoute {
        var origin = destination?.origin(by: self)
        defer {
            if let origin {
                if origin !== destination?.origin { destination = KnownDestination(origin, by: self) }
            } else {
                destination = nil
            }
        }
        return try settings.router.decide(absolute: head, known: &origin)
    }
}
