import HTTP1Codec

/// A field line `name: value` CR LF and where it lies. Sixteen bytes, because a table keeps an array of them.
struct TableEntry: Sendable {
    private var start32: UInt32
    private let nameLength32: UInt32
    private let valueLength32: UInt32
    let traits: FieldTraits

    init(start: Int, nameLength: Int, valueLength: Int, traits: FieldTraits) {
        self.start32 = UInt32(start)
        self.nameLength32 = UInt32(nameLength)
        self.valueLength32 = UInt32(valueLength)
        self.traits = traits
    }

    /// Where the line begins among the bytes that it lies in.
    var start: Int {
        get { Int(self.start32) }
        set { self.start32 = UInt32(newValue) }
    }
    var nameLength: Int { Int(self.nameLength32) }
    var valueLength: Int { Int(self.valueLength32) }
    /// The size by which tables and header lists are measured (RFC 7541, section 4.1).
    var size: Int { self.nameLength &+ self.valueLength &+ 32 }
    var name: Range<Int> { self.start..<self.start &+ self.nameLength }
    var value: Range<Int> {
        let start = self.start &+ self.nameLength &+ 2
        return start..<start &+ self.valueLength
    }
    var line: Range<Int> { self.start..<self.start &+ self.nameLength &+ self.valueLength &+ 4 }
}
