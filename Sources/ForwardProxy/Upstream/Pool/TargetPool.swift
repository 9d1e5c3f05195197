import Credentials
import Inspection
import NIOCore
import Settings

/// The upstream connections of one event loop to one target that can take a request, whatever version of HTTP they
/// speak.
///
/// Of HTTP/1.1 it holds those that are idle; the newest is leased first. Of HTTP/2 it holds all that are open, and one
/// more is made only when these have no room, by the number of their streams or by their windows: requests wait for it,
/// or for room. They do so too while it is not known yet whether the target speaks HTTP/2.
final class TargetPool: UpstreamConnection.Keeper {
    typealias Completion = (Result<any UpstreamStream, FailedConnection>) -> Void

    /// A request that waits, and whom a connection for it would be counted for.
    private struct Waiter {
        var client: ClientUsage
        var sendsBody: Bool
        /// The number of connections that had been begun for requests that wait when it came.
        var attempts: Int
        var completion: Completion
    }

    /// The time that a request with a body waits for windows that others hold before another connection is made: a
    /// server that reads gives them back by then.
    private static let timeForRoom = TimeAmount.milliseconds(50)

    private let connector: TargetConnector
    private let retention: KeptConnections.Retention
    private let usages: ClientUsages
    private let limits: UpstreamPoolLimits
    private weak var pool: UpstreamPool?
    private let idle: KeptConnections
    private var shared: SharedConnections
    /// Requests that wait for room.
    private var waiting = FairQueue<Waiter>()
    private var machine = TargetPoolStateMachine()
    /// The number of open connections that speak HTTP/1.1, leased ones among them.
    private var openCount = 0

    /// - Parameters:
    ///   - retention: The retention of all targets of the event loop.
    ///   - pool: The pool of all targets of the event loop, which says whether another connection may be made.
    init(
        _ connector: TargetConnector,
        limits: UpstreamPoolLimits,
        retention: KeptConnections.Retention,
        pool: UpstreamPool,
        usages: ClientUsages
    ) {
        self.pool = pool
        self.usages = usages
        self.limits = limits
        self.connector = connector
        shared = SharedConnections(own: usages.own)
        idle = KeptConnections(limit: limits.idlePerTarget, retention: retention, connector: connector)
        self.retention = retention
    }

    /// Indicates whether nothing would be lost with it.
    var isEmpty: Bool { idle.isEmpty && shared.isEmpty && waiting.isEmpty && !machine.isConnecting }

    var counts: UpstreamConnectionCounts {
        let sharedIdle = shared.idleCount
        return UpstreamConnectionCounts(
            idle: idle.count + sharedIdle,
            inUse: openCount - idle.count + shared.count - sharedIdle,
            waiting: waiting.count
        )
    }

    func countConnections(_ difference: Int) {
        openCount += difference
    }

    // MARK: Lease

    /// A place on a connection that is there, if there is one that is still open and the client may use it.
    ///
    /// - Parameters:
    ///   - http1: Whether only HTTP/1.1 will do.
    ///   - sendsBody: Whether the request has a body, for which there must be room in the windows.
    func leaseIdle(http1: Bool, sendsBody: Bool, for client: ClientUsage) -> (any UpstreamStream)? {
        if !http1, let stream = shared.leasePlace(for: client, sendsBody: sendsBody) { return stream }
        if let limit = limits.perClient, client !== usages.own, client.upstreamConnections.isAt(limit) {
            return nil
        }
        guard let connection = idle.take(for: client) else { return nil }
        if beginUse(of: connection, by: client) { return connection }
        idle.putBack(connection)
        return nil
    }

    /// Counts a connection that speaks HTTP/1.1 among those in use for a client, whose request is about to be sent on
    /// it.
    ///
    /// - Returns: False, and nothing has changed, when the client uses as many as it may.
    func beginUse(of connection: UpstreamConnection, by client: ClientUsage) -> Bool {
        connection.claim.beginUse(by: client, limit: client === usages.own ? nil : limits.perClient)
    }

    /// Ends the wait of a request for which no connection could be made: where there is any place, with that one.
    private func leaseLastResort(for waiter: Waiter, orFail failure: FailedConnection) {
        let stream = shared.leaseLastResort(for: waiter.client, sendsBody: waiter.sendsBody)
        waiter.completion(stream.map { .success($0) } ?? .failure(failure))
    }

