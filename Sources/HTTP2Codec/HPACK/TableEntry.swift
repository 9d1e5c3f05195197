import HTTP1Codec

/// A field line `name: value` CR LF and where it lies. Sixteen bytes, because a table keeps an array of them.
struct TableEntry: Sendable {
    private var start32: UInt32
    private let nameLength32: UInt32
    private let valueLength32: UInt32
    let traits: FieldTraits

    init(start: Int, nameLength: Int, valueLength: Int, traits: FieldTraits) {
        start32 = UInt32(start)
        nameLength32 = UInt32(nameLength)
        valueLength32 = UInt32(valueLength)
        self.traits = traits
    }

    /// The index at which the line begins among the bytes that it lies in.
    var start: Int {
        get { Int(start32) }
        set { start32 = UInt32(newValue) }
    }
    var nameLength: Int { Int(nameLength32) }
    var valueLength: Int { Int(valueLength32) }
    /// The size by which tables and header lists are measured (RFC 7541, section 4.1).
    var size: Int { nameLength &+ valueLength &+ 32 }
    var name: Range<Int> { start..<start &+ nameLength }
    var value: Range<Int> {
        let start = self.start &+ nameLength &+ 2
        return start..<start &+ valueLength
    }
    var line: Range<Int> { start..<start &+ nameLength &+ valueLength &+ 4 }
}
