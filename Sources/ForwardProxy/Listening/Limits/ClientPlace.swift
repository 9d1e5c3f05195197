import NIOCore

/// The place of one connection, from its arrival to its end: for whom it is counted, and whether it is one too many.
///
/// Where clients are listed it is not known at first who has come. Until its name is known a connection is counted for
/// its address, and is given nobody else's place: of whom it may have one depends on the name. It gives way itself to
/// those whose name is known.
final class ClientPlace {
    private let room: ConnectionRoom
    /// The place over the limit; nil: there was room when it arrived, and is.
    private(set) var surplus: ConnectionCounter.Place?
    private var usage: ClientUsage
    /// The reason why it is not served; nil: it is, and is counted among open connections and places.
    private(set) var shortage: Shortage?
    /// Indicates whether nobody has been named for it.
    private(set) var isUnnamed = true
    let arrived: NIODeadline
    private var hasEnded = false

    /// Indicates whether it is one of as many as there may be: it is served, or is about to be.
    var isAdmitted: Bool { surplus?.isAdmitted ?? (shortage == nil) }

    /// The name of the client that it is counted for; nil: it is counted for its address.
    var clientName: String? { usage.clientName }

    /// - Parameters:
    ///   - usage: Of the address. What it says of the connection is given back at the end.
    ///   - surplus: Nil: it has been admitted.
    private init(_ room: ConnectionRoom, of usage: ClientUsage, surplus: ConnectionCounter.Place?, shortage: Shortage?)
    {
        self.room = room
        arrived = room.clock.coarseNow
        self.usage = usage
        self.surplus = surplus
        self.shortage = shortage
    }

    /// Finds a place for a connection that has just come.
    ///
    /// - Parameter usage: Of the address.
    /// - Returns: Nil when there is none even to be told so.
    static func arrive(_ usage: ClientUsage, _ room: ConnectionRoom, limit: Int) -> ClientPlace? {
        let refusal = usage.takeConnection()
        let arrival = room.counter.arrive(limit: limit, isPermitted: refusal == nil)
        if case .admitted = arrival { return ClientPlace(room, of: usage, surplus: nil, shortage: nil) }
        if refusal == nil { usage.giveBackConnection() }
        guard case .surplus(let surplus) = arrival else { return nil }
        guard usage.surplus.take(1) else {
            room.counter.leave(surplus)
            return nil
        }
        return ClientPlace(room, of: usage, surplus: surplus, shortage: refusal ?? .places)
    }

    /// Finds a place for a connection that has none even to be told so, where another one that nobody has been named
    /// for can be ended: ``replaceNewcomer(on:)`` does that.
    ///
    /// - Parameter usage: Of the address.
    static func arriveAnyway(_ usage: ClientUsage, _ room: ConnectionRoom) -> ClientPlace {
        usage.surplus.takeAnyway(1)
        return ClientPlace(room, of: usage, surplus: room.counter.arriveAnyway(), shortage: .places)
    }

    /// - Returns: False when there is none that could be ended.
    func replaceNewcomer(on loop: any EventLoop) -> EventLoopFuture<Bool> {
        guard let surplus else { return loop.makeSucceededFuture(true) }
        return loop.makeFutureWithTask { [room] in await room.replaceNewcomer(by: surplus) }
    }

    /// The connection has ended, or is about to.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        giveBack()
        if let surplus { room.counter.leave(surplus) } else { room.counter.leave() }
    }

    private func giveBack() {
        if shortage == nil { usage.giveBackConnection() } else { usage.surplus.giveBack(1) }
    }

    /// Counts it for a client, whose name is known now, if that may have one more.
    ///
    /// - Returns: Whether that is all. Otherwise it has to take the place of another one.
    func claim(for client: ClientUsage) -> Bool {
        isUnnamed = false
        guard shortage == nil else { return false }
        giveBack()
        if let refusal = client.takeConnection() {
            // It keeps no place from others while it is refused.
            surplus = room.counter.demote()
            usage.surplus.takeAnyway(1)
            shortage = refusal
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
        let bound = NIOLoopBound(self, eventLoop: loop)
        guard let surplus else { return loop.makeSucceededFuture(nil) }
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
        guard !hasEnded else { return .places }
        if let refusal = client.takeConnection() { return refusal }
        guard let surplus, room.counter.admit(surplus, limit: limit) else {
            client.giveBackConnection()
            return .places
        }
        return serve(client)
    }

    /// - Parameter client: It is counted for it already.
    private func serve(_ client: ClientUsage) -> Shortage? {
        guard !hasEnded else {
            client.giveBackConnection()
            return .places
        }
        giveBack()
        usage = client
        shortage = nil
        return nil
    }
}

@available(*, unavailable)
extension ClientPlace: Sendable {}
