/// The hash that a signature method is built on.
package enum HashAlgorithm: Sendable {
    case sha1
    case sha256
    case sha512
}

extension SignatureMethod {
    /// PLAINTEXT names none; where one is needed all the same it is SHA-1, as for the other methods of RFC 5849.
    package var hashAlgorithm: HashAlgorithm {
        switch self {
        case .hmacSHA1, .rsaSHA1, .plaintext: .sha1
        case .hmacSHA256, .rsaSHA256: .sha256
        case .hmacSHA512, .rsaSHA512: .sha512
        }
    }
}
