/// RFC 3986 percent-encoding as RFC 5849 §3.6 narrows it: everything but the unreserved characters is escaped, with
/// upper-case digits.
enum PercentEncoding {
    /// What each octet becomes: up to seven octets in the low bytes of a word, first octet lowest, and their number in
    /// the highest byte. One store and one addition write it, without a branch.
    typealias Table = [UInt64]

    /// The octets that one octet becomes at most.
    static let longest = 5

    /// Encoded once, as in the `Authorization` field.
    static let single: Table = table { isUnreserved($0) ? [$0] : escaped($0) }

    /// Encoded twice, as a parameter stands in the signature base string: once for itself (§3.4.1.3.2), once with the
    /// whole normalized list (§3.4.1.1).
    static let double: Table = table { octet in
        isUnreserved(octet) ? [octet] : escaped(UInt8(ascii: "%")) + escaped(octet).dropFirst()
    }

    /// As ``double`` for what stands for itself in a form, zero for `&`, `=`, `+` and `%`.
    static let plainOfForm: Table = zip(UInt8.min...UInt8.max, double).map { "&=+%".utf8.contains($0) ? 0 : $1 }

    /// As ``single``, of the lower-case letter: for the host.
    static let singleLowercased: Table = table { isUnreserved($0) ? [$0.lowercasedASCII] : escaped($0) }

    /// As ``single``, of the upper-case letter: for the method.
    static let singleUppercased: Table = table { isUnreserved($0) ? [$0.uppercasedASCII] : escaped($0) }

    /// RFC 3986 §2.3.
    static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// `octets` in the layout of a ``Table``'s entries. At most seven.
    static func word(_ octets: some Sequence<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var count: UInt64 = 0
        for octet in octets {
            word |= UInt64(octet) << (8 * count)
            count += 1
        }
        return word | count << 56
    }

    private static func escaped(_ octet: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
    }

    private static func table(_ encode: (UInt8) -> [UInt8]) -> Table {
        (UInt8.min...UInt8.max).map { word(encode($0)) }
    }
}

extension PercentEncoding {
    /// No fewer than the octets that `octets` take when they are encoded twice; counted only where a guess would be
    /// dear.
    static func bound(_ octets: Span<UInt8>) -> Int {
        guard octets.count > 4096 else { return longest * octets.count }
        var bound = 0
        for index in octets.indices { bound += isUnreserved(octets[index]) ? 1 : longest }
        return bound
    }

    /// `octets` encoded once.
    static func encode(_ octets: some Sequence<UInt8>) -> [UInt8] {
        var buffer = OctetBuffer(capacity: 64)
        let octets = Array(octets)
        buffer.append(encoding: octets.span, with: single)
        return buffer.takeOctets()
    }

    /// Undoes ``encode(_:)``: each well-formed triplet becomes its octet, anything else stays as it is.
    /// - Parameter plusIsSpace: also undo what forms do to spaces.
    static func decode(_ octets: Span<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(octets.count)
        var position = 0
        while position < octets.count {
            decoded.append(octets.percentDecoded(at: &position, plusIsSpace: plusIsSpace))
        }
        return decoded
    }
}

extension Span<UInt8> {
    /// The octet that begins at `position`, which is moved past it. A `%` that two hexadecimal digits do not follow is
    /// itself.
    @inline(__always)
    func percentDecoded(at position: inout Int, plusIsSpace: Bool) -> UInt8 {
        let octet = self[position]
        position += 1
        if octet == UInt8(ascii: "%"), position + 1 < count,
            let high = self[position].hexadecimalValue, let low = self[position + 1].hexadecimalValue
        {
            position += 2
            return high << 4 | low
        }
        return plusIsSpace && octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet
    }
}
