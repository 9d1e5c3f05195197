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
    var bytes: [UInt8] { self.lines.bytes }

    /// - Parameter position: 0 for the newest.
    /// - Returns: `nil` if there are not that many entries.
    @inline(__always)
    func entry(at position: Int) -> TableEntry? {
        guard position >= 0, position < self.count else { return nil }
        return self.ring[(self.oldest &+ self.count &- 1 &- position) & (self.ring.count &- 1)]
    }

    mutating func resize(_ maximumSize: Int) {
        self.maximumSize = maximumSize
        self.evict(downTo: maximumSize)
    }

    /// Adds an entry and evicts what it displaces; one that is larger than the table leaves the table empty (RFC 7541,
    /// section 4.4).
    ///
    /// - Parameter bytes: Where the entry's line lies.
    mutating func add(_ entry: TableEntry, of bytes: [UInt8]) {
        self.evict(downTo: self.maximumSize - entry.size)
        guard entry.size <= self.maximumSize else { return }
        let line = bytes.span.extracting(entry.line)
        self.makeRoom(for: line.count)
        if self.count == self.ring.count { self.growRing() }
        var own = entry
        own.start = self.lines.count
        self.lines.append(line)
        self.ring[(self.oldest &+ self.count) & (self.ring.count &- 1)] = own
        self.count += 1
        self.added += 1
        self.size += entry.size
    }

    private mutating func evict(downTo bound: Int) {
        while self.count > 0, self.size > bound {
            self.size -= self.ring[self.oldest].size
            self.oldest = (self.oldest &+ 1) & (self.ring.count &- 1)
            self.count -= 1
        }
    }

    /// Moves the living lines to the front once the dead ones before them take as much room, so that each byte that is
    /// added pays for moving one.
    private mutating func makeRoom(for more: Int) {
        guard self.lines.count + more > self.lines.bytes.count else { return }
        let dead = self.count > 0 ? self.ring[self.oldest].start : self.lines.count
        guard 2 * dead >= self.lines.count else { return }
        self.lines.dropFirst(dead)
        for position in 0..<self.count {
            self.ring[(self.oldest &+ position) & (self.ring.count &- 1)].start -= dead
        }
    }

    private mutating func growRing() {
        var ring: [TableEntry] = []
        ring.reserveCapacity(max(8, 2 * self.ring.count))
        for position in 0..<self.count { ring.append(self.ring[(self.oldest &+ position) & (self.ring.count &- 1)]) }
        let filler = TableEntry(
            start: 0,
            nameLength: 0,
            valueLength: 0,
            traits: FieldTraits(kind: .malformed, known: .other)
        )
        while ring.count < max(8, 2 * self.ring.count) { ring.append(filler) }
        self.ring = ring
        self.oldest = 0
    }
}
