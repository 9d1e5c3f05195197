/// Nonces of 32 hexadecimal digits, unique for the life of the process (RFC 5849, section 3.3).
///
/// One for each event loop. The first half is random and drawn once; the second is a counter behind a random
/// bijection, so that no two nonces of one source are equal and none tells how many went before.
struct NonceSource {
    private let prefix: UInt64
    private let key: UInt64
    private var counter: UInt64 = 0

    init(generator: inout some RandomNumberGenerator) {
        prefix = generator.next()
        key = generator.next()
    }

    mutating func next() -> InlineArray<32, UInt8> {
        counter &+= 1
        let low = Self.mix(counter ^ key)
        return InlineArray { index in
            let half = index < 16 ? prefix : low
            let nibble = UInt8(truncatingIfNeeded: half >> (60 - 4 * UInt64(index & 15))) & 15
            return nibble < 10 ? 0x30 + nibble : 0x57 + nibble
        }
    }

    /// SplitMix64's finalizer, a bijection on 64-bit values.
    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
