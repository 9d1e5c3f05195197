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

    /// - Parameter capacity: at least one is kept.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    package var count: Int { self.entries.count }

    /// nil when there is none, or it is to be made anew.
    package mutating func payload(for serverName: ServerName, now: Date) -> Payload? {
        guard let position = self.positions[serverName], now < self.entries[position].expiry else { return nil }
        self.entries[position].wasUsed = true
        return self.entries[position].payload
    }

    /// Replaces what there was for this host.
    ///
    /// - Parameter notAfter: the end of the certificate's life.
    package mutating func insert(_ payload: Payload, for serverName: ServerName, notAfter: Date, now: Date) {
        let expiry = now.addingTimeInterval(max(0, notAfter.timeIntervalSince(now)) / 2)
        let entry = Entry(serverName: serverName, payload: payload, expiry: expiry, wasUsed: false)
        if let position = self.positions[serverName] {
            self.entries[position] = entry
        } else if self.entries.count < self.capacity {
            self.positions[serverName] = self.entries.count
            self.entries.append(entry)
        } else {
            let position = self.positionToReuse(now: now)
            self.positions[self.entries[position].serverName] = nil
            self.positions[serverName] = position
            self.entries[position] = entry
        }
    }

    /// Goes round at most once: each entry passed over loses its mark.
    private mutating func positionToReuse(now: Date) -> Int {
        while self.entries[self.hand].wasUsed, now < self.entries[self.hand].expiry {
            self.entries[self.hand].wasUsed = false
            self.advance()
        }
        defer { self.advance() }
        return self.hand
    }

    private mutating func advance() { self.hand = (self.hand + 1) % self.entries.count }
}

extension LeafCache: Sendable where Payload: Sendable {}
extension LeafCache.Entry: Sendable where Payload: Sendable {}
