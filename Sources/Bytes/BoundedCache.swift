/// A cache with a bound, whose entries may expire: the one that was used longest ago makes room for another.
///
/// The entries are linked in the order of use, so that nothing takes longer the more of them there are; those that have
/// expired leave as soon as they are met. Time is the caller's: `Instant` is `Never` where nothing expires.
///
/// Inlinable, since a look-up without the types of the module that asks takes several times as long.
@usableFromInline
package struct BoundedCache<Key: Hashable, Value, Instant: Comparable> {
    @usableFromInline
    struct Entry {
        @usableFromInline var value: Value
        /// The first instant at which it counts no more; nil: it does not expire.
        @usableFromInline var deadline: Instant?
        /// That of its link.
        @usableFromInline var place: Int

        @inlinable
        init(value: Value, deadline: Instant?, place: Int) {
            self.value = value
            self.deadline = deadline
            self.place = place
        }

        @inlinable
        func isExpired(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }
    }

    /// A key with the places of those that were used before and after it; nil at the ends.
    @usableFromInline
    struct Link {
        @usableFromInline var key: Key
        @usableFromInline var previous: Int?
        @usableFromInline var next: Int?

        @inlinable
        init(key: Key, previous: Int?) {
            self.key = key
            self.previous = previous
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline var entries: [Key: Entry] = [:]
    @usableFromInline var links: [Link] = []
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

    /// The values by their keys, with those that have expired since they were last met.
    package var all: [Key: Value] { entries.mapValues(\.value) }

    /// Returns a value without using it: its entry keeps its place in the order.
    @inlinable
    package func peek(_ key: Key, at now: Instant) -> Value? {
        guard let entry = entries[key], !entry.isExpired(at: now) else { return nil }
        return entry.value
    }

    /// Returns a value, and makes it the one that was used last.
    @inlinable
    package mutating func value(for key: Key, at now: Instant) -> Value? {
        guard let entry = entries[key] else { return nil }
        guard !entry.isExpired(at: now) else {
            remove(at: entry.place)
            return nil
        }
        moveToEnd(entry.place)
        return entry.value
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
        entries[key]?.value = value
    }

    @inlinable
    package mutating func removeValue(for key: Key) {
        if let entry = entries[key] { remove(at: entry.place) }
    }

    @inlinable
    package mutating func removeAll() {
        entries = [:]
        links = []
        oldest = nil
        latest = nil
    }

    // MARK: Order

    /// Removes entries that have expired, from the one used longest ago on; one behind another that stays, stays too.
    @inlinable
    mutating func removeExpired(at now: Instant) {
        while let oldest, entries[links[oldest].key]?.isExpired(at: now) == true { remove(at: oldest) }
    }

    @inlinable
    mutating func insert(_ value: Value, for key: Key, deadline: Instant?) {
        if let place = entries[key]?.place {
            entries[key] = Entry(value: value, deadline: deadline, place: place)
            return moveToEnd(place)
        }
        if entries.count >= limit, let oldest { remove(at: oldest) }
        let place = links.count
        entries[key] = Entry(value: value, deadline: deadline, place: place)
        links.append(Link(key: key, previous: latest))
        link(latest, to: place)
        latest = place
    }

    @inlinable
    mutating func moveToEnd(_ place: Int) {
        guard place != latest else { return }
        unlink(place)
        links[place].previous = latest
        links[place].next = nil
        link(latest, to: place)
        latest = place
    }

    /// The last link takes the place, so that there are no gaps.
    @inlinable
    mutating func remove(at place: Int) {
        unlink(place)
        entries[links[place].key] = nil
        let last = links.removeLast()
        guard place < links.count else { return }
        links[place] = last
        entries[last.key]?.place = place
        link(last.previous, to: place)
        if let next = last.next { links[next].previous = place } else { latest = place }
    }

    @inlinable
    mutating func unlink(_ place: Int) {
        let (previous, next) = (links[place].previous, links[place].next)
        if let next { links[next].previous = previous } else { latest = previous }
        if let previous { links[previous].next = next } else { oldest = next }
    }

    /// - Parameter previous: The place before it; nil: there is none.
    @inlinable
    mutating func link(_ previous: Int?, to place: Int) {
        if let previous { links[previous].next = place } else { oldest = place }
    }
}

extension BoundedCache where Instant == Never {
    /// Returns a value, and makes it the one that was used last.
    @inlinable
    package mutating func value(for key: Key) -> Value? {
        guard let entry = entries[key] else { return nil }
        moveToEnd(entry.place)
        return entry.value
    }

    /// Keeps a value in the place of an earlier one of the key, and makes it the one that was used last.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key) {
        insert(value, for: key, deadline: nil)
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable, Instant: Sendable {}
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable, Instant: Sendable {}
extension BoundedCache.Link: Sendable where Key: Sendable, Value: Sendable, Instant: Sendable {}
