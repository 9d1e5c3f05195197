/// The streams that are not closed, side by side in one array, with an index from stream numbers to places in it.
///
/// The numbers of one connection follow each other, so their low bits are a perfect hash until the table wraps. A peer
/// that picks numbers which collide gains little: it cannot have more streams at once than we allow.
struct StreamTable: Sendable {
    private var streams: [HTTP2Stream] = []
    /// Places in `streams`, probed linearly; -1 is free. Its size is a power of 2, and at least twice the streams.
    private var index = [Int32](repeating: -1, count: 16)

    var count: Int { self.streams.count }
    var places: Range<Int> { self.streams.indices }

    /// - Parameter place: From `place(of:)` or `places`, with no `insert` or `remove` in between.
    subscript(place: Int) -> HTTP2Stream {
        _read { yield self.streams[place] }
        _modify { yield &self.streams[place] }
    }

    func place(of streamID: HTTP2StreamID) -> Int? {
        var slot = self.slot(for: streamID)
        while self.index[slot] >= 0 {
            let place = Int(self.index[slot])
            if self.streams[place].streamID == streamID { return place }
            slot = (slot &+ 1) & (self.index.count &- 1)
        }
        return nil
    }

    /// Adds a stream whose number is not in the table.
    ///
    /// - Returns: Its place.
    @discardableResult
    mutating func insert(_ stream: HTTP2Stream) -> Int {
        self.streams.append(stream)
        if self.streams.count * 2 > self.index.count {
            self.rebuildIndex(count: self.index.count * 2)
        } else {
            self.enter(place: self.streams.count - 1)
        }
        return self.streams.count - 1
    }

    /// Takes a stream out; the last one moves to its place.
    mutating func remove(at place: Int) {
        self.vacate(self.slot(holding: place))
        let last = self.streams.count - 1
        if place < last {
            self.index[self.slot(holding: last)] = Int32(truncatingIfNeeded: place)
            self.streams.swapAt(place, last)
        }
        self.streams.removeLast()
    }

    private func slot(for streamID: HTTP2StreamID) -> Int {
        Int(streamID >> 1) & (self.index.count &- 1)
    }

    private func slot(holding place: Int) -> Int {
        var slot = self.slot(for: self.streams[place].streamID)
        while Int(self.index[slot]) != place { slot = (slot &+ 1) & (self.index.count &- 1) }
        return slot
    }

    private mutating func enter(place: Int) {
        var slot = self.slot(for: self.streams[place].streamID)
        while self.index[slot] >= 0 { slot = (slot &+ 1) & (self.index.count &- 1) }
        self.index[slot] = Int32(truncatingIfNeeded: place)
    }

    /// Frees a slot and moves later entries of its run forward, so that no search ends too early.
    private mutating func vacate(_ slot: Int) {
        let mask = self.index.count &- 1
        var free = slot
        var next = (slot &+ 1) & mask
        while self.index[next] >= 0 {
            let home = self.slot(for: self.streams[Int(self.index[next])].streamID)
            // An entry may move to the free slot unless its home lies behind that.
            if (next &- home) & mask >= (next &- free) & mask {
                self.index[free] = self.index[next]
                free = next
            }
            next = (next &+ 1) & mask
        }
        self.index[free] = -1
    }

    private mutating func rebuildIndex(count: Int) {
        self.index = [Int32](repeating: -1, count: count)
        for place in self.streams.indices { self.enter(place: place) }
    }
}
