import HTTP1Codec

/// Finds a field name in the static table.
struct StaticNames: Sendable {
    static let shared = StaticNames()

    /// The index for each known field, 0 where the table lacks it.
    private var indices = [UInt8](repeating: 0, count: 64)
    /// The index for each slot of the other names, 0 where it is free.
    private var slots = [UInt8](repeating: 0, count: 64)

    private init() {
        let table = StaticTable.shared
        for (position, entry) in table.entries.enumerated() where entry.traits.kind == .field {
            let index = UInt8(position + 1)
            if entry.traits.known != .other {
                self.indices[Int(entry.traits.known.rawValue)] = index
            } else {
                var slot = Self.slot(of: table.octets.span.extracting(entry.name))
                while self.slots[slot] != 0 { slot = (slot + 1) & 63 }
                self.slots[slot] = index
            }
        }
    }

    /// - Parameter name: In either case.
    /// - Returns: The index of the name, or 0.
    func index(of known: KnownField, name: Span<UInt8>) -> Int {
        if known != .other { return Int(self.indices[Int(known.rawValue)]) }
        if name.isEmpty { return 0 }
        let table = StaticTable.shared
        var slot = Self.slot(of: name)
        while true {
            let index = Int(self.slots[slot])
            if index == 0 { return 0 }
            let entry = table.entries[index - 1]
            if name.count == entry.nameLength, name.equalsIgnoringCase(table.octets.span.extracting(entry.name)) {
                return index
            }
            slot = (slot &+ 1) & 63
        }
    }

    /// The other names of the table have a slot each.
    private static func slot(of name: Span<UInt8>) -> Int {
        let last = Int(name[name.count &- 1] | 0x20)
        return (name.count &+ 4 &* last) & 63
    }
}
