import NIOCore

/// Ends connections that nobody has been named for, of all event loops, where clients are listed: for one that a client
/// has been named for, or so that a newcomer can come and say its name.
///
/// The next one is always of the address that has the most of them, and of its own, or of several addresses, the
/// oldest. As in ``ConnectionRoom``, the event loops are asked when somebody needs one.
actor UnnamedPlaces {
    /// Connections that one look around is good for.
    private static let placesAtOnce = 64
    /// The time for which it is good.
    private static let freshness = TimeAmount.seconds(1)

    private let loops: [NIOLoopBound<ProxyLoop>]
    private let clock: any ProxyClock
    /// Indicates whether only those are meant that have a place.
    private let arePlaced: Bool
    /// The next one last.
    private var places: [HeldPlace] = []
    /// The number that there are, by the last look around.
    private var count = 0
    private var lookedAt: NIODeadline?
    private var pause = SearchPause()
    private var looking: Task<Void, Never>?

    /// - Parameter arePlaced: Whether only those are meant that have a place; otherwise those over the limit are, too.
    init(loops: [NIOLoopBound<ProxyLoop>], clock: any ProxyClock, arePlaced: Bool) {
        self.loops = loops
        self.clock = clock
        self.arePlaced = arePlaced
    }

    /// Ends one, so that another connection can be in its stead.
    ///
    /// - Parameters:
    ///   - age: How long it must have been there.
    ///   - isPermitted: Whether the other connection may be, as if none of so many were there.
    ///   - take: Takes its place; false: nobody wants it any more.
    /// - Returns: Whether it was taken.
    func endOne(
        agedAtLeast age: TimeAmount = .zero,
        if isPermitted: @Sendable (_ count: Int) -> Bool = { _ in true },
        to take: @escaping @Sendable () -> Bool
    ) async -> Bool {
        if let lookedAt, clock.now - lookedAt > Self.freshness { places.removeAll() }
        var looks = 0
        while true {
            if !places.isEmpty {
                let latest = clock.now - age
                // Whoever renews many of its own in less time than that does not shield older ones of others.
                let index = places.lastIndex { $0.unnamedSince.map { $0 <= latest } ?? false }
                guard isPermitted(count), let index else { return false }
                let place = places.remove(at: index)
                count -= 1
                if await end(place, to: take) { return true }
            } else {
                looks += 1
                guard looks < 3, await lookAround() else { return false }
            }
        }
    }

    private func end(_ place: HeldPlace, to take: @escaping @Sendable () -> Bool) async -> Bool {
        let proxyLoop = loops[place.loop]
        let taken = try? await proxyLoop.eventLoop.submit { [arePlaced] in
            proxyLoop.value.end(unnamed: place, isPlaced: arePlaced, to: take)
        }.get()
        return taken ?? false
    }

    /// - Returns: Whether there is any.
    private func lookAround() async -> Bool {
        if let looking {
            await looking.value
            return !places.isEmpty
        }
        if pause.holds(at: clock.now) { return false }
        let task = Task { await look() }
        looking = task
        await task.value
        return !places.isEmpty
    }

    private func look() async {
        var found: [HeldPlace] = []
        for (index, proxyLoop) in loops.enumerated() {
            found +=
                (try? await proxyLoop.eventLoop.submit { [arePlaced] in
                    proxyLoop.value.unnamedPlaces(loop: index, arePlaced: arePlaced)
                }.get()) ?? []
        }
        places = HeldPlace.toGive(of: found, count: Self.placesAtOnce, since: \.unnamedSince).map(\.place)
        count = found.count
        let end = clock.now
        lookedAt = end
        pause.searched(found: !found.isEmpty, at: end)
        looking = nil
    }
}

extension ProxyLoop {
    /// The connections of this event loop that nobody has been named for.
    fileprivate func unnamedPlaces(loop index: Int, arePlaced: Bool) -> [HeldPlace] {
        clients.compactMap { client in
            guard let since = client.unnamedSince, client.isPlaced || !arePlaced else { return nil }
            return HeldPlace(
                holder: client.holder,
                use: .busy,
                unnamedSince: since,
                id: ObjectIdentifier(client),
                loop: index
            )
        }
    }

    /// Ends a connection if still nobody has been named for it.
    ///
    /// - Returns: Whether its place was taken.
    fileprivate func end(unnamed place: HeldPlace, isPlaced: Bool, to take: () -> Bool) -> Bool {
        guard let client = clients[place.id], client.unnamedSince == place.unnamedSince else { return false }
        guard client.holder == place.holder, client.isPlaced || !isPlaced, take() else { return false }
        client.giveWay()
        return true
    }
}
