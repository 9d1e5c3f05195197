import X509

extension Certificate.SerialNumber {
    /// 16 random bytes with the first bits 01: positive, never shortened, and within the 20 bytes of RFC 5280. X509's
    /// own takes 21 when the first bit of its 20 is set.
    static func randomPositive() -> Self {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[0] = bytes[0] & 0x3F | 0x40
        return Self(bytes: bytes)
    }
}
