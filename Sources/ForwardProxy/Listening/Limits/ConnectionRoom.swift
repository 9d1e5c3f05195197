import NIOCore
import Settings

/// Makes room for newcomers when there are as many connections as `limits.connections` allows. For each a connection is
/// closed, of the client that holds the most of its kind:
///
/// 1. An idle one of a client that still holds as many as the newcomer's then, or of the newcomer's own.
/// 2. One that has made no progress for longest, where it is the client that is waited for, under the same condition.
/// 3. An idle one of a client that then holds one less than the newcomer's.
/// 4. One that has just come and said nothing, of a client that still holds as many: never of the newcomer's own.
///
/// Where clients are listed, connections that nobody has been named for give way before these.
///
/// Nothing of this is kept up to date beforehand. The event loops are asked when somebody needs room, and what they say
/// does for the next few.
actor ConnectionRoom {
    /// Places that one look around is good for.
    private static let placesAtOnce = 64
    /// The time for which it is good.
    private static let freshness = TimeAmount.seconds(1)
    /// The time for which a connection may leave open whose it is before it gives way sooner than one that is idle: one
    /// that has just come is about to say it.
    private static let timeForName = TimeAmount.seconds(1)

    nonisolated let counter: ConnectionCounter
    private nonisolated let loops: [NIOLoopBound<ProxyLoop>]
    /// The next one last.
    private var idlePlaces: [HeldPlace] = []
    private var slowPlaces: [HeldPlace] = []
    private var youngPlaces: [HeldPlace] = []
    /// The number of places that each client or address holds, by the last look around and what has been given and
    /// taken since.
    private var held: [ClientKey: Int] = [:]
    private var lookedAt: NIODeadline?
    /// The number of connections that there were then.
    private var seen = 0
    /// The kinds of connections, idle or slow, of which there were more than places were noted.
    private var wereMore = (idle: false, slow: false)
    /// The clients and addresses that have got a place since.
    private var gained: Set<ClientKey> = []
    /// The connections that have got a place and may not be seen with it yet.
    private var granted: [(place: ConnectionCounter.Place, holder: ClientKey, time: NIODeadline)] = []
    let clock: any ProxyClock
    /// The connections with a place, of which nobody knows whose they are.
    private let unnamed: UnnamedPlaces
    /// The same of all that are open.
    private let newcomers: UnnamedPlaces
    private var pause = SearchPause()
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
        guard await makeRoom(place, for: newcomer, limit: limit, mayReplace, succeeding) else { return false }
        granted.append((place, newcomer, clock.now))
        return true
    }

    private func makeRoom(
        _ place: ConnectionCounter.Place,
        for newcomer: ClientKey,
        limit: Int,
        _ mayReplace: @escaping @Sendable (_ unnamed: Int) -> Bool,
        _ succeeding: @escaping @Sendable () -> Void
    ) async -> Bool {
        if let lookedAt, clock.now - lookedAt > Self.freshness { forgetPlaces() }
        var looks = 0
        while !counter.admit(place, limit: limit) {
            if await replaceUnnamed(agedAtLeast: Self.timeForName, by: place, newcomer, mayReplace, succeeding) {
                return true
            }
            if let given = nextIdle(for: newcomer) {
                if await take(given, for: place, of: newcomer, succeeding) { return true }
            } else if await replaceUnnamed(agedAtLeast: .zero, by: place, newcomer, mayReplace, succeeding) {
                return true
            } else if let given = nextSlow(for: newcomer) ?? nextOfLess(for: newcomer) ?? nextYoung(for: newcomer) {
                if await take(given, for: place, of: newcomer, succeeding) { return true }
            } else {
                looks += 1
                guard looks < 3, hasMore(for: newcomer), await lookAround() else { return false }
            }
        }
        return true
    }

    /// Ends a connection of nobody for one of a client. The client gets no more so than it could have if nobody was
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

    /// Counts a connection from a client that has its share of open connections in the place of one upstream that
    /// carries nothing: of its own, or, where it may have more then, of anybody.
    ///
    /// - Returns: Whether it is counted.
    nonisolated func replaceIdleUpstream(for client: ClientUsage) async -> Bool {
        guard client.places.permits(1, without: 0) else { return false }
        for proxyLoop in loops {
            let isCounted = try? await proxyLoop.eventLoop.submit {
                let pool = proxyLoop.value.worker.pool
                if client.replaceConnection({ pool.closeOneIdle(of: client) }) { return true }
                return pool.closeOneIdle(for: client) && client.takeConnection() == nil
            }.get()
            if isCounted == true { return true }
        }
        return false
    }

    private func forgetPlaces() {
        idlePlaces.removeAll()
        slowPlaces.removeAll()
        youngPlaces.removeAll()
    }

    private func take(
        _ given: HeldPlace,
        for place: ConnectionCounter.Place,
        of newcomer: ClientKey,
        _ succeeding: @escaping @Sendable () -> Void
    ) async -> Bool {
        // Counted at once: other newcomers are decided upon meanwhile.
        count(given, goesTo: newcomer, 1)
        let proxyLoop = loops[given.loop]
        let taken = try? await proxyLoop.eventLoop.submit { [counter] in
            proxyLoop.value.giveAway(given) {
                guard counter.admit(place, limit: nil) else { return false }
                succeeding()
                return true
            }
        }.get()
        if taken == true {
            gained.insert(newcomer)
            return true
        }
        count(given, goesTo: newcomer, -1)
        return false
    }

    private func count(_ given: HeldPlace, goesTo newcomer: ClientKey, _ number: Int) {
        held[given.holder, default: 0] -= number
        held[newcomer, default: 0] += number
    }

    /// Returns whether another look around may find something for a newcomer: nothing is left of the last one, or its
    /// client has got places since, which it may use otherwise by now. Among many connections a look takes long.
    private func hasMore(for newcomer: ClientKey) -> Bool {
        if idlePlaces.isEmpty, slowPlaces.isEmpty, youngPlaces.isEmpty { return true }
        if idlePlaces.isEmpty && wereMore.idle || slowPlaces.isEmpty && wereMore.slow { return true }
        guard gained.contains(newcomer), let lookedAt else { return false }
        return clock.now - lookedAt >= .microseconds(Int64(50 * max(0, seen - 500)))
    }

    /// - Returns: Whether there is anything to give.
    private func lookAround() async -> Bool {
        if let looking { return await looking.value }
        if pause.holds(at: clock.now) { return false }
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
        let seenAdmissions = Set(found.compactMap(\.admission))
        let earliest = clock.now - Self.freshness
        granted.removeAll { granted in
            !granted.place.isAdmitted || granted.time < earliest
                || seenAdmissions.contains(ObjectIdentifier(granted.place))
        }
        for granted in granted { held[granted.holder, default: 0] += 1 }
        let (now, held) = (clock.now, held)
        idlePlaces = Self.toGive(of: found) { $0.use.idleSince }
        slowPlaces = Self.toGive(of: found) { place in
            place.use.slowSince.flatMap { since in
                let holdsMost = held[place.holder, default: 0] * 2 > found.count
                let time = TimeAmount.nanoseconds(place.timeForProgress.nanoseconds / (holdsMost ? 5 : 1))
                return now - since >= time ? since : nil
            }
        }
        youngPlaces = Self.toGive(of: found) { $0.use.youngSince }
        let hasFound = !(idlePlaces.isEmpty && slowPlaces.isEmpty && youngPlaces.isEmpty)
        let end = clock.now
        lookedAt = end
        pause.searched(found: hasFound, at: end)
        seen = found.count
        wereMore = (idlePlaces.count == Self.placesAtOnce, slowPlaces.count == Self.placesAtOnce)
        gained.removeAll()
        looking = nil
        return hasFound
    }
}

