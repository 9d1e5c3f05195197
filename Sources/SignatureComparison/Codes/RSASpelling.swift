import Bytes

/// A way in which the bytes of an RSA signature are written wrong, so that another key seems to have made it.
enum RSASpelling: CaseIterable {
    case reversed
    case wordsReversed
    case zerosInFront
    case zerosLost
    case textInUTF8

    /// The lengths that signatures have: those of the usual moduli.
    private static let byteCounts = [64, 96, 128, 192, 256, 384, 512]

    /// Returns the bytes as they were before they were written so; nil when they cannot have been.
    func undone(_ bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .reversed: return bytes.reversed()
        case .wordsReversed:
            guard bytes.count % 4 == 0 else { return nil }
            return stride(from: 0, to: bytes.count, by: 4).flatMap { bytes[$0..<($0 + 4)].reversed() }
        case .zerosInFront:
            let rest = Array(bytes.drop { $0 == 0 })
            let count = Self.byteCounts.first { $0 >= rest.count }
            guard let count, count < bytes.count else { return nil }
            return [UInt8](repeating: 0, count: count - rest.count) + rest
        case .zerosLost:
            guard let count = Self.byteCounts.first(where: { $0 > bytes.count && $0 - bytes.count < 4 }) else {
                return nil
            }
            return [UInt8](repeating: 0, count: count - bytes.count) + bytes
        case .textInUTF8: return String(validating: bytes, as: UTF8.self).flatMap(CodePage.latin1.encode)
        }
    }

    var finding: ComparisonFinding {
        ComparisonFinding(
            cause: .signatureFormat,
            certainty: .seen,
            sentence: "The other side's RSA signature \(words)."
        )
    }

    private var words: String {
        switch self {
        case .reversed:
            "has its bytes in the reverse order (little-endian), as the CryptoAPI of Windows writes them"
        case .wordsReversed: "has each four of its bytes in the reverse order (endianness, little-endian words)"
        case .zerosInFront:
            "has a zero byte too many in front, which a number's sign takes (BigInteger.toByteArray of Java)"
        case .zerosLost:
            "lacks the zero byte in front, as a number without leading zeros does; it has as many bytes as the key"
        case .textInUTF8:
            "was taken for text (Latin-1) and encoded in UTF-8 before Base64; the bytes themselves are encoded"
        }
    }
}
