import HTTP1Codec

/// A field line `name: value` CR LF that a table holds.
struct TableEntry: Sendable {
    /// Where the line begins among the table's octets.
    var start: Int
    let nameLength: Int
    let valueLength: Int
    let traits: FieldTraits

    /// The size by which tables and header lists are measured (RFC 7541, section 4.1).
    var size: Int { self.nameLength + self.valueLength + 32 }
    var name: Range<Int> { self.start..<self.start + self.nameLength }
    var value: Range<Int> {
        let start = self.start + self.nameLength + 2
        return start..<start + self.valueLength
    }
    var line: Range<Int> { self.start..<self.start + self.nameLength + self.valueLength + 4 }
}
