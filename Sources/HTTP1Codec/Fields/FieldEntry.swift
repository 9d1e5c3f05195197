import Bytes

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
        table: borrowing KnownFieldTable = .shared
    ) throws(MessageError) {
        guard !bytes[line.lowerBound].isOptionalWhitespace else { throw .foldedField }
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
        while start < end, bytes[start].isOptionalWhitespace { start &+= 1 }
        while end > start, bytes[end &- 1].isOptionalWhitespace { end &-= 1 }
        lineStart32 = UInt32(truncatingIfNeeded: line.lowerBound)
        valueStart32 = UInt32(truncatingIfNeeded: start)
        valueEnd32 = UInt32(truncatingIfNeeded: end)
        lineEnd32 = lineEnd
        nameLength16 = nameLength
        known = table.field(for: key)
    }
}

/// The places of a line's name and value among the bytes that it was read from.
package struct FieldPlace: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>
    package let known: KnownField
    /// The raw value of `known`, for tables.
    package let knownNumber: Int

    init(name: Range<Int>, value: Range<Int>, known: KnownField) {
        self.name = name
        self.value = value
        self.known = known
        knownNumber = Int(known.rawValue)
    }
}

/// The lengths that make up one line `name: value` CR LF of a section that was put into the form of HTTP/1.1.
package struct FieldLayout: Sendable {
    let valueLength: UInt32
    let nameLength: UInt16
    let known: KnownField

    package init(nameLength: UInt16, valueLength: UInt32, known: KnownField) {
        self.valueLength = valueLength
        self.nameLength = nameLength
        self.known = known
    }
}