    /// A place on a new connection, or on one that has room by then.
    ///
    /// - Parameters:
    ///   - http1: Whether only HTTP/1.1 will do.
    ///   - sendsBody: Whether the request has a body, for which there must be room in the windows.
    ///   - client: The client that a new connection is counted for; nil: the proxy itself.
    ///   - dial: Gives a connection up that is for this request alone; nil: that goes on.
    ///   - completion: Called once, on the loop.
    func open(
        http1: Bool,
        sendsBody: Bool,
        for client: ClientUsage?,
        dial: ClientDial? = nil,
        completion: @escaping Completion
    ) {
        let waiter = Waiter(
            client: client ?? usages.own,
            sendsBody: sendsBody,
            attempts: machine.attempts,
            completion: completion
        )
        if http1 || machine.speaksHTTP1 || !connector.mayUseHTTP2 {
            return openAlone(http1: http1, for: waiter, dial: dial)
        }
        if shared.count >= idle.limit, let stream = shared.leasePlace(for: waiter.client, sendsBody: sendsBody) {
            return completion(.success(stream))
        }
        waiting.append(waiter, of: waiter.client)
        guard machine.isConnecting else { return connectIfNeeded() }
        connector.joinLookup(for: waiter.client)
        // There may be a place, but for the connection that is being made.
        if machine.claim?.usage === waiter.client { serve() }
    }

    private func openAlone(http1: Bool, for waiter: Waiter, dial: ClientDial? = nil) {
        openClaimed(http1: http1, for: waiter.client, dial: dial) { [self] result in
            switch result {
            case .failure(let failure): waiter.completion(.failure(failure))
            case .success(.http1(let connection)):
                if !http1 { machine.connected(byHTTP1: true) }
                connection.leads(to: self)
                waiter.completion(.success(connection))
            case .success(.http2(let handler)): begin(handler, with: waiter)
            }
        }
    }

    /// Connects for those that wait, or tells them one after the other that it may not, which brings up the next ones.
    private func connectIfNeeded() {
        guard machine.beginSearch() else { return }
        repeat {
            if let next = nextInNeed { carryOut(machine.requestWaits(lacksWindows: lacksWindows(next)), for: next) }
        } while machine.repeatSearch()
    }

    /// The next request that waits, where a connection would be of use to it.
    private var nextInNeed: Waiter? { shared.isAwaitingSettings ? nil : waiting.first }

    private func lacksWindows(_ waiter: Waiter) -> Bool { waiter.sendsBody && shared.lacksWindowsAlone }

    private func carryOut(_ action: TargetPoolStateMachine.Action, for next: Waiter) {
        switch action {
        case .none: break
        case .connect: connect(for: next)
        case .awaitRoom(let wait):
            connector.schedule(in: Self.timeForRoom) { [self] in
                let next = nextInNeed
                guard machine.roomTimePassed(wait, isNeeded: next != nil) == .connect, let next else { return }
                connect(for: next)
            }
        }
    }

    private func connect(for next: Waiter) {
        openClaimed(http1: false, for: next.client, onClaim: { [self] in machine.claimed($0) }) { [self] result in
            machine.attemptEnded()
            switch result {
            case .failure(let failure): attemptFailed(failure, for: next.client)
            case .success(.http1(let connection)):
                var waiters = waiting.takeAll()[...]
                let first = waiters.popFirst()
                machine.connected(byHTTP1: true)
                connection.leads(to: self)
                if let first { hand(connection, to: first) } else { connection.release(reusable: true) }
                for waiter in waiters { openAlone(http1: false, for: waiter) }
            case .success(.http2(let handler)):
                if let waiter = waiting.popFirst() { return begin(handler, with: waiter) }
                share(handler)
                serve()
            }
        }
    }

    private func attemptFailed(_ failure: FailedConnection, for client: ClientUsage) {
        switch failure.reason {
        case .refusedHere:
            // Other clients may have one, and it may have been served meanwhile.
            if let waiter = waiting.popFirst(of: client) { leaseLastResort(for: waiter, orFail: failure) }
            connectIfNeeded()
        case let reason where connector.concernsOneClient(reason):
            // Those of other clients may come sooner.
            for waiter in waiting.takeAll(of: client) { leaseLastResort(for: waiter, orFail: failure) }
            connectIfNeeded()
        default: failWaiting(failure)
        }
    }

    /// The connection may have been made for another client's request.
    private func hand(_ connection: UpstreamConnection, to waiter: Waiter) {
        connection.claim.pass(to: waiter.client)
        guard beginUse(of: connection, by: waiter.client) else {
            connection.release(reusable: true)
            return openAlone(http1: false, for: waiter)
        }
        waiter.completion(.success(connection))
    }

    /// No connection could be made. Where others are open, whoever came while it was tried waits on, for room on these or
    /// for the next one.
    private func failWaiting(_ failure: FailedConnection) {
        let waiters = shared.isEmpty ? waiting.takeAll() : waiting.takeAll { $0.attempts < machine.attempts }
        for waiter in waiters { leaseLastResort(for: waiter, orFail: failure) }
        serve()
    }

    /// - Parameter waiter: The request that the connection was made for.
    private func begin(_ handler: HTTP2UpstreamHandler, with waiter: Waiter) {
        handler.limitConnections(perClient: limits.perClient)
        let place = shared.leasePlace(on: handler, for: waiter.client, sendsBody: waiter.sendsBody)
        share(handler)
        waiter.completion(place.map { .success($0) } ?? .failure(FailedConnection(.closed)))
        serve()
    }

