/// The place of one parameter in a ``ParameterList``'s bytes: a name, `%3D`, a value, both encoded twice.
struct SignedParameter: Sendable {
    /// The first eight bytes of the name as a big-endian number, zeros behind a shorter one: what usually decides the
    /// order.
    let prefix: UInt64
    private(set) var start: Int
    let nameCount: Int
    let count: Int
    let origin: ParameterOrigin

    /// - Parameter prefix: The eight bytes at the beginning of the name, whether they are part of it or not.
    init(name: Range<Int>, end: Int, prefix: UInt64, origin: ParameterOrigin) {
        let surplus = 8 - min(name.count, 8)
        // A shift by all 64 bits leaves nothing, as it must.
        self.prefix = (prefix >> (8 * surplus)) << (8 * surplus)
        start = name.lowerBound
        nameCount = name.count
        count = end - name.lowerBound
        self.origin = origin
    }

    var name: Range<Int> { start..<start + nameCount }
    var value: Range<Int> { start + nameCount + Self.separatorCount..<start + count }
    var pair: Range<Int> { start..<start + count }

    /// The bytes of `%3D`.
    private static let separatorCount = 3

    /// The same parameter in a buffer where it stands so much further on.
    func moved(by offset: Int) -> SignedParameter {
        var moved = self
        moved.start += offset
        return moved
    }

    /// The order of RFC 5849, section 3.4.1.3.2: by name, then by value, both as bytes after encoding.
    ///
    /// The bytes compared here are encoded twice, which changes no order: each `%` is followed by `25` in all of them.
    @inline(__always)
    func precedes(_ other: SignedParameter, in bytes: Span<UInt8>) -> Bool {
        prefix == other.prefix ? precedesBehindPrefix(other, in: bytes) : prefix < other.prefix
    }

    private func precedesBehindPrefix(_ other: SignedParameter, in bytes: Span<UInt8>) -> Bool {
        let order = Self.compare(name, other.name, in: bytes)
        return order == 0 ? Self.compare(value, other.value, in: bytes) < 0 : order < 0
    }

    private static func compare(_ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>) -> Int {
        for offset in 0..<min(left.count, right.count) {
            let (one, two) = (bytes[left.lowerBound + offset], bytes[right.lowerBound + offset])
            if one != two { return one < two ? -1 : 1 }
        }
        return left.count - right.count
    }
}

/// The origin of a signed parameter (RFC 5849, section 3.4.1.3.1).
package enum ParameterOrigin: String, Sendable {
    case query
    case form
    /// The signer added the parameter, or it was read from the `Authorization` field.
    case `protocol`
}
