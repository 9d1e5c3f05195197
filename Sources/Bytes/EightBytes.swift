// Other modules have a function of a package's type inlined only where the type is usable from inlined code.
/// Eight bytes as one word, the first of them lowest: what is asked is asked of all at once.
@usableFromInline
package struct EightBytes {
    @usableFromInline
    package let word: UInt64

    @inlinable
    @inline(__always)
    package init(_ word: UInt64) {
        self.word = word
    }

    /// The highest bit of each byte.
    @inlinable
    @inline(__always)
    package static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The lowest bit of each byte: times a byte, that byte everywhere.
    @inlinable
    @inline(__always)
    package static var lowBits: UInt64 { 0x0101_0101_0101_0101 }

    /// High bits of exactly those bytes that are within bounds, which are below 128.
    @inlinable
    @inline(__always)
    package func between(_ first: UInt8, _ last: UInt8) -> UInt64 {
        // Bytes of seven bits do not carry into each other.
        let low = word & ~Self.highBits
        let reachesFirst = low &+ UInt64(128 - first) &* Self.lowBits
        let passesLast = low &+ UInt64(127 - last) &* Self.lowBits
        return reachesFirst & ~passesLast & ~word & Self.highBits
    }

    /// The number of bytes before the first one that has no high bit in `hits`.
    @inlinable
    @inline(__always)
    package static func count(of hits: UInt64) -> Int {
        (~hits & highBits).trailingZeroBitCount / 8
    }

    /// The number of bytes before the first one that is no unreserved character (RFC 3986, section 2.3), or is `~`,
    /// which is rare.
    @inlinable
    @inline(__always)
    package var unreservedCount: Int {
        let folded = EightBytes(word | 0x20 &* Self.lowBits)
        return Self.count(
            of: folded.between(0x61, 0x7A) | between(0x30, 0x39) | between(0x2D, 0x2E) | between(0x5F, 0x5F)
        )
    }
}
