/// The place of a string literal in a block, and how it is coded (RFC 7541, section 5.2).
struct StringLiteral {
    let range: Range<Int>
    let isHuffmanCoded: Bool

    /// Finds the literal at a position and moves the position behind it.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at position: inout Int) throws(HeaderBlockError) {
        guard position < bytes.count else { throw .compression }
        isHuffmanCoded = bytes[position] & 0x80 != 0
        let length = try PrefixedInteger.read(bytes, at: &position, prefixBits: 7)
        guard length <= bytes.count &- position else { throw .compression }
        range = position..<position &+ length
        position &+= length
    }

    /// The bytes that `write` needs room for.
    var mostBytes: Int {
        isHuffmanCoded ? HuffmanCode.mostBytes(of: range.count) : range.count
    }

    /// Writes what the literal says.
    @inline(__always)
    func write(
        from bytes: Span<UInt8>,
        to target: inout MutableSpan<UInt8>,
        at end: inout Int
    ) throws(HeaderBlockError) {
        let coded = bytes.extracting(range)
        if isHuffmanCoded {
            try HuffmanCode.shared.decode(coded, into: &target, at: &end)
        } else {
            ByteCopying.copy(coded, to: &target, at: &end)
        }
    }
}
