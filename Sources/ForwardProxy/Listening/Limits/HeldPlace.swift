import NIOCore

/// A client's connection, as others see it who want its place.
struct HeldPlace: Sendable {
    /// The use of a client's connection, as far as it may give way to another client's.
    enum Use: Sendable, Equatable {
        /// The connection has been between requests, or silent, for some time.
        case idle(since: NIODeadline)
        /// The client has made no ``Progress`` since then, though it is its turn.
        case slow(since: NIODeadline)
        /// The connection has just come, or its handshake is just over: its first request may be on its way.
        case young(since: NIODeadline)
        /// The connection is in use.
        case busy

        /// The time for which a first request may be on its way.
        static let timeForFirstRequest = TimeAmount.seconds(1)

        var idleSince: NIODeadline? {
            if case .idle(let since) = self { since } else { nil }
        }

        var slowSince: NIODeadline? {
            if case .slow(let since) = self { since } else { nil }
        }

        var youngSince: NIODeadline? {
            if case .young(let since) = self { since } else { nil }
        }

        /// Returns whether a connection whose use is this one now may still give way as it might have with another one,
        /// earlier.
        func stillAllows(_ earlier: Use) -> Bool {
            if self == earlier { return true }
            // What was young then has become idle.
            if case .young(let since) = earlier, self == .idle(since: since) { return true }
            return false
        }
    }

    let holder: ClientKey
    let use: Use
    /// The time for which it may make no progress.
    var timeForProgress = TimeAmount.zero
    /// The time since which it has been there without anybody being named for it, where clients are listed; nil:
    /// somebody has been.
    var unnamedSince: NIODeadline?
    /// The admission of a connection that came over the limit.
    var admission: ObjectIdentifier?
    /// The connection, and the event loop that it is on.
    let id: ObjectIdentifier
    let loop: Int

    /// The places that are to be given to newcomers, in the reverse of their order, each with how many its holder then
    /// has.
    ///
    /// The next one is always of the client that holds the most, and of its own the one that has been so for longest.
    ///
    /// - Parameter since: Since when a place could be given; nil: it cannot.
    static func toGive(
        of places: [HeldPlace],
        count: Int,
        since: (HeldPlace) -> NIODeadline?
    ) -> [(place: HeldPlace, held: Int)] {
        typealias Candidate = (place: HeldPlace, since: NIODeadline)
        var holders: [ClientKey: (held: Int, candidates: [Candidate])] = [:]
        for place in places {
            holders[place.holder, default: (0, [])].held += 1
            if let since = since(place) { holders[place.holder]?.candidates.append((place, since)) }
        }
        var left = holders.values.filter { !$0.candidates.isEmpty }.map { holder in
            (held: holder.held, candidates: holder.candidates.sorted { $1.since < $0.since })
        }
        var given: [(place: HeldPlace, held: Int)] = []
        while given.count < count {
            let next = left.indices.max { one, other in
                if left[one].held != left[other].held { return left[one].held < left[other].held }
                guard let first = left[one].candidates.last, let second = left[other].candidates.last else {
                    return false
                }
                return second.since < first.since
            }
            guard let next, let candidate = left[next].candidates.popLast() else { break }
            given.append((candidate.place, left[next].held))
            left[next].held -= 1
            if left[next].candidates.isEmpty { left.remove(at: next) }
        }
        return given.reversed()
    }
}

extension ClientConnection {
    func use(at now: NIODeadline) -> HeldPlace.Use {
        if let since = keptSince { return unreadSince(at: now).map { .slow(since: $0) } ?? .idle(since: since) }
        if let since = silentSince {
            return now - since < HeldPlace.Use.timeForFirstRequest ? .young(since: since) : .idle(since: since)
        }
        return slowSince(at: now).map { .slow(since: $0) } ?? .busy
    }
}