extension ConnectionRoom {
    private static func toGive(of found: [HeldPlace], since: (HeldPlace) -> NIODeadline?) -> [HeldPlace] {
        HeldPlace.toGive(of: found, count: placesAtOnce, since: since).map(\.place)
    }

    /// Returns the number of connections that the holder of a place has more than a newcomer.
    private func lead(of place: HeldPlace, over newcomer: ClientKey) -> Int {
        held[place.holder, default: 0] - held[newcomer, default: 0]
    }

    /// An idle connection whose holder still has as many as the newcomer's then, or is the newcomer itself.
    private func nextIdle(for newcomer: ClientKey) -> HeldPlace? {
        guard let given = idlePlaces.last, given.holder == newcomer || lead(of: given, over: newcomer) > 1 else {
            return nil
        }
        return idlePlaces.removeLast()
    }

    private func nextSlow(for newcomer: ClientKey) -> HeldPlace? {
        guard let given = slowPlaces.last, lead(of: given, over: newcomer) > 1 else { return nil }
        return slowPlaces.removeLast()
    }

    /// An idle connection of the newcomer's own, or one whose holder then has one less than the newcomer's.
    private func nextOfLess(for newcomer: ClientKey) -> HeldPlace? {
        if let index = idlePlaces.lastIndex(where: { $0.holder == newcomer }) { return idlePlaces.remove(at: index) }
        guard let given = idlePlaces.last, lead(of: given, over: newcomer) > 0 else { return nil }
        return idlePlaces.removeLast()
    }

    private func nextYoung(for newcomer: ClientKey) -> HeldPlace? {
        guard let given = youngPlaces.last, lead(of: given, over: newcomer) > 1 else { return nil }
        return youngPlaces.removeLast()
    }
}

extension ProxyLoop {
    /// Every client's connection of this event loop that has a place.
    func places(loop index: Int) -> [HeldPlace] {
        let now = clock.now
        let timeForProgress = timeouts.progress
        let ofClients = clients.compactMap { client -> HeldPlace? in
            guard client.isPlaced else { return nil }
            return HeldPlace(
                holder: client.holder,
                use: client.use(at: now),
                timeForProgress: timeForProgress,
                admission: client.admission.map { ObjectIdentifier($0) },
                id: ObjectIdentifier(client),
                loop: index
            )
        }
        return ofClients
            + tunnels.map { tunnel in
                HeldPlace(
                    holder: tunnel.holder,
                    use: tunnel.slowSince(at: now).map { .slow(since: $0) } ?? .busy,
                    timeForProgress: timeForProgress,
                    id: ObjectIdentifier(tunnel),
                    loop: index
                )
            }
    }

    /// Closes a connection that is still as it was seen, so that its place can be had.
    ///
    /// - Parameter take: Takes the place; false: nobody wants it any more.
    /// - Returns: Whether it was taken.
    func giveAway(_ place: HeldPlace, to take: () -> Bool) -> Bool {
        let now = clock.now
        if let client = clients[place.id] {
            guard client.use(at: now).stillAllows(place.use), client.mayGiveWay || place.use.slowSince != nil, take()
            else { return false }
            client.giveWay()
            return true
        }
        guard let tunnel = tunnels[place.id], tunnel.slowSince(at: now) == place.use.slowSince, take() else {
            return false
        }
        tunnel.close()
        return true
    }
}
