import Credentials
import NIOCore
import Routing

/// The upstream connections of one event loop that can take a request, by target, whatever version of HTTP they speak.
///
/// Of HTTP/1.1 it holds those that are idle; the newest is leased first. Of HTTP/2 it holds all that are open and have
/// room. While a connection to a target that is known to speak HTTP/2 is being made, requests wait for that one.
final class UpstreamPool {
    typealias Completion = (Result<any UpstreamStream, UpstreamFailure>) -> Void

    private let connector: UpstreamConnector
    private let apis: [APIContext]
    private let upstreamProxy: UpstreamProxy?
    private let idlePerTarget: Int
    private var idle: [UpstreamTarget: [UpstreamConnection]] = [:]
    private var shared: [UpstreamTarget: [HTTP2UpstreamHandler]] = [:]
    /// Requests that wait for a connection which is expected to have room for them.
    private var waiting: [UpstreamTarget: [Completion]] = [:]
    private var speaksHTTP2: Set<UpstreamTarget> = []
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

    // MARK: Lease

    /// A place on a connection that is there, if there is one that is still open.
    ///
    /// - Parameter http1: whether only HTTP/1.1 will do.
    func leaseIdle(_ target: UpstreamTarget, http1: Bool) -> (any UpstreamStream)? {
        if !http1, !shared.isEmpty, let connection = shared[target]?.first(where: { $0.freePlaces > 0 }) {
            return connection.leasePlace()
        }
        while let connection = idle[target]?.popLast() {
            if connection.isUsable { return connection }
            connection.close()
        }
        // Nothing is left of a target that is not asked for again.
        idle[target] = nil
        return nil
    }

    /// A place on a new connection, or on one that is being made.
    ///
    /// - Parameters:
    ///   - http1: whether only HTTP/1.1 will do.
    ///   - completion: called once, on the loop.
    func open(_ target: UpstreamTarget, http1: Bool, completion: @escaping Completion) {
        guard !http1, speaksHTTP2.contains(target) else {
            return connect(target, http1: http1) { [self] result in
                completion(result.flatMap { place(on: $0, target) })
            }
        }
        if waiting[target] != nil {
            waiting[target]?.append(completion)
            return
        }
        waiting[target] = [completion]
        connect(target, http1: false) { [self] result in connected(result, target) }
    }

    private func connected(_ result: Result<NegotiatedConnection, UpstreamFailure>, _ target: UpstreamTarget) {
        let waiters = waiting.removeValue(forKey: target) ?? []
        guard case .success(let connection) = result, let first = waiters.first else {
            return waiters.forEach { $0(result.flatMap { place(on: $0, target) }) }
        }
        first(place(on: connection, target))
        // The server may allow fewer requests at a time than there are, or speak HTTP/1.1 this time.
        for waiter in waiters.dropFirst() {
            if let stream = leaseIdle(target, http1: false) {
                waiter(.success(stream))
            } else {
                open(target, http1: false, completion: waiter)
            }
        }
    }

    private func place(
        on connection: NegotiatedConnection,
        _ target: UpstreamTarget
    ) -> Result<any UpstreamStream, UpstreamFailure> {
        switch connection {
        case .http1(let connection):
            speaksHTTP2.remove(target)
            connection.pool = self
            connection.target = target
            return .success(connection)
        case .http2(let handler):
            speaksHTTP2.insert(target)
            share(handler, target)
            return handler.freePlaces > 0 ? .success(handler.leasePlace()) : .failure(.closed)
        }
    }

    private func connect(
        _ target: UpstreamTarget,
        http1: Bool,
        completion: @escaping (Result<NegotiatedConnection, UpstreamFailure>) -> Void
    ) {
        switch target.kind {
        case .plain:
            connector.open(
                to: target.authority,
                connectTo: nil,
                through: upstreamProxy,
                tls: nil,
                http1: true,
                completion: completion
            )
        case .api(let index):
            let api = apis[index]
            connector.open(
                to: target.authority,
                connectTo: api.settings.connectTo,
                through: api.settings.upstreamProxy,
                tls: api.tls,
                http1: http1 || !api.settings.usesHTTP2,
                completion: completion
            )
        }
    }

    // MARK: Keeping

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

    private func forget(_ connection: UpstreamConnection, _ target: UpstreamTarget) {
        idle[target]?.removeAll { $0 === connection }
        if idle[target]?.isEmpty == true { idle[target] = nil }
    }

    private func share(_ handler: HTTP2UpstreamHandler, _ target: UpstreamTarget) {
        guard !isRetired else { return }
        handler.onLeave = { [weak self] gone in self?.unshare(gone, target) }
        shared[target, default: []].append(handler)
    }

    private func unshare(_ handler: HTTP2UpstreamHandler, _ target: UpstreamTarget) {
        shared[target]?.removeAll { $0 === handler }
        if shared[target]?.isEmpty == true { shared[target] = nil }
    }

    func closeIdle() {
        for (_, connection) in takeAll() { connection.finish() }
    }

    private func takeAll() -> [(UpstreamTarget, NegotiatedConnection)] {
        let unshared = shared.flatMap { target, handlers in
            handlers.map { handler in
                handler.onLeave = nil
                return (target, NegotiatedConnection.http2(handler))
            }
        }
        let all = idle.flatMap { target, connections in
            connections.map { (target, NegotiatedConnection.http1($0)) }
        }
        idle.removeAll()
        shared.removeAll()
        return all + unshared
    }

    // MARK: Reload

    /// Gives the connections away that another could use, and keeps none from now on.
    func retire() -> [(UpstreamTarget, NegotiatedConnection)] {
        isRetired = true
        return takeAll()
    }

    /// Keeps a connection that was made under an earlier configuration if it could have been made under this one, and its
    /// certificates pass by the policy of now; closes it otherwise, once it carries no request.
    ///
    /// - Parameter previous: the pool that it was kept by.
    /// - Returns: done when that is decided.
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
        let newTarget = UpstreamTarget(kind: .api(newIndex), authority: target.authority)
        guard let tls = apis[newIndex].tls, let presented = connection.verdict?.presentedDER else {
            keep(connection, newTarget)
            return loop.makeSucceededVoidFuture()
        }
        let handOver = NIOLoopBound((self, connection), eventLoop: loop)
        return loop.makeFutureWithTask {
            await tls.accepts(presented, of: target.authority)
        }.map { isAccepted in
            let (pool, connection) = handOver.value
            if isAccepted { pool.keep(connection, newTarget) } else { connection.finish() }
        }
    }

    private func keep(_ connection: NegotiatedConnection, _ target: UpstreamTarget) {
        switch connection {
        case .http1(let connection): keepIdle(connection, target)
        case .http2(let handler):
            guard !isRetired, !handler.isClosed else { return handler.finish() }
            speaksHTTP2.insert(target)
            share(handler, target)
        }
    }
}

@available(*, unavailable)
extension UpstreamPool: Sendable {}
