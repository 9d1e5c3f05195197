/// Finds the first byte that needs a closer look, sixteen bytes at a step.
///
/// This is the only file with operations marked unsafe. `unsafeLoadUnaligned` checks its bounds like any access to a
/// span; it is unsafe only for types that do not accept every bit pattern, and `UInt64` and vectors of it accept every
/// one.
package enum ByteScan {
    /// The index, from `start` on, of the first byte that field content cannot hold: a control other than HTAB, or
    /// DEL (RFC 9110, section 5.5). The count of the span if there is none.
    package static func firstControl(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while true {
            index = firstHit(in: bytes, from: index) { words in
                // Bytes of seven bits do not carry into each other: only 0x7F reaches the high bit.
                ((words &- 0x20 &* lowBits) | ((words & ~highBits) &+ lowBits)) & ~words & highBits
            }
            guard index < bytes.count, bytes[index] == 0x09 else { return index }
            index &+= 1
        }
    }

    /// The index, from `start` on, of the first byte that a request target cannot hold: anything but 0x21–0x7E, and
    /// `#`. The count of the span if there is none.
    static func firstOutsideTarget(in bytes: Span<UInt8>, from start: Int) -> Int {
        firstHit(in: bytes, from: start) { words in
            below(0x21, in: words) | equal(to: 0x7F, in: words) | equal(to: 0x23, in: words) | words & highBits
        }
    }

    /// The letters, in lower case, digits and hyphens that stand at `start`, at most eight of them.
    ///
    /// - Returns: They in the lowest bytes of a big-endian number, with zeros above; and how many they are. None if
    ///   fewer than eight bytes follow.
    static func foldedName(in bytes: Span<UInt8>, at start: Int) -> (word: UInt64, count: Int) {
        guard start &+ 8 <= bytes.count else { return (0, 0) }
        let loaded = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
        let word = UInt64(littleEndian: loaded)
        let capitals = between(0x41, 0x5A, in: word)
        let folded = word | capitals >> 2
        let hits =
            capitals | between(0x61, 0x7A, in: word) | between(0x30, 0x39, in: word) | between(0x2D, 0x2D, in: word)
        let count = (~hits & highBits).trailingZeroBitCount / 8
        // A shift by all 64 bits leaves nothing, as it must.
        return (folded.byteSwapped >> (64 - 8 * UInt64(count)), count)
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101

    /// Sixteen bytes, the first ones lowest.
    private typealias Words = SIMD2<UInt64>

    /// `test` sets the high bit of each byte that is a hit. It may set more above the first hit of a word, never below
    /// it.
    @inline(__always)
    private static func firstHit(in bytes: Span<UInt8>, from start: Int, _ test: (Words) -> Words) -> Int {
        var index = start
        while index &+ 16 <= bytes.count {
            let words = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Words.self)
            let hits = test(Words(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1])))
            if hits[0] | hits[1] != 0 {
                let offset = hits[0] != 0 ? hits[0].trailingZeroBitCount : 64 &+ hits[1].trailingZeroBitCount
                return index &+ offset / 8
            }
            index &+= 16
        }
        while index < bytes.count {
            // The same byte everywhere: any hit is one at the lowest place.
            if test(Words(repeating: UInt64(bytes[index]) &* lowBits))[0] != 0 { return index }
            index &+= 1
        }
        return index
    }

    /// High bits of bytes below `bound`, which is at most 128.
    @inline(__always)
    private static func below(_ bound: UInt8, in words: Words) -> Words {
        (words &- UInt64(bound) &* lowBits) & ~words & highBits
    }

    /// High bits of exactly those bytes that are within bounds, which are below 128.
    @inline(__always)
    private static func between(_ first: UInt8, _ last: UInt8, in word: UInt64) -> UInt64 {
        // Bytes of seven bits do not carry into each other.
        let low = word & ~highBits
        let reachesFirst = low &+ UInt64(128 - first) &* lowBits
        let passesLast = low &+ UInt64(127 - last) &* lowBits
        return reachesFirst & ~passesLast & ~word & highBits
    }

    @inline(__always)
    private static func equal(to byte: UInt8, in words: Words) -> Words {
        below(1, in: words ^ (UInt64(byte) &* lowBits))
    }
}
