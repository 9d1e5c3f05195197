/// The streams that are not closed, side by side in one array, with an index from stream numbers to places in it.
///
/// The numbers of one connection follow each other, so their low bits are a perfect hash until the table wraps. A peer
/// that picks numbers which collide gains little: it cannot have more streams at once than we allow.
struct StreamTable: Sendable {
    private var streams: [HTTP2Stream] = []
    /// Places in `streams`, probed linearly; -1 is free. Its size is a power of 2, and at least twice the streams.
    private var index = [Int32](repeating: -1, count: 16)

    var count: Int { streams.count }
    var places: Range<Int> { streams.indices }

    /// - Parameter place: One that `place(of:)` or `places` told, with no `insert` or `remove` in between.
    subscript(place: Int) -> HTTP2Stream {
        _read { yield streams[place] }
        _modify { yield &streams[place] }
    }

    func place(of streamID: HTTP2StreamID) -> Int? {
        var slot = slot(for: streamID)
        while index[slot] >= 0 {
            let place = Int(index[slot])
            if streams[place].streamID == streamID { return place }
            slot = (slot &+ 1) & (index.count &- 1)
        }
        return nil
    }

    /// Adds a stream whose number is not in the table.
    ///
    /// - Returns: Its place.
    @discardableResult
    mutating func insert(_ stream: HTTP2Stream) -> Int {
        streams.append(stream)
        if streams.count * 2 > index.count {
            rebuildIndex(count: index.count * 2)
        } else {
            enter(place: streams.count - 1)
        }
        return streams.count - 1
    }

    /// Takes a stream out; the last one moves to its place.
    mutating func remove(at place: Int) {
        vacate(slot(holding: place))
        let last = streams.count - 1
        if place < last {
            index[slot(holding: last)] = Int32(truncatingIfNeeded: place)
            streams.swapAt(place, last)
        }
        streams.removeLast()
    }

    private func slot(for streamID: HTTP2StreamID) -> Int {
        Int(streamID >> 1) & (index.count &- 1)
    }

    private func slot(holding place: Int) -> Int {
        var slot = slot(for: streams[place].streamID)
        while Int(index[slot]) != place { slot = (slot &+ 1) & (index.count &- 1) }
        return slot
    }

    private mutating func enter(place: Int) {
        var slot = slot(for: streams[place].streamID)
        while index[slot] >= 0 { slot = (slot &+ 1) & (index.count &- 1) }
        index[slot] = Int32(truncatingIfNeeded: place)
    }

    /// Frees a slot and moves later entries of its run forward, so that no search ends too early.
    private mutating func vacate(_ slot: Int) {
        let mask = index.count &- 1
        var free = slot
        var next = (slot &+ 1) & mask
        while index[next] >= 0 {
            let home = self.slot(for: streams[Int(index[next])].streamID)
            // An entry may move to the free slot unless its home lies behind that.
            if (next &- home) & mask >= (next &- free) & mask {
                index[free] = index[next]
                free = next
            }
            next = (next &+ 1) & mask
        }
        index[free] = -1
    }

    private mutating func rebuildIndex(count: Int) {
        index = [Int32](repeating: -1, count: count)
        for place in streams.indices { enter(place: place) }
    }
}

/// The last streams of one kind, in bounded memory: the oldest is forgotten for the newest.
struct RecentStreams: Sendable {
    private let capacity: Int
    private var streamIDs: [HTTP2StreamID] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    func contains(_ streamID: HTTP2StreamID) -> Bool {
        streamIDs.contains(streamID)
    }

    mutating func insert(_ streamID: HTTP2StreamID) {
        guard streamIDs.count == capacity else { return streamIDs.append(streamID) }
        streamIDs[oldest] = streamID
        oldest = (oldest + 1) % capacity
    }
}
