/// The integers of HPACK (RFC 7541, section 5.1): a prefix in the low bits of one octet, then seven bits an octet.
enum PrefixedInteger {
    /// Reads an integer and moves the position behind it.
    ///
    /// - Throws: `compression` if the block ends inside, or the integer needs more than 28 bits behind its prefix or
    ///   more octets than those: no table and no string of ours is that large.
    static func read(
        _ octets: Span<UInt8>,
        at position: inout Int,
        prefixBits: Int
    ) throws(HeaderBlockError) -> Int {
        guard position < octets.count else { throw .compression }
        let mask = UInt8(truncatingIfNeeded: 1 << prefixBits &- 1)
        let prefix = octets[position] & mask
        position &+= 1
        if prefix < mask { return Int(prefix) }
        var value = Int(prefix)
        var shift = 0
        while shift < 28 {
            guard position < octets.count else { throw .compression }
            let octet = octets[position]
            position &+= 1
            value &+= Int(octet & 0x7F) << shift
            if octet < 0x80 { return value }
            shift &+= 7
        }
        throw .compression
    }

    /// Appends an integer.
    ///
    /// - Parameter flags: The bits of the first octet above the prefix.
    static func write(_ value: Int, prefixBits: Int, flags: UInt8, into output: inout OctetStore) {
        let mask = 1 << prefixBits - 1
        if value < mask {
            output.append(flags | UInt8(value))
            return
        }
        output.append(flags | UInt8(mask))
        var rest = value - mask
        while rest >= 0x80 {
            output.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(rest))
    }
}
