import Credentials
import NIOCore
import Routing

/// The idle upstream connections of one event loop, by target; the newest is leased first.
final class UpstreamPool {
    private let connector: UpstreamConnector
    private let apis: [APIContext]
    private let upstreamProxy: UpstreamProxy?
    private let idlePerTarget: Int
    private var idle: [UpstreamTarget: [UpstreamConnection]] = [:]
    private var isRetired = false

    /// - Parameters:
    ///   - upstreamProxy: what connections to hosts of no API are made through.
    ///   - idlePerTarget: how many idle connections are kept for each target.
    init(connector: UpstreamConnector, apis: [APIContext], upstreamProxy: UpstreamProxy?, idlePerTarget: Int) {
        self.connector = connector
        self.apis = apis
        self.upstreamProxy = upstreamProxy
        self.idlePerTarget = idlePerTarget
    }

    /// A place on a connection that is there, if there is one that is still open.
    ///
    /// - Parameter http1: whether only HTTP/1.1 will do.
    func leaseIdle(_ target: UpstreamTarget, http1: Bool) -> (any UpstreamStream)? {
        while let connection = idle[target]?.popLast() {
            if connection.isUsable { return connection }
            connection.close()
        }
        // Nothing is left of a target that is not asked for again.
        idle[target] = nil
        return nil
    }

    /// A new connection.
    ///
    /// - Parameters:
    ///   - http1: whether only HTTP/1.1 will do.
    ///   - completion: called once, on the loop.
    func open(
        _ target: UpstreamTarget,
        http1: Bool,
        completion: @escaping (Result<any UpstreamStream, UpstreamFailure>) -> Void
    ) {
        let completion = { [weak self] (result: Result<UpstreamConnection, UpstreamFailure>) in
            if case .success(let connection) = result {
                connection.pool = self
                connection.target = target
            }
            completion(result.map { $0 })
        }
        switch target.kind {
        case .plain:
            connector.open(
                to: target.authority,
                connectTo: nil,
                through: upstreamProxy,
                tls: nil,
                completion: completion
            )
        case .api(let index):
            let api = apis[index]
            connector.open(
                to: target.authority,
                connectTo: api.settings.connectTo,
                through: api.settings.upstreamProxy,
                tls: api.tls,
                completion: completion
            )
        }
    }

    /// Takes back a connection whose response has ended and that could carry another request.
    func keep(_ connection: UpstreamConnection, of target: UpstreamTarget) {
        connection.becomeIdle()
        keepIdle(connection, target)
    }

    private func keepIdle(_ connection: UpstreamConnection, _ target: UpstreamTarget) {
        guard !isRetired, connection.isUsable, idle[target, default: []].count < idlePerTarget else {
            return connection.close()
        }
        connection.pool = self
        connection.target = target
        connection.onIdleClose = { [weak self] gone in self?.forget(gone, target) }
        idle[target, default: []].append(connection)
    }

    func closeIdle() {
        let all = idle.values.flatMap { $0 }
        idle.removeAll()
        for connection in all { connection.close() }
    }

    // MARK: Reload

    /// Gives the idle connections away, and keeps none from now on.
    func retire() -> [(UpstreamTarget, UpstreamConnection)] {
        isRetired = true
        let all = idle.flatMap { target, connections in connections.map { (target, $0) } }
        idle.removeAll()
        return all
    }

    /// Keeps an idle connection that was made under an earlier configuration if it could have been made under this one,
    /// and its certificates pass by the policy of now; closes it otherwise.
    ///
    /// - Parameter previous: the pool that it was kept by.
    /// - Returns: done when that is decided.
    func takeOver(
        _ connection: UpstreamConnection,
        of target: UpstreamTarget,
        from previous: UpstreamPool
    ) -> EventLoopFuture<Void> {
        let loop = connector.loop
        guard case .api(let index) = target.kind,
            let newIndex = apis.firstIndex(where: { $0.settings.name == previous.apis[index].settings.name }),
            apis[newIndex].connectsLike(previous.apis[index]), connector.connectsLike(previous.connector)
        else {
            connection.close()
            return loop.makeSucceededVoidFuture()
        }
        let newTarget = UpstreamTarget(kind: .api(newIndex), authority: target.authority)
        guard let tls = apis[newIndex].tls, let presented = connection.verdict?.presentedDER else {
            keepIdle(connection, newTarget)
            return loop.makeSucceededVoidFuture()
        }
        let handOver = NIOLoopBound((self, connection), eventLoop: loop)
        return loop.makeFutureWithTask {
            await tls.accepts(presented, of: target.authority)
        }.map { isAccepted in
            let (pool, connection) = handOver.value
            if isAccepted { pool.keepIdle(connection, newTarget) } else { connection.close() }
        }
    }

    private func forget(_ connection: UpstreamConnection, _ target: UpstreamTarget) {
        idle[target]?.removeAll { $0 === connection }
        if idle[target]?.isEmpty == true { idle[target] = nil }
    }
}

@available(*, unavailable)
extension UpstreamPool: Sendable {}