    /// Gives requests that wait the room that there is.
    private func serve() {
        // What is called back may lease, or give back, a place itself.
        guard !waiting.isEmpty || retention.isOver, machine.beginServing() else { return }
        while let (client, stream) = nextPlace() { waiting.popFirst(of: client)?.completion(.success(stream)) }
        switch machine.endServing(requestsWait: !waiting.isEmpty, isRetired: retention.isOver) {
        case .search: connectIfNeeded()
        case .finishShared: for handler in shared.takeAll() { handler.finish() }
        case .none: break
        }
    }

    /// The place of the next request that can have one: what one client may not have keeps no other one waiting.
    private func nextPlace() -> (client: ClientUsage, stream: HTTP2UpstreamStream)? {
        guard shared.hasFreePlaces else { return nil }
        for waiter in waiting.firstOfEach {
            if let stream = place(for: waiter) { return (waiter.client, stream) }
        }
        return nil
    }

    private func place(for waiter: Waiter) -> HTTP2UpstreamStream? {
        if let stream = shared.leasePlace(for: waiter.client, sendsBody: waiter.sendsBody) { return stream }
        // The connection that is being made for the client may be the one too many. It does not count before it is used.
        guard let limit = limits.perClient, let claim = machine.claim, claim.usage === waiter.client else {
            return nil
        }
        claim.endUse()
        if let stream = shared.leasePlace(for: waiter.client, sendsBody: waiter.sendsBody) { return stream }
        _ = claim.beginUse(by: waiter.client, limit: limit)
        return nil
    }

    /// Opens a connection that is counted for a client, unless that one may have no more.
    ///
    /// - Parameter onClaim: Called with what the connection is counted by, before it is made.
    private func openClaimed(
        http1: Bool,
        for client: ClientUsage,
        dial: ClientDial? = nil,
        onClaim: ((ConnectionClaim) -> Void)? = nil,
        completion: @escaping (Result<NegotiatedConnection, FailedConnection>) -> Void
    ) {
        retention.makeRoom()
        guard let pool else { return completion(.failure(FailedConnection(.closed))) }
        // It may have another one where others fill one of those that it uses.
        let freeOne = { [self] in shared.uncountFull(for: client) }
        pool.claim(for: client, freeingOne: freeOne) { [self] result in
            switch result {
            case .success(let claim):
                onClaim?(claim)
                connector.open(for: client, http1: http1, claim: claim, dial: dial) { result in
                    // One that is being closed keeps the client from no other.
                    if case .failure = result { claim.release() }
                    completion(result)
                }
            case .failure(let problem): completion(.failure(FailedConnection(.refusedHere(problem))))
            }
        }
    }

    // MARK: Keeping

    /// Keeps a connection that another request could use, unless there are enough.
    func keep(_ connection: NegotiatedConnection) {
        switch connection {
        case .http1(let connection): keep(connection)
        case .http2(let handler):
            share(handler)
            serve()
        }
    }

    func keep(_ connection: UpstreamConnection) {
        guard !retention.isOver, connection.isUsable else { return connection.close() }
        connection.leads(to: self)
        idle.keep(connection)
    }

    /// Closes the oldest idle connection.
    ///
    /// - Parameter client: The client that it has to be counted for; nil: anybody.
    /// - Returns: False when there is none.
    func closeOldest(of client: ClientUsage?) -> Bool {
        if idle.closeOldest(of: client) { return true }
        guard let oldest = shared.longestIdle(of: client) else { return false }
        oldest.finish()
        return true
    }

    /// An idle connection is gone.
    func forget(_ connection: UpstreamConnection) {
        idle.remove(connection)
    }

    private func share(_ handler: HTTP2UpstreamHandler) {
        guard !handler.isClosed else { return }
        machine.connected(byHTTP1: false)
        // From now on it counts for those whose requests it carries.
        handler.claim.endUse()
        handler.limitConnections(perClient: limits.perClient)
        handler.setKeeper(self)
        shared.append(handler)
    }

    // MARK: End

    /// Ends what is kept here; called when nothing is from now on.
    ///
    /// - Returns: The connections that another pool could use.
    func retire() -> [NegotiatedConnection] {
        idle.closeSurplus()
        return takeAll()
    }

    /// Takes all connections that there are now, but for those that requests wait for.
    func takeAll() -> [NegotiatedConnection] {
        let handlers = waiting.isEmpty ? shared.takeAll() : []
        for handler in handlers { handler.setKeeper(nil) }
        let alone = idle.takeAll()
        connectIfNeeded()
        return alone.map { .http1($0) } + handlers.map { .http2($0) }
    }
}

extension TargetPool: HTTP2UpstreamHandler.Keeper {
    var hasSurplusOfShared: Bool { shared.count > idle.limit }

    func roomCame() {
        serve()
    }

    func left(_ connection: HTTP2UpstreamHandler, because failure: UpstreamFailure?) {
        shared.remove(connection)
        // A server that says nothing at all would have each of them wait as long on a connection of its own.
        if case .settingsTimeout = failure { failWaiting(FailedConnection(.settingsTimeout)) }
        serve()
    }
}

@available(*, unavailable)
extension TargetPool: Sendable {}
