import Credentials
import NIOCore
import Routing
import Settings

/// The upstream connections of one event loop, by target.
final class UpstreamPool {
    /// As many targets are held before those without connections are dropped: clients may name any number of hosts.
    private static let sweepFrom = 1024

    private let connector: UpstreamConnector
    private let apis: [APIContext]
    private let upstreamProxy: UpstreamProxy?
    private let idlePerTarget: Int
    let usages: ClientUsages
    let connectionsPerClient: Int?
    private let surplus = PoolSurplus()
    /// Closes a connection of a client's that is idle, so that its place can be had.
    /// - Returns: False when there is none.
    var closeIdleClient: ((ClientUsage) -> Bool)?
    /// Does what ``closeOneIdleAnywhere(for:)`` does, on the other event loops.
    /// - Returns: False when there is none.
    var closeIdleElsewhere: ((ClientUsage) -> EventLoopFuture<Bool>)?
    private var targets: [UpstreamTarget: TargetPool] = [:]
    private var sweepAt = UpstreamPool.sweepFrom
    private var isRetired = false

    /// - Parameters:
    ///   - upstreamProxy: What connections to hosts of no API are made through.
    ///   - idlePerTarget: How many idle connections are kept for each target though nobody uses them.
    ///   - connectionsPerClient: How many connections one client may use; nil: only what all share bounds them.
    init(
        connector: UpstreamConnector,
        apis: [APIContext],
        upstreamProxy: UpstreamProxy?,
        idlePerTarget: Int,
        usages: ClientUsages,
        connectionsPerClient: Int?
    ) {
        self.usages = usages
        self.connectionsPerClient = connectionsPerClient
        self.connector = connector
        self.apis = apis
        self.upstreamProxy = upstreamProxy
        self.idlePerTarget = idlePerTarget
    }

    func connections(to target: UpstreamTarget) -> TargetPool {
        if let present = targets[target] { return present }
        var api: APIContext?
        if case .api(let index) = target.kind { api = apis[index] }
        let made = TargetPool(
            target: target,
            api: api,
            connector: api == nil ? connector.forOtherHosts : connector,
            upstreamProxy: api == nil ? upstreamProxy : api?.settings.upstreamProxy,
            idleLimit: idlePerTarget,
            surplus: surplus,
            usages: usages,
            connectionsPerClient: connectionsPerClient
        )
        made.pool = self
        if isRetired { _ = made.retire() }
        targets[target] = made
        if targets.count >= sweepAt { sweep() }
        return made
    }

    private func sweep() {
        for target in Array(targets.keys) {
            guard var pool = targets.removeValue(forKey: target) else { continue }
            // One that a request or an intercepted connection holds would otherwise go on unseen.
            if !pool.isEmpty || !isKnownUniquelyReferenced(&pool) { targets[target] = pool }
        }
        sweepAt = max(Self.sweepFrom, 2 * targets.count)
    }

    /// Closes the idle connection that a client used last longest ago, so that it can have another one in its place.
    ///
    /// - Returns: False when there is none.
    func closeOneIdle(of client: ClientUsage) -> Bool {
        targets.values.contains { $0.closeOldest(of: client) }
    }

    /// Closes an idle connection of anybody's, where a client may have its place.
    ///
    /// - Returns: False when there is none.
    func closeOneIdle(for client: ClientUsage) -> Bool {
        client.connections.permits(1, without: 1) && targets.values.contains { $0.closeOldest(of: nil) }
    }

    func closeIdle() {
        for pool in targets.values {
            for connection in pool.takeAll() { connection.finish() }
        }
    }

    // MARK: Reload

    /// Gives the connections away that another pool could use, and keeps none from now on.
    func retire() -> [(UpstreamTarget, NegotiatedConnection)] {
        isRetired = true
        return targets.flatMap { target, pool in pool.retire().map { (target, $0) } }
    }

    /// Keeps a connection that was made under an earlier configuration if it could have been made under this one, and
    /// its certificates pass by the policy of now; closes it otherwise, once it carries no request.
    ///
    /// - Parameter previous: The pool that it was kept by.
    /// - Returns: Done when that is decided.
    func takeOver(
        _ connection: NegotiatedConnection,
        of target: UpstreamTarget,
        from previous: UpstreamPool
    ) -> EventLoopFuture<Void> {
        let loop = connector.loop
        guard case .api(let index) = target.kind,
            let newIndex = apis.firstIndex(where: { $0.settings.name == previous.apis[index].settings.name }),
            apis[newIndex].connectsLike(previous.apis[index]), connector.connectsLike(previous.connector)
        else {
            connection.finish()
            return loop.makeSucceededVoidFuture()
        }
        let pool = connections(to: UpstreamTarget(kind: .api(newIndex), authority: target.authority))
        guard let tls = apis[newIndex].tls, let presented = connection.verdict?.presentedDER else {
            pool.keep(connection)
            return loop.makeSucceededVoidFuture()
        }
        let handOver = NIOLoopBound((pool, connection), eventLoop: loop)
        return loop.makeFutureWithTask {
            await tls.accepts(presented, of: target.authority)
        }.map { isAccepted in
            let (pool, connection) = handOver.value
            if isAccepted { pool.keep(connection) } else { connection.finish() }
        }
    }
}

@available(*, unavailable)
extension UpstreamPool: Sendable {}
