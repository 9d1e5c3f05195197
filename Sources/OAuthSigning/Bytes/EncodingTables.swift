import Bytes

/// RFC 3986 percent-encoding as RFC 5849, section 3.6 narrows it: everything but the unreserved characters is escaped,
/// with upper-case digits.
enum EncodingTables {
    /// The bytes that each byte becomes: up to seven bytes in the low bytes of a word, first byte lowest, and their
    /// number in the highest byte.  One store and one addition write them, without a branch.
    typealias Table = [UInt64]

    /// The bytes that one byte becomes at most.
    static let longest = 5

    /// The table that encodes once, as in the `Authorization` field.
    static let single: Table = table { PercentEncoding.isUnreserved($0) ? [$0] : escaped($0) }

    /// The table that encodes twice, as a parameter stands in the signature base string: once for itself (RFC 5849,
    /// section 3.4.1.3.2), once with the whole normalized list (RFC 5849, section 3.4.1.1).
    static let double: Table = table { byte in
        PercentEncoding.isUnreserved(byte) ? [byte] : escaped(UInt8(ascii: "%")) + escaped(byte).dropFirst()
    }

    /// The entries of ``double`` for what stands for itself in a form, zero for `&`, `=`, `+` and `%`.
    static let plainOfForm: Table = zip(UInt8.min...UInt8.max, double).map { "&=+%".utf8.contains($0) ? 0 : $1 }

    /// The table that encodes the lower-case letter once, as ``single`` does: for the host.
    static let singleLowercased: Table = table { PercentEncoding.isUnreserved($0) ? [$0.lowercasedASCII] : escaped($0) }

    /// The table that encodes the upper-case letter once, as ``single`` does: for the method.
    static let singleUppercased: Table = table { PercentEncoding.isUnreserved($0) ? [$0.uppercasedASCII] : escaped($0) }

    /// `bytes` in the layout of a ``Table``'s entries. At most seven.
    static func word(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << (8 * count)
            count += 1
        }
        return word | count << 56
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        var escaped = [UInt8(ascii: "%")]
        Hexadecimal.append(byte, uppercase: true, to: &escaped)
        return escaped
    }

    private static func table(_ encode: (UInt8) -> [UInt8]) -> Table {
        (UInt8.min...UInt8.max).map { word(encode($0)) }
    }
}

extension EncodingTables {
    /// No fewer than the bytes that `bytes` take when they are encoded twice; counted only where a guess would be
    /// dear.
    static func bound(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count > 4096 else { return longest * bytes.count }
        var bound = 0
        for index in bytes.indices { bound += PercentEncoding.isUnreserved(bytes[index]) ? 1 : longest }
        return bound
    }
}
