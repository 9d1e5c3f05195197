/// A set of known fields in one word; `other` is never a member.
package struct KnownFieldSet: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var bits: UInt64 = 0

    package init() {}

    package init(arrayLiteral fields: KnownField...) {
        for field in fields { insert(field) }
    }

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ field: KnownField) -> Bool {
        bits & Self.bit(field) != 0
    }

    package mutating func insert(_ field: KnownField) {
        bits |= Self.bit(field)
    }

    package mutating func remove(_ field: KnownField) {
        bits &= ~Self.bit(field)
    }

    package func union(_ other: KnownFieldSet) -> KnownFieldSet {
        var result = self
        result.bits |= other.bits
        return result
    }

    package func subtracting(_ other: KnownFieldSet) -> KnownFieldSet {
        var result = self
        result.bits &= ~other.bits
        return result
    }

    package func isDisjoint(with other: KnownFieldSet) -> Bool {
        bits & other.bits == 0
    }

    /// 0 for `other`, so that no set ever speaks of a field it cannot name.
    private static func bit(_ field: KnownField) -> UInt64 {
        1 << UInt64(field.rawValue) & ~1
    }
}
