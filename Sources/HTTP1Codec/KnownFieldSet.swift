/// A set of known fields in one word; `other` is never a member.
package struct KnownFieldSet: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var bits: UInt64 = 0

    package init() {}

    package init(arrayLiteral fields: KnownField...) {
        for field in fields { self.insert(field) }
    }

    package var isEmpty: Bool { self.bits == 0 }

    package func contains(_ field: KnownField) -> Bool {
        self.bits & Self.bit(field) != 0
    }

    package mutating func insert(_ field: KnownField) {
        self.bits |= Self.bit(field)
    }

    package mutating func remove(_ field: KnownField) {
        self.bits &= ~Self.bit(field)
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
        self.bits & other.bits == 0
    }

    /// 0 for `other`, so that no set ever speaks of a field it cannot name.
    private static func bit(_ field: KnownField) -> UInt64 {
        1 << UInt64(field.rawValue) & ~1
    }
}
