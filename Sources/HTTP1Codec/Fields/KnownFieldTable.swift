/// Finds the known field of a name: one multiplication, and one comparison for almost every name.
package struct KnownFieldTable: Sendable {
    private struct Slot {
        var key = FieldNameKey()
        var field = KnownField.other
    }

    package static let shared = KnownFieldTable()

    private var slots = [Slot](repeating: Slot(), count: 128)

    private init() {
        for field in KnownField.allCases where field != .other {
            let key = FieldNameKey(field.name)
            var index = key.slot
            while slots[index].field != .other { index = (index + 1) & 127 }
            slots[index] = Slot(key: key, field: field)
        }
    }

    /// The field of a name in lower case.
    ///
    /// - Returns: `nil` if the bytes are no token, or hold a capital letter.
    package func field(lowerCaseName name: Span<UInt8>) -> KnownField? {
        if name.isEmpty { return nil }
        var key = FieldNameKey()
        for index in name.indices {
            let byte = name[index]
            guard byte.foldedToken == byte, byte != 0 else { return nil }
            key.append(byte)
        }
        return field(for: key)
    }

    /// Probing ends because most slots are free.
    func field(for key: FieldNameKey) -> KnownField {
        var index = key.slot
        while slots[index].field != .other {
            if slots[index].key == key { return slots[index].field }
            index = (index + 1) & 127
        }
        return .other
    }
}

/// A field name of at most 32 bytes, folded to lower case and packed, so that two names compare in five words.
///
/// The key is exact: two names have one key only when they are the same name (RFC 9110, section 5.1). A longer name
/// has a key that equals no known field's, because its length is kept.
struct FieldNameKey: Equatable, Sendable {
    private(set) var length = 0
    private var word0: UInt64 = 0
    private var word1: UInt64 = 0
    private var word2: UInt64 = 0
    private var word3: UInt64 = 0

    init() {}

    init(_ name: String) {
        for byte in name.utf8 { append(byte.foldedToken) }
    }

    /// Appends the folded bytes that ``ByteScan/foldedName(in:at:)`` found. What is there already must be a multiple
    /// of eight.
    mutating func append(_ word: UInt64, count: Int) {
        if count == 0 { return }
        word3 = word2
        word2 = word1
        word1 = word0
        word0 = word
        length &+= count
    }

    /// Appends one byte that is already folded.
    mutating func append(_ folded: UInt8) {
        if length & 7 == 0 {
            word3 = word2
            word2 = word1
            word1 = word0
            word0 = 0
        }
        word0 = word0 << 8 | UInt64(folded)
        length &+= 1
    }

    /// Seven bits that spread the known names well; not meant to resist anyone, since every hit is compared in full.
    var slot: Int {
        let mixed = (word0 ^ word1 &+ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 57)
    }
}
