import NIOCore

/// The place of one connection, from its arrival to its end: for whom it is counted, and whether it is one too many.
///
/// Where clients are listed it is not known at first who has come. Until its name is known a connection is counted for
/// its address, and is given nobody else's place: of whom it may have one depends on the name. It gives way itself to
/// those whose name is known.
final class ClientPlace {
    private enum State {
        /// It is served, and counted among open connections and places. It may have come over the limit.
        case served(ConnectionCounter.Place?)
        /// It is one too many, unless its place over the limit has just been admitted.
        case refused(ConnectionCounter.Place, Shortage)
        case ended
    }

    private let room: ConnectionRoom
    private var usage: ClientUsage
    private var state: State
    /// Indicates whether nobody has been named for it.
    private(set) var isUnnamed = true
    let arrived: NIODeadline

    /// The place over the limit; nil: there was room when it arrived, and is.
    var surplus: ConnectionCounter.Place? {
        switch state {
        case .served(let surplus): surplus
        case .refused(let surplus, _): surplus
        case .ended: nil
        }
    }

    /// The reason why it is not served; nil: it is.
    var shortage: Shortage? {
        if case .refused(_, let shortage) = state { shortage } else { nil }
    }

    /// Indicates whether it is one of as many as there may be: it is served, or is about to be.
    var isAdmitted: Bool {
        switch state {
        case .served(let surplus): surplus?.isAdmitted ?? true
        case .refused(let surplus, _): surplus.isAdmitted
        case .ended: false
        }
    }

    /// The name of the client that it is counted for; nil: it is counted for its address.
    var clientName: String? { usage.clientName }

    /// - Parameter usage: The usage of the connection's address. What it says of the connection is given back at the
    ///   end.
    private init(_ room: ConnectionRoom, of usage: ClientUsage, _ state: State) {
        self.room = room
        arrived = room.clock.coarseNow
        self.usage = usage
        self.state = state
    }

    /// Finds a place for a connection that has just come.
    ///
    /// - Parameter usage: The usage of the connection's address.
    /// - Returns: Nil when there is none even to be told so.
    static func arrive(_ usage: ClientUsage, _ room: ConnectionRoom, limit: Int) -> ClientPlace? {
        let refusal = usage.takeConnection()
        let arrival = room.counter.arrive(limit: limit, isPermitted: refusal == nil)
        if case .admitted = arrival { return ClientPlace(room, of: usage, .served(nil)) }
        if refusal == nil { usage.giveBackConnection() }
        guard case .surplus(let surplus) = arrival else { return nil }
        guard usage.surplus.take(1) else {
            room.counter.leave(surplus)
            return nil
        }
        return ClientPlace(room, of: usage, .refused(surplus, refusal ?? .places))
    }

    /// Finds a place for a connection that has none even to be told so, where another one that nobody has been named
    /// for can be ended: ``replaceNewcomer(on:)`` does that.
    ///
    /// - Parameter usage: The usage of the connection's address.
    static func arriveAnyway(_ usage: ClientUsage, _ room: ConnectionRoom) -> ClientPlace {
        usage.surplus.takeAnyway(1)
        return ClientPlace(room, of: usage, .refused(room.counter.arriveAnyway(), .places))
    }

    /// - Returns: False when there is none that could be ended.
    func replaceNewcomer(on loop: any EventLoop) -> EventLoopFuture<Bool> {
        guard let surplus else { return loop.makeSucceededFuture(true) }
        return loop.makeFutureWithTask { [room] in await room.replaceNewcomer(by: surplus) }
    }

    /// The connection has ended, or is about to.
    func end() {
        if case .ended = state { return }
        let surplus = surplus
        giveBack()
        state = .ended
        if let surplus { room.counter.leave(surplus) } else { room.counter.leave() }
    }

    private func giveBack() {
        switch state {
        case .served: usage.giveBackConnection()
        case .refused: usage.surplus.giveBack(1)
        case .ended: break
        }
    }

    /// Counts it for a client, whose name is known now, if that may have one more.
    ///
    /// - Returns: Whether that is all. Otherwise it has to take the place of another one.
    func claim(for client: ClientUsage) -> Bool {
        isUnnamed = false
        guard case .served = state else { return false }
        giveBack()
        if let refusal = client.takeConnection() {
            // It keeps no place from others while it is refused.
            usage.surplus.takeAnyway(1)
            state = .refused(room.counter.demote(), refusal)
            return false
        }
        usage = client
        return true
    }

    /// Takes the place of a connection that has to give way to it, or one that has become free.
    ///
    /// - Parameters:
    ///   - client: For whom it is to be counted.
    ///   - holder: The same.
    ///   - limit: As many connections as there may be.
    /// - Returns: Why there is none; nil: it has one.
    func take(
        for client: ClientUsage,
        _ holder: ClientKey,
        limit: Int,
        on loop: any EventLoop
    ) -> EventLoopFuture<Shortage?> {
        let surplus: ConnectionCounter.Place
        switch state {
        case .served: return loop.makeSucceededFuture(nil)
        case .ended: return loop.makeSucceededFuture(.places)
        case .refused(let place, _): surplus = place
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        // Whether there is room for all is another question. Until that is known it is kept, so that others who ask
        // meanwhile are not given the same.
        let refusal = client.takeConnection()
        let room = self.room
        return loop.makeFutureWithTask {
            var isCounted = refusal == nil
            if refusal == .share { isCounted = await room.replaceIdleUpstream(for: client) }
            return (await Self.admit(surplus, for: client, holder, isCounted: isCounted, limit, in: room), isCounted)
        }.map { (isAdmitted, isCounted) in
            if isAdmitted { return bound.value.serve(client) }
            if isCounted { client.giveBackConnection() }
            return bound.value.takeFree(for: client, limit: limit)
        }
    }

    /// - Parameter isCounted: Whether it is counted for the client already.
    private static func admit(
        _ surplus: ConnectionCounter.Place,
        for client: ClientUsage,
        _ holder: ClientKey,
        isCounted: Bool,
        _ limit: Int,
        in room: ConnectionRoom
    ) async -> Bool {
        await room.admit(
            surplus,
            for: holder,
            limit: isCounted ? limit : 0,
            mayReplace: { isCounted || client.mayTakeConnection(without: $0) },
            succeeding: { if !isCounted { client.takeConnectionAnyway() } }
        )
    }

    /// Takes a place that has become free since it arrived, for its address.
    ///
    /// - Returns: Why there is none; nil: it has one.
    func takeFree(limit: Int) -> Shortage? {
        takeFree(for: usage, limit: limit)
    }

    /// One of the client's own may have ended meanwhile.
    private func takeFree(for client: ClientUsage, limit: Int) -> Shortage? {
        let surplus: ConnectionCounter.Place
        switch state {
        case .served: return nil
        case .ended: return .places
        case .refused(let place, _): surplus = place
        }
        if let refusal = client.takeConnection() { return refusal }
        guard room.counter.admit(surplus, limit: limit) else {
            client.giveBackConnection()
            return .places
        }
        return serve(client)
    }

    /// - Parameter client: It is counted for it already.
    private func serve(_ client: ClientUsage) -> Shortage? {
        guard case .refused(let surplus, _) = state else {
            client.giveBackConnection()
            return .places
        }
        giveBack()
        usage = client
        state = .served(surplus)
        return nil
    }
}

@available(*, unavailable)
extension ClientPlace: Sendable {}
