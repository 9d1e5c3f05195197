import Bytes
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

/// The meaning of a name to a head (RFC 9113, sections 8.2.1 and 8.3).
enum FieldKind: UInt8, Sendable {
    case field, method, scheme, authority, path, status, unknownPseudo, malformed
}

/// The traits of a field line that are known once it was looked at. A table keeps it with the line, so that a field
/// which comes again costs no second look.
struct FieldTraits: Sendable {
    var kind: FieldKind
    var known: KnownField
    /// Indicates whether the value holds no control character but HTAB and no white space around it (RFC 9113, section
    /// 8.2.1).
    var isValueValid = true

    /// A pattern and not `==`, which is a call into the other module.
    var isKnown: Bool {
        if case .other = known { false } else { true }
    }

    init(kind: FieldKind, known: KnownField) {
        self.kind = kind
        self.known = known
    }

    init(name: Span<UInt8>) {
        self.known = .other
        if name.count > 0, name[0] == 0x3A {
            kind =
                switch name.count {
                case 5 where name.spells(":path"): .path
                case 7 where name.spells(":method"): .method
                case 7 where name.spells(":scheme"): .scheme
                case 7 where name.spells(":status"): .status
                case 10 where name.spells(":authority"): .authority
                default: .unknownPseudo
                }
        } else if let known = KnownFieldTable.shared.field(lowerCaseName: name) {
            kind = .field
            self.known = known
        } else {
            kind = .malformed
        }
    }

    static func isValid(value: Span<UInt8>) -> Bool {
        if value.isEmpty { return true }
        let first = value[0]
        let last = value[value.count &- 1]
        if first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 { return false }
        return ByteScan.firstControl(in: value, from: 0) == value.count
    }
}
