import HTTP1Codec

/// The dynamic table of one direction (RFC 7541, section 2.3.2): the lines of its entries one behind the other in one
/// store, the newest last.
struct DynamicTable: Sendable {
    private var lines = ByteStore()
    /// A ring whose capacity is a power of two.
    private var ring: [TableEntry] = []
    private var oldest = 0
    private(set) var count = 0
    /// The sum of the entries' sizes.
    private(set) var size = 0
    private(set) var maximumSize: Int
    /// Entries that were ever added. Entry n of these has the index 61 + `added` - n, as long as it lives.
    private(set) var added = 0

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// The bytes in which the entries lie.
    var bytes: [UInt8] { lines.bytes }

    /// - Parameter position: 0 for the newest.
    /// - Returns: `nil` if there are not that many entries.
    @inline(__always)
    func entry(at position: Int) -> TableEntry? {
        guard position >= 0, position < count else { return nil }
        return ring[(oldest &+ count &- 1 &- position) & (ring.count &- 1)]
    }

    mutating func resize(_ maximumSize: Int) {
        self.maximumSize = maximumSize
        evict(downTo: maximumSize)
    }

    /// Adds an entry and evicts what it displaces; one that is larger than the table leaves the table empty (RFC 7541,
    /// section 4.4).
    ///
    /// - Parameter bytes: Where the entry's line lies.
    mutating func add(_ entry: TableEntry, of bytes: [UInt8]) {
        evict(downTo: maximumSize - entry.size)
        guard entry.size <= maximumSize else { return }
        let line = bytes.span.extracting(entry.line)
        makeRoom(for: line.count)
        if count == ring.count { growRing() }
        var own = entry
        own.start = lines.count
        lines.append(line)
        ring[(oldest &+ count) & (ring.count &- 1)] = own
        count += 1
        added += 1
        size += entry.size
    }

    private mutating func evict(downTo bound: Int) {
        while count > 0, size > bound {
            size -= ring[oldest].size
            oldest = (oldest &+ 1) & (ring.count &- 1)
            count -= 1
        }
    }

    /// Moves the living lines to the front once the dead ones before them take as much room, so that each byte that is
    /// added pays for moving one.
    private mutating func makeRoom(for more: Int) {
        guard lines.count + more > lines.bytes.count else { return }
        let dead = count > 0 ? ring[oldest].start : lines.count
        guard 2 * dead >= lines.count else { return }
        lines.dropFirst(dead)
        for position in 0..<count {
            ring[(oldest &+ position) & (ring.count &- 1)].start -= dead
        }
    }

    private mutating func growRing() {
        var ring: [TableEntry] = []
        ring.reserveCapacity(max(8, 2 * self.ring.count))
        for position in 0..<count { ring.append(self.ring[(oldest &+ position) & (self.ring.count &- 1)]) }
        let filler = TableEntry(
            start: 0,
            nameLength: 0,
            valueLength: 0,
            traits: FieldTraits(kind: .malformed, known: .other)
        )
        while ring.count < max(8, 2 * self.ring.count) { ring.append(filler) }
        self.ring = ring
        oldest = 0
    }
}
