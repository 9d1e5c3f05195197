package import FoundationEssentials
package import UpstreamTrust

/// What was made of leaf certificates (say, a TLS context), by host: at most `capacity`, each for half of what was left
/// of its certificate's life when it came in.
///
/// When it is full the place of an entry that was not asked for lately is taken, in the manner of a clock: cheaper than
/// a list by age, and a host in use keeps its place.
package struct LeafCache<Payload> {
    fileprivate struct Entry {
        var serverName: ServerName
        var payload: Payload
        var expiry: Date
        var wasUsed: Bool
    }

    package let capacity: Int
    private var entries: [Entry] = []
    private var positions: [ServerName: Int] = [:]
    private var hand = 0

    /// - Parameter capacity: At least one is kept.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    package var count: Int { entries.count }

    /// nil when there is none, or it is to be made anew.
    package mutating func payload(for serverName: ServerName, now: Date) -> Payload? {
        guard let position = positions[serverName], now < entries[position].expiry else { return nil }
        entries[position].wasUsed = true
        return entries[position].payload
    }

    /// Replaces what there was for this host.
    ///
    /// - Parameter notAfter: The end of the certificate's life.
    package mutating func insert(_ payload: Payload, for serverName: ServerName, notAfter: Date, now: Date) {
        let expiry = now.addingTimeInterval(max(0, notAfter.timeIntervalSince(now)) / 2)
        let entry = Entry(serverName: serverName, payload: payload, expiry: expiry, wasUsed: false)
        if let position = positions[serverName] {
            entries[position] = entry
        } else if entries.count < capacity {
            positions[serverName] = entries.count
            entries.append(entry)
        } else {
            let position = positionToReuse(now: now)
            positions[entries[position].serverName] = nil
            positions[serverName] = position
            entries[position] = entry
        }
    }

    /// Goes round at most once: each entry passed over loses its mark.
    private mutating func positionToReuse(now: Date) -> Int {
        while entries[hand].wasUsed, now < entries[hand].expiry {
            entries[hand].wasUsed = false
            advance()
        }
        defer { advance() }
        return hand
    }

    private mutating func advance() { hand = (hand + 1) % entries.count }
}

extension LeafCache: Sendable where Payload: Sendable {}
extension LeafCache.Entry: Sendable where Payload: Sendable {}
