import Credentials
import Inspection
import NIOCore
import Routing
import Settings

/// The upstream connections of one event loop, by target.
final class UpstreamPool {
    /// The connections outside of a pool that give way to those which requests need there. Called on the pool's event
    /// loop.
    protocol OtherConnections: AnyObject {
        /// Closes a connection of a client's that is idle, so that its place can be had.
        ///
        /// - Returns: False when there is none.
        func closeIdle(of client: ClientUsage) -> Bool
        /// Does what ``closeOneIdleAnywhere(for:)`` does, on the other event loops.
        ///
        /// - Returns: False when there is none.
        func closeIdleElsewhere(for client: ClientUsage) -> EventLoopFuture<Bool>
    }

    /// The number of targets that are held before those without connections are dropped: clients may name any number of
    /// hosts.
    private static let sweepFrom = 1024

    private let connector: UpstreamConnector
    private let apis: [APIContext]
    private let upstreamProxy: UpstreamProxy?
    private let limits: UpstreamPoolLimits
    private let usages: ClientUsages
    private let retention = KeptConnections.Retention()
    /// The connections that give way to those of the pool; nil: none do.
    private weak var others: (any OtherConnections)?
    private let metrics: LoopMetrics?
    private var targets: [UpstreamTarget: TargetPool] = [:]
    private var sweepAt = UpstreamPool.sweepFrom

    /// - Parameters:
    ///   - upstreamProxy: The other proxy that connections to hosts of no API are made through.
    ///   - metrics: The metrics that new connections are counted in; nil: none.
    init(
        connector: UpstreamConnector,
        apis: [APIContext],
        upstreamProxy: UpstreamProxy?,
        limits: UpstreamPoolLimits,
        usages: ClientUsages,
        metrics: LoopMetrics?
    ) {
        self.usages = usages
        self.metrics = metrics
        self.connector = connector
        self.apis = apis
        self.upstreamProxy = upstreamProxy
        self.limits = limits
    }

    /// Sets the connections outside of the pool that give way to its own.
    func setOthers(_ others: any OtherConnections) { self.others = others }

    func connections(to target: UpstreamTarget) -> TargetPool {
        if let present = targets[target] { return present }
        var index: Int?
        if case .api(let present) = target.kind { index = present }
        let api = index.map { apis[$0] }
        let made = TargetPool(
            TargetConnector(
                to: target.authority,
                api: api,
                connector: api == nil ? connector.forOtherHosts : connector,
                upstreamProxy: api == nil ? upstreamProxy : api?.settings.upstreamProxy,
                own: usages.own,
                metrics: metrics?.api(index)
            ),
            limits: limits,
            retention: retention,
            pool: self,
            usages: usages
        )
        targets[target] = made
        if targets.count >= sweepAt { sweep() }
        return made
    }

    /// The connections by API; empty: to hosts of none.
    var counts: [String: UpstreamConnectionCounts] {
        var counts: [String: UpstreamConnectionCounts] = [:]
        for (target, pool) in targets {
            let api = if case .api(let index) = target.kind { apis[index].settings.name } else { "" }
            counts[api, default: UpstreamConnectionCounts()] += pool.counts
        }
        return counts
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

    /// Closes a connection from a client that is idle, so that its place can be had.
    ///
    /// - Returns: False when there is none.
    func closeIdleClient(of client: ClientUsage) -> Bool { others?.closeIdle(of: client) ?? false }

    func closeIdle() {
        for pool in targets.values {
            for connection in pool.takeAll() { connection.finish() }
        }
    }

    // MARK: Connections of one client

    /// One more connection for a client's request; where the client may have no more open, in the place of one that is
    /// idle, on whichever event loop.
    ///
    /// - Parameters:
    ///   - freeOne: Ceases to count one of those in use for the client; false: there is none.
    ///   - completion: Called once, now or later.
    func claim(
        for client: ClientUsage,
        freeingOne freeOne: () -> Bool,
        completion: @escaping (Result<ConnectionClaim, Problem>) -> Void
    ) {
        if client === usages.own {
            return completion(ConnectionClaim.own(client).map { .success($0) } ?? .failure(refusal(of: client)))
        }
        if let limit = limits.perClient, client.upstreamConnections.isAt(limit), !freeOne() {
            let setting = "limits.upstream_per_client"
            return completion(
                .failure(.tooMany("upstream connections", of: client.name, limit: limit, setting: setting))
            )
        }
        if let claim = claimHere(for: client) { return completion(.success(claim)) }
        guard let others else { return completion(.failure(refusal(of: client))) }
        others.closeIdleElsewhere(for: client).assumeIsolated().whenComplete { [self] result in
            let claim = (try? result.get()) == true ? replacing(client) : nil
            completion(claim.map { .success($0) } ?? .failure(refusal(of: client)))
        }
    }

    private func claimHere(for client: ClientUsage) -> ConnectionClaim? {
        if let claim = ConnectionClaim.upstream(for: client, limit: limits.perClient) { return claim }
        if closeOneIdle(of: client) { return replacing(client) }
        if closeOneIdle(for: client),
            let claim = ConnectionClaim.upstream(for: client, limit: limits.perClient)
        {
            return claim
        }
        return closeIdleClient(of: client) ? replacing(client) : nil
    }

    private func replacing(_ client: ClientUsage) -> ConnectionClaim? {
        ConnectionClaim.upstream(for: client, limit: limits.perClient, replacesAnother: true)
    }

    private func refusal(of client: ClientUsage) -> Problem { usages.connectionsRefused(to: client) }

    /// Closes an idle connection, of the client's own or, where it may have the place, of anybody.
    ///
    /// - Returns: False when there is none.
    func closeOneIdleAnywhere(for client: ClientUsage) -> Bool {
        closeOneIdle(of: client) || closeOneIdle(for: client)
    }

    // MARK: Reload

    /// Gives the connections away that another pool could use, and keeps none from now on.
    func retire() -> [(UpstreamTarget, NegotiatedConnection)] {
        retention.end()
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

/// The destination of a request, and the rules for it: connections are shared among requests of equal targets only.
struct UpstreamTarget: Hashable {
    enum Kind: Hashable {
        /// A host of an API, by the API's index in the settings.
        case api(Int)
        /// A host of no API, reached by plain HTTP.
        case plain
    }

    var kind: Kind
    var authority: Authority
}

/// The numbers of connections that an upstream pool goes by.
struct UpstreamPoolLimits {
    /// The number of idle connections that are kept for each target though nobody uses them.
    let idlePerTarget: Int
    /// The number of connections that one client may use; nil: only what all share bounds them.
    let perClient: Int?
}
