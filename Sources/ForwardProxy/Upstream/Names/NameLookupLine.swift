import NIOCore

/// The look-ups of one holder that wait for a thread, the first one first. One that leaves from the middle costs no
/// walk along the others: a client that goes may have thousands.
struct NameLookupLine {
    private var names: [UInt64: LookedUpName] = [:]
    /// In their order, the first one taken. Those that left from the middle are among them for a while.
    private var places: CircularBuffer<UInt64> = []

    var count: Int { names.count }

    var isEmpty: Bool { names.isEmpty }

    var first: (name: LookedUpName, place: UInt64)? {
        guard let place = places.first, let name = names[place] else { return nil }
        return (name, place)
    }

    /// - Parameter place: Above all others that were given.
    mutating func append(_ name: LookedUpName, at place: UInt64) {
        names[place] = name
        places.append(place)
    }

    mutating func remove(_ place: UInt64) {
        names[place] = nil
        while let first = places.first, names[first] == nil { places.removeFirst() }
        if places.count > 2 * names.count + 16 { places.removeAll { names[$0] == nil } }
    }
}
