/// The literal field that is being read, as a line like those of the tables.
struct LiteralField: Sendable {
    private var line = ByteStore()

    /// The bytes that the line lies in.
    var bytes: [UInt8] { line.bytes }

    /// Gives back the storage of a large field.
    mutating func reset() {
        line.removeAll(keepingAtMost: 1_024)
    }

    /// Reads what follows the index of the name.
    ///
    /// - Parameters:
    ///   - name: The entry that has the name, or `nil` if a literal has it.
    ///   - table: The table in which that entry lies.
    /// - Returns: The entry of the line in `bytes`.
    mutating func read(
        _ bytes: Span<UInt8>,
        at position: inout Int,
        name: TableEntry?,
        of table: [UInt8]
    ) throws(HeaderBlockError) -> TableEntry {
        let newName = name == nil ? try StringLiteral(bytes, at: &position) : nil
        let value = try StringLiteral(bytes, at: &position)
        var nameLength = 0
        var valueLength = 0
        let most = (name?.nameLength ?? 0) + (newName?.mostBytes ?? 0) + value.mostBytes + 4
        self.line.removeAll(keepingAtMost: .max)
        try self.line.append(atMost: most) { (target, end) throws(HeaderBlockError) in
            if let name { ByteCopying.copy(table.span.extracting(name.name), to: &target, at: &end) }
            if let newName { try newName.write(from: bytes, to: &target, at: &end) }
            nameLength = end
            target[end] = 0x3A
            target[end &+ 1] = 0x20
            end &+= 2
            try value.write(from: bytes, to: &target, at: &end)
            valueLength = end &- nameLength &- 2
            target[end] = 0x0D
            target[end &+ 1] = 0x0A
            end &+= 2
        }
        let line = self.line.bytes
        var traits = name?.traits ?? FieldTraits(name: line.span.extracting(0..<nameLength))
        traits.isValueValid = FieldTraits.isValid(
            value: line.span.extracting(nameLength &+ 2..<nameLength &+ 2 &+ valueLength)
        )
        return TableEntry(start: 0, nameLength: nameLength, valueLength: valueLength, traits: traits)
    }
}

/// The place of a string literal in a block, and how it is coded (RFC 7541, section 5.2).
struct StringLiteral {
    let range: Range<Int>
    let isHuffmanCoded: Bool

    /// Finds the literal at a position and moves the position behind it.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at position: inout Int) throws(HeaderBlockError) {
        guard position < bytes.count else { throw .compression }
        isHuffmanCoded = bytes[position] & 0x80 != 0
        let length = try PrefixedInteger.read(bytes, at: &position, prefixBits: 7)
        guard length <= bytes.count &- position else { throw .compression }
        range = position..<position &+ length
        position &+= length
    }

    /// The bytes that `write` needs room for.
    var mostBytes: Int {
        isHuffmanCoded ? HuffmanCode.mostBytes(of: range.count) : range.count
    }

    /// Writes what the literal says.
    @inline(__always)
    func write(
        from bytes: Span<UInt8>,
        to target: inout MutableSpan<UInt8>,
        at end: inout Int
    ) throws(HeaderBlockError) {
        let coded = bytes.extracting(range)
        if isHuffmanCoded {
            try HuffmanCode.shared.decode(coded, into: &target, at: &end)
        } else {
            ByteCopying.copy(coded, to: &target, at: &end)
        }
    }
}
