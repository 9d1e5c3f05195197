/// RFC 5849, section 3.4, and the SHA-2 variants that providers have added. The raw value is what
/// `oauth_signature_method` says.
package enum SignatureMethod: String, CaseIterable, Sendable {
    case hmacSHA1 = "HMAC-SHA1"
    case hmacSHA256 = "HMAC-SHA256"
    case hmacSHA512 = "HMAC-SHA512"
    case rsaSHA1 = "RSA-SHA1"
    case rsaSHA256 = "RSA-SHA256"
    case rsaSHA512 = "RSA-SHA512"
    case plaintext = "PLAINTEXT"

    /// Indicates whether a private key signs, and the shared secrets take no part.
    package var isRSA: Bool {
        switch self {
        case .rsaSHA1, .rsaSHA256, .rsaSHA512: true
        case .hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext: false
        }
    }
}

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
