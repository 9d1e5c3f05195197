/// Where one parameter stands in a ``ParameterList``'s octets: a name, `%3D`, a value, both encoded twice.
struct SignedParameter: Sendable {
    /// The first eight octets of the name as a big-endian number, zeros behind a shorter one: what usually decides the order.
    var prefix: UInt64
    var start: Int
    var nameCount: Int
    var count: Int
    var origin: ParameterOrigin

    var name: Range<Int> { start..<start + nameCount }
    var value: Range<Int> { start + nameCount + Self.separatorCount..<start + count }
    var pair: Range<Int> { start..<start + count }

    /// The octets of `%3D`.
    static let separatorCount = 3

    /// The order of RFC 5849 §3.4.1.3.2: by name, then by value, both as octets after encoding.
    ///
    /// The octets compared here are encoded twice, which changes no order: each `%` is followed by `25` in all of them.
    func precedes(_ other: SignedParameter, in octets: Span<UInt8>) -> Bool {
        if prefix != other.prefix { return prefix < other.prefix }
        switch Self.compare(name, other.name, in: octets) {
        case let order where order < 0: return true
        case 0: return Self.compare(value, other.value, in: octets) < 0
        default: return false
        }
    }

    private static func compare(_ left: Range<Int>, _ right: Range<Int>, in octets: Span<UInt8>) -> Int {
        for offset in 0..<min(left.count, right.count) {
            let (one, two) = (octets[left.lowerBound + offset], octets[right.lowerBound + offset])
            if one != two { return one < two ? -1 : 1 }
        }
        return left.count - right.count
    }

    /// ``prefix`` of the name at `range`.
    static func prefix(of range: Range<Int>, in octets: Span<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for offset in 0..<8 {
            prefix <<= 8
            if offset < range.count { prefix |= UInt64(octets[range.lowerBound + offset]) }
        }
        return prefix
    }
}
