import NIOCore

/// Makes room for newcomers when there are as many connections as `limits.connections` allows: an idle connection of
/// the client that holds the most is closed for each, or else one of a client that holds more than the newcomer's then
/// does: the one that has made no progress for longest, where it is the client that is waited for. Where clients are
/// listed, connections that nobody has been named for give way before these.
///
/// Nothing of this is kept up to date beforehand. The event loops are asked when somebody needs room, and what they say
/// does for the next few.
actor ConnectionRoom {
    /// Places that one look around is good for.
    private static let placesAtOnce = 64
    /// For how long it is good.
    private static let freshness = TimeAmount.seconds(1)
    /// For how long nobody looks again where nobody was idle.
    private static let pauseBetweenSearches = TimeAmount.milliseconds(20)
    /// For how long a connection may leave open whose it is before it gives way sooner than one that is idle: one that
    /// has just come is about to say it.
    private static let timeForName = TimeAmount.seconds(1)

    nonisolated let counter: ConnectionCounter
    private let loops: [NIOLoopBound<ProxyLoop>]
    /// The next one last.
    private var places: [(place: HeldPlace, held: Int)] = []
    /// The same of those that are slow, where nobody was idle.
    private var slowPlaces: [(place: HeldPlace, held: Int)] = []
    /// By the last look around.
    private var held: [ClientKey: Int] = [:]
    private var lookedAt: NIODeadline?
    let clock: any ProxyClock
    /// Those with a place, of which nobody knows whose they are.
    private let unnamed: UnnamedPlaces
    /// The same of all that are open.
    private let newcomers: UnnamedPlaces
    /// Whether nobody was idle then.
    private var isBarren = false
    private var looking: Task<Bool, Never>?

    /// - Parameter abated: Called when most of many connections have ended, on an event loop.
    init(loops: [NIOLoopBound<ProxyLoop>], clock: any ProxyClock, abated: @escaping @Sendable () -> Void) {
        self.loops = loops
        self.clock = clock
        counter = ConnectionCounter(abated: abated)
        unnamed = UnnamedPlaces(loops: loops, clock: clock, arePlaced: true)
        newcomers = UnnamedPlaces(loops: loops, clock: clock, arePlaced: false)
    }

    /// Admits a newcomer that is over the limit, if room can be made.
    ///
    /// Not where the newcomer itself holds more than whoever would give way: it would take from those who have less.
    ///
    /// - Parameters:
    ///   - newcomer: Whose it is.
    ///   - mayReplace: Whether it may be instead of a connection that nobody has been named for, as if none of so many
    ///     were there.
    ///   - succeeding: Called when somebody is about to give way to it, and only then: what that one gives back is to
    ///     be taken first, or others get it in between.
    func admit(
        _ place: ConnectionCounter.Place,
        for newcomer: ClientKey,
        limit: Int,
        mayReplace: @escaping @Sendable (_ unnamed: Int) -> Bool,
        succeeding: @escaping @Sendable () -> Void
    ) async -> Bool {
        if let lookedAt, clock.now - lookedAt > Self.freshness { forgetPlaces() }
        var looks = 0
        while !counter.admit(place, limit: limit) {
            if await replaceUnnamed(agedAtLeast: Self.timeForName, by: place, newcomer, mayReplace, succeeding) {
                return true
            }
            let own = held[newcomer, default: 0]
            if let (given, holds) = places.last, given.holder == newcomer || holds >= own {
                places.removeLast()
                if await take(given, for: place, succeeding) { return true }
            } else if await replaceUnnamed(agedAtLeast: .zero, by: place, newcomer, mayReplace, succeeding) {
                return true
            } else if let (given, holds) = slowPlaces.last, holds > own + 1 {
                slowPlaces.removeLast()
                if await take(given, for: place, succeeding) {
                    held[newcomer, default: 0] += 1
                    return true
                }
            } else {
                guard places.isEmpty else { return false }
                looks += 1
                guard looks < 3, await lookAround() else { return false }
            }
        }
        return true
    }

    /// Has a connection of nobody give way to a client's. The client gets no more so than it could have if nobody was
    /// there without a name.
    private func replaceUnnamed(
        agedAtLeast age: TimeAmount,
        by place: ConnectionCounter.Place,
        _ newcomer: ClientKey,
        _ mayReplace: @Sendable (_ unnamed: Int) -> Bool,
        _ succeeding: @escaping @Sendable () -> Void
    ) async -> Bool {
        guard case .client = newcomer else { return false }
        return await unnamed.endOne(agedAtLeast: age, if: mayReplace) { [counter] in
            guard counter.admit(place, limit: nil) else { return false }
            succeeding()
            return true
        }
    }

    /// Ends a connection that nobody has been named for, so that one which is far over the limit may be.
    nonisolated func replaceNewcomer(by place: ConnectionCounter.Place) async -> Bool {
        await newcomers.endOne { place.isWaiting }
    }

    private func forgetPlaces() {
        places.removeAll()
        slowPlaces.removeAll()
    }

    private func take(
        _ given: HeldPlace,
        for place: ConnectionCounter.Place,
        _ succeeding: @escaping @Sendable () -> Void
    ) async -> Bool {
        let proxyLoop = loops[given.loop]
        let taken = try? await proxyLoop.eventLoop.submit { [counter] in
            proxyLoop.value.giveAway(given) {
                guard counter.admit(place, limit: nil) else { return false }
                succeeding()
                return true
            }
        }.get()
        return taken ?? false
    }

    /// - Returns: Whether anybody was idle.
    private func lookAround() async -> Bool {
        if let looking { return await looking.value }
        if isBarren, let lookedAt, clock.now - lookedAt < Self.pauseBetweenSearches { return false }
        let task = Task { await look() }
        looking = task
        return await task.value
    }

    private func look() async -> Bool {
        var found: [HeldPlace] = []
        for (index, proxyLoop) in loops.enumerated() {
            found += (try? await proxyLoop.eventLoop.submit { proxyLoop.value.places(loop: index) }.get()) ?? []
        }
        held = found.reduce(into: [:]) { $0[$1.holder, default: 0] += 1 }
        places = HeldPlace.toGive(of: found, count: Self.placesAtOnce)
        isBarren = places.isEmpty
        slowPlaces = isBarren ? HeldPlace.toGive(of: slow(found), count: Self.placesAtOnce, by: \.slowSince) : []
        lookedAt = clock.now
        looking = nil
        return !isBarren || !slowPlaces.isEmpty
    }
}

