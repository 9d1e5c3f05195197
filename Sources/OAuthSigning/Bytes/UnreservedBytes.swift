/// Unreserved characters (RFC 3986, section 2.3) among eight bytes at once.
enum UnreservedBytes {
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101

    /// The number of unreserved characters before the first byte that is none, 0 to 8.
    ///
    /// - Parameter word: The first byte lowest.
    @inline(__always)
    static func prefixCount(of word: UInt64) -> Int {
        // Bytes of seven bits do not carry into each other.
        let low = word & ~highBits
        let folded = low | 0x20 &* lowBits
        let letters = reach(0x61, folded) & ~reach(0x7B, folded)
        // With `-` and `.`, and without the `/` between these and the digits.
        let digits = reach(0x2D, low) & ~reach(0x3A, low) & differ(0x2F, low)
        let others = ~(differ(0x5F, low) & differ(0x7E, low))
        let unreserved = (letters | digits | others) & ~word
        return (~unreserved & highBits).trailingZeroBitCount / 8
    }

    /// High bits of bytes that are at least `bound`. The other bits mean nothing.
    @inline(__always)
    private static func reach(_ bound: UInt8, _ low: UInt64) -> UInt64 {
        low &+ UInt64(128 - bound) &* lowBits
    }

    /// High bits of bytes that are not `byte`. The other bits mean nothing.
    @inline(__always)
    private static func differ(_ byte: UInt8, _ low: UInt64) -> UInt64 {
        (low ^ (UInt64(byte) &* lowBits)) &+ 0x7F &* lowBits
    }
}
