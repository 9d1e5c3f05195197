import NIOCore

/// The use of a client's connection, as far as it may give way to another client's.
enum PlaceUse: Sendable, Equatable {
    /// It has been between requests since then, or has been silent since then, for some time.
    case idle(since: NIODeadline)
    /// The client has made no ``Progress`` since then, though it is its turn.
    case slow(since: NIODeadline)
    /// It has just come, or the handshake in it is just over: its first request may be on its way.
    case young(since: NIODeadline)
    /// It is in use.
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
    func stillAllows(_ earlier: PlaceUse) -> Bool {
        if self == earlier { return true }
        // What was young then has become idle.
        if case .young(let since) = earlier, self == .idle(since: since) { return true }
        return false
    }
}

extension ClientConnection {
    func use(at now: NIODeadline) -> PlaceUse {
        if let since = keptSince { return unreadSince(at: now).map { .slow(since: $0) } ?? .idle(since: since) }
        if let since = silentSince {
            return now - since < PlaceUse.timeForFirstRequest ? .young(since: since) : .idle(since: since)
        }
        return slowSince(at: now).map { .slow(since: $0) } ?? .busy
    }
}
