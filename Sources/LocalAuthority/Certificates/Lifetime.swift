import FoundationEssentials
import X509

/// The lifetimes of certificates, in seconds.
enum Lifetime {
    /// Clients' clocks may be behind by this much.
    static let backDating: TimeInterval = 3600
    /// Ten years at most, counted without leap days; both ends of a validity belong to it.
    static let authority: TimeInterval = 3650 * 86_400 - 1
    static let leaf: TimeInterval = 7 * 86_400 - 1
}

/// Certificates know no fractions of a second, and X509 rounds to the nearest: round down beforehand, so that a leaf
/// cannot come out as valid beyond what was meant.
enum CertificateTime {
    static func floor(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}

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
