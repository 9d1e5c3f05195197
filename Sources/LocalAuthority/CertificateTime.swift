import FoundationEssentials

/// Certificates know no fractions of a second, and X509 rounds to the nearest: round down beforehand, so that a leaf
/// cannot come out as valid beyond what was meant.
enum CertificateTime {
    static func floor(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}
