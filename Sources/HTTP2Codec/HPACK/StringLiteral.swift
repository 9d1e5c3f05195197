/// Where a string literal lies in a block, and how it is coded (RFC 7541, section 5.2).
struct StringLiteral {
    let range: Range<Int>
    let isHuffmanCoded: Bool

    /// Finds the literal at a position and moves the position behind it.
    @inline(__always)
    init(_ octets: Span<UInt8>, at position: inout Int) throws(HeaderBlockError) {
        guard position < octets.count else { throw .compression }
        self.isHuffmanCoded = octets[position] & 0x80 != 0
        let length = try PrefixedInteger.read(octets, at: &position, prefixBits: 7)
        guard length <= octets.count &- position else { throw .compression }
        self.range = position..<position &+ length
        position &+= length
    }

    /// How much room `write` needs.
    var mostOctets: Int {
        self.isHuffmanCoded ? HuffmanCode.mostOctets(of: self.range.count) : self.range.count
    }

    /// Writes what the literal says.
    @inline(__always)
    func write(
        from octets: Span<UInt8>,
        to target: inout MutableSpan<UInt8>,
        at end: inout Int
    ) throws(HeaderBlockError) {
        let coded = octets.extracting(self.range)
        if self.isHuffmanCoded {
            try HuffmanCode.shared.decode(coded, into: &target, at: &end)
        } else {
            OctetCopying.copy(coded, to: &target, at: &end)
        }
    }
}
