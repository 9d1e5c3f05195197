/// A cache with a bound, whose entries may expire: the one that was used longest ago makes room for another.
///
/// The entries are linked in the order of use, so that nothing takes longer the more of them there are; those that have
/// expired leave as soon as they are met. Time is the caller's: `Instant` is `Never` where nothing expires.
///
/// Inlinable, since a look-up without the types of the module that asks takes several times as long.
package struct BoundedCache<Key: Hashable, Value, Instant: Comparable> {
    @usableFromInline
    struct Entry {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        /// The first instant at which it counts no more; nil: it does not expire.
        @usableFromInline var deadline: Instant?
        /// The entries that were used before and after it, by their places; nil at the ends.
        @usableFromInline var previous: Int?
        @usableFromInline var next: Int?

        @inlinable
        init(key: Key, value: Value, deadline: Instant?, previous: Int?) {
            self.key = key
            self.value = value
            self.deadline = deadline
            self.previous = previous
        }

        @inlinable
        func isExpired(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }
    }

    @usableFromInline let limit: Int
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var places: [Key: Int] = [:]
    @usableFromInline var oldest: Int?
    @usableFromInline var latest: Int?

    /// - Parameter limit: The largest number of entries, at least 1.
    @inlinable
    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of entries, with those that have expired since they were last met.
    @inlinable
    package var count: Int { entries.count }

    @inlinable
    package var isEmpty: Bool { entries.isEmpty }

    /// Returns a value without using it: its entry keeps its place in the order.
    @inlinable
    package func peek(_ key: Key, at now: Instant) -> Value? {
        guard let place = places[key], !entries[place].isExpired(at: now) else { return nil }
        return entries[place].value
    }

    /// Returns a value, and makes it the one that was used last.
    @inlinable
    package mutating func value(for key: Key, at now: Instant) -> Value? {
        guard let place = places[key] else { return nil }
        guard !entries[place].isExpired(at: now) else {
            remove(at: place)
            return nil
        }
        moveToEnd(place)
        return entries[place].value
    }

    /// Indicates whether a further entry would push one out that has not expired.
    @inlinable
    package mutating func isFull(at now: Instant) -> Bool {
        removeExpired(at: now)
        return entries.count >= limit
    }

    /// Keeps a value in the place of an earlier one of the key, and makes it the one that was used last.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key, until deadline: Instant, at now: Instant) {
        removeExpired(at: now)
        insert(value, for: key, deadline: deadline)
    }

    /// Changes a value that is there; its entry keeps its place in the order, and its time.
    @inlinable
    package mutating func replaceValue(_ value: Value, for key: Key) {
        if let place = places[key] { entries[place].value = value }
    }

    @inlinable
    package mutating func removeValue(for key: Key) {
        if let place = places[key] { remove(at: place) }
    }

    @inlinable
    package mutating func removeAll() {
        entries = []
        places = [:]
        oldest = nil
        latest = nil
    }

    // MARK: Order

    /// Those that were used longest ago; one that expires before others that stand before it stays until they go.
    @inlinable
    mutating func removeExpired(at now: Instant) {
        while let place = oldest, entries[place].isExpired(at: now) { remove(at: place) }
    }

    @inlinable
    mutating func insert(_ value: Value, for key: Key, deadline: Instant?) {
        if let place = places[key] {
            entries[place].value = value
            entries[place].deadline = deadline
            return moveToEnd(place)
        }
        if entries.count >= limit, let oldest { remove(at: oldest) }
        let place = entries.count
        entries.append(Entry(key: key, value: value, deadline: deadline, previous: latest))
        places[key] = place
        link(latest, to: place)
        latest = place
    }

    @inlinable
    mutating func moveToEnd(_ place: Int) {
        guard place != latest else { return }
        unlink(place)
        entries[place].previous = latest
        entries[place].next = nil
        link(latest, to: place)
        latest = place
    }

    /// The last entry takes the place, so that there are no gaps.
    @inlinable
    mutating func remove(at place: Int) {
        unlink(place)
        places[entries[place].key] = nil
        let last = entries.removeLast()
        guard place < entries.count else { return }
        entries[place] = last
        places[last.key] = place
        link(last.previous, to: place)
        if let next = last.next { entries[next].previous = place } else { latest = place }
    }

    @inlinable
    mutating func unlink(_ place: Int) {
        let (previous, next) = (entries[place].previous, entries[place].next)
        if let next { entries[next].previous = previous } else { latest = previous }
        if let previous { entries[previous].next = next } else { oldest = next }
    }

    /// - Parameter previous: Nil: there is none before.
    @inlinable
    mutating func link(_ previous: Int?, to place: Int) {
        if let previous { entries[previous].next = place } else { oldest = place }
    }
}

extension BoundedCache where Instant == Never {
    /// Returns a value, and makes it the one that was used last.
    @inlinable
    package mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        moveToEnd(place)
        return entries[place].value
    }

    /// Keeps a value in the place of an earlier one of the key, and makes it the one that was used last.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key) {
        insert(value, for: key, deadline: nil)
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable, Instant: Sendable {}
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable, Instant: Sendable {}
