/// The place of one field line in its section's bytes. Twenty bytes, because a head keeps an array of them.
struct FieldEntry: Sendable {
    private var lineStart32: UInt32
    private var valueStart32: UInt32
    private var valueEnd32: UInt32
    private var lineEnd32: UInt32
    private var nameLength16: UInt16
    let known: KnownField
    /// Indicates whether a `Connection` field names this one, which ends its journey here (RFC 9110, section 7.6.1).
    var isNominated = false

    /// The line with its CR LF.
    var line: Range<Int> { Int(lineStart32)..<Int(lineEnd32) }
    var name: Range<Int> { Int(lineStart32)..<Int(lineStart32) &+ Int(nameLength16) }
    /// The value without the white space around it.
    var value: Range<Int> { Int(valueStart32)..<Int(valueEnd32) }

    /// A line `name: value` CR LF.
    init(lineStart: Int, layout: FieldLayout) {
        let start = UInt32(lineStart)
        lineStart32 = start
        valueStart32 = start + UInt32(layout.nameLength) + 2
        valueEnd32 = valueStart32 + layout.valueLength
        lineEnd32 = valueEnd32 + 2
        nameLength16 = layout.nameLength
        known = layout.known
    }

    /// Reads `field-name ":" OWS field-value OWS` (RFC 9112, section 5).
    ///
    /// - Parameters:
    ///   - line: A line that holds no control character but HTAB, and is not empty.
    ///   - table: The shared one, from whoever reads many lines: it takes long to ask for.
    init(
        line: Range<Int>,
        of bytes: Span<UInt8>,
        table: KnownFieldTable = .shared
    ) throws(MessageError) {
        guard !bytes[line.lowerBound].isWhitespace else { throw .foldedField }
        var key = FieldNameKey()
        var nameEnd = line.lowerBound
        // Nearly every name is found so, eight bytes at a step; a line ends with what no name holds.
        var run: (word: UInt64, count: Int)
        repeat {
            run = ByteScan.foldedName(in: bytes, at: nameEnd)
            key.append(run.word, count: run.count)
            nameEnd &+= run.count
        } while run.count == 8
        while nameEnd < line.upperBound {
            let folded = bytes[nameEnd].foldedToken
            if folded == 0 { break }
            key.append(folded)
            nameEnd &+= 1
        }
        guard nameEnd < line.upperBound, bytes[nameEnd] == 0x3A, nameEnd > line.lowerBound else {
            throw .fieldNameMalformed
        }
        guard let nameLength = UInt16(exactly: key.length), let lineEnd = UInt32(exactly: line.upperBound &+ 2) else {
            throw .headerTooLarge
        }
        var start = nameEnd &+ 1
        var end = line.upperBound
        while start < end, bytes[start].isWhitespace { start &+= 1 }
        while end > start, bytes[end &- 1].isWhitespace { end &-= 1 }
        lineStart32 = UInt32(truncatingIfNeeded: line.lowerBound)
        valueStart32 = UInt32(truncatingIfNeeded: start)
        valueEnd32 = UInt32(truncatingIfNeeded: end)
        lineEnd32 = lineEnd
        nameLength16 = nameLength
        known = table.field(for: key)
    }
}
