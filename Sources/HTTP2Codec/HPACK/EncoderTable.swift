import HTTP1Codec

/// The dynamic table of an encoder, with the last value that was added for each name of the static table.
struct EncoderTable: Sendable {
    private struct Slot {
        /// The number of the addition to the table, from 1 on; 0 for none.
        var addition = 0
        /// The number of other values that pass before another is added.
        var skipsLeft: UInt8 = 0
    }

    /// Values that do not come again are not worth their room: one that was added stays the one of its name until so
    /// many others have come without it.
    private static let valuesToSkip: UInt8 = 8

    private var table = DynamicTable(maximumSize: 4_096)
    private var slots: [Slot] = []
    private var line = ByteStore()
    /// The smallest limit of the peer since the last block (RFC 7541, section 4.2).
    private var smallestLimit: Int?

    /// Takes over the peer's limit. Never more than the 4,096 bytes from which every connection starts are used.
    mutating func limit(_ bytes: Int) {
        let limit = min(bytes, 4_096)
        guard limit != table.maximumSize else { return }
        smallestLimit = min(limit, smallestLimit ?? limit)
        table.resize(limit)
    }

    /// Takes the limits that a block has to begin with: the smallest limit and the present one.
    mutating func takeSizeUpdates() -> (smallest: Int, last: Int)? {
        guard let smallest = smallestLimit else { return nil }
        smallestLimit = nil
        return (smallest, table.maximumSize)
    }

    /// The index of a field in the table.
    ///
    /// - Parameter name: The index of the name in the static table.
    /// - Returns: `nil` if the field is not there.
    mutating func index(name: Int, value: Span<UInt8>) -> Int? {
        if slots.isEmpty { return nil }
        let slot = slots[name]
        guard slot.addition > 0 else { return nil }
        let position = table.added - slot.addition
        guard let entry = table.entry(at: position),
            ByteCopying.isEqual(table.bytes.span.extracting(entry.value), value)
        else { return nil }
        slots[name].skipsLeft = Self.valuesToSkip
        return StaticTable.count + 1 + position
    }

    /// Adds a field that is not there, if it is worth it.
    ///
    /// - Returns: Whether the peer has to add it as well.
    mutating func adds(name: Int, value: Span<UInt8>) -> Bool {
        if slots.isEmpty { slots = [Slot](repeating: Slot(), count: StaticTable.count + 1) }
        guard slots[name].skipsLeft == 0 else {
            slots[name].skipsLeft -= 1
            return false
        }
        let nameBytes = StaticTable.shared.entries[name - 1].name
        let entry = TableEntry(
            start: 0,
            nameLength: nameBytes.count,
            valueLength: value.count,
            traits: StaticTable.shared.entries[name - 1].traits
        )
        guard entry.size <= table.maximumSize / 4 else { return false }
        line.removeAll(keepingAtMost: 512)
        line.append(nameBytes, of: StaticTable.shared.bytes)
        line.append(": ")
        line.append(value)
        line.append("\r\n")
        table.add(entry, of: line.bytes)
        slots[name] = Slot(addition: table.added, skipsLeft: Self.valuesToSkip)
        return true
    }
}