extension ConnectionRoom {
    /// The places as they are when those count for slow that have made no progress for as long as is asked of their
    /// holder: one that holds more than all others together has a fifth of it.
    private func slow(_ places: [HeldPlace]) -> [HeldPlace] {
        let now = clock.now
        return places.map { place in
            var place = place
            let holdsMost = held[place.holder, default: 0] * 2 > places.count
            let time = TimeAmount.nanoseconds(place.timeForProgress.nanoseconds / (holdsMost ? 5 : 1))
            if let since = place.slowSince, since > now - time { place.slowSince = nil }
            return place
        }
    }
}

extension ProxyLoop {
    /// Every client's connection of this event loop.
    func places(loop index: Int) -> [HeldPlace] {
        let now = worker.clock.now
        let timeForProgress = worker.settings.timeouts.progress
        let ofClients = clients.map { client in
            HeldPlace(
                holder: client.holder,
                idleSince: client.idleSince,
                slowSince: client.slowSince(at: now),
                timeForProgress: timeForProgress,
                id: ObjectIdentifier(client),
                loop: index
            )
        }
        return ofClients
            + tunnels.map { tunnel in
                HeldPlace(
                    holder: tunnel.holder,
                    idleSince: nil,
                    slowSince: tunnel.slowSince(at: now),
                    timeForProgress: timeForProgress,
                    id: ObjectIdentifier(tunnel),
                    loop: index
                )
            }
    }

    /// Closes a connection that is still idle or slow, so that its place can be had.
    ///
    /// - Parameter take: Takes the place; false: nobody wants it any more.
    /// - Returns: Whether it was taken.
    func giveAway(_ place: HeldPlace, to take: () -> Bool) -> Bool {
        let now = worker.clock.now
        if let client = clients[place.id] {
            let isUnchanged =
                if let idleSince = place.idleSince {
                    client.idleSince == idleSince && client.mayGiveWay
                } else {
                    client.idleSince == nil && client.slowSince(at: now) == place.slowSince
                }
            guard isUnchanged, take() else { return false }
            client.giveWay()
            return true
        }
        guard let tunnel = tunnels[place.id], tunnel.slowSince(at: now) == place.slowSince, take() else { return false }
        tunnel.close()
        return true
    }
}
