/// The integers of HPACK (RFC 7541, section 5.1): a prefix in the low bits of one byte, then seven bits a byte.
enum PrefixedInteger {
    /// Reads an integer and moves the position behind it.
    ///
    /// - Throws: `compression` if the block ends inside, or the integer needs more than 28 bits behind its prefix or
    ///   more bytes than those: no table and no string of ours is that large.
    static func read(
        _ bytes: Span<UInt8>,
        at position: inout Int,
        prefixBits: Int
    ) throws(HeaderBlockError) -> Int {
        guard position < bytes.count else { throw .compression }
        let mask = UInt8(truncatingIfNeeded: 1 << prefixBits &- 1)
        let prefix = bytes[position] & mask
        position &+= 1
        if prefix < mask { return Int(prefix) }
        var value = Int(prefix)
        var shift = 0
        while shift < 28 {
            guard position < bytes.count else { throw .compression }
            let byte = bytes[position]
            position &+= 1
            value &+= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        throw .compression
    }

    /// Writes an integer of at most 32 bits, which takes six bytes at most, and moves the position behind it.
    ///
    /// - Parameter flags: The bits of the first byte above the prefix.
    @inline(__always)
    static func write(
        _ value: Int,
        prefixBits: Int,
        flags: UInt8,
        to target: inout MutableSpan<UInt8>,
        at end: inout Int
    ) {
        let mask = 1 << prefixBits &- 1
        if value < mask {
            target[end] = flags | UInt8(truncatingIfNeeded: value)
            end &+= 1
        } else {
            writeLong(value &- mask, first: flags | UInt8(truncatingIfNeeded: mask), to: &target, at: &end)
        }
    }

    private static func writeLong(_ rest: Int, first: UInt8, to target: inout MutableSpan<UInt8>, at end: inout Int) {
        target[end] = first
        end &+= 1
        var rest = rest
        while rest >= 0x80 {
            target[end] = UInt8(truncatingIfNeeded: rest) | 0x80
            end &+= 1
            rest >>= 7
        }
        target[end] = UInt8(truncatingIfNeeded: rest)
        end &+= 1
    }
}
