import Bytes
import Crypto

/// The key that signs, prepared once: a keyed HMAC is copied for each message, the key is never hashed again.
enum SigningKey: Sendable {
    case hmacSHA1(PreparedHMAC<Insecure.SHA1>)
    case hmacSHA256(PreparedHMAC<SHA256>)
    case hmacSHA512(PreparedHMAC<SHA512>)
    case rsa(RSASigningKey, HashAlgorithm)
    case plaintext(Secret)

    init(
        method: SignatureMethod,
        clientSecret: Secret,
        tokenSecret: Secret?,
        privateKey: RSASigningKey?
    ) throws(SigningError) {
        if let shared = Self(method: method, text: Self.text(clientSecret, tokenSecret)) {
            self = shared
        } else {
            guard let privateKey else { throw .privateKeyMissing }
            self = .rsa(privateKey, method.hashAlgorithm)
        }
    }

    /// A key of shared secrets that are put together already.
    /// - Returns: Nil for the RSA methods, which have none.
    init?(method: SignatureMethod, text: Secret) {
        switch method {
        case .hmacSHA1: self = .hmacSHA1(PreparedHMAC(key: text))
        case .hmacSHA256: self = .hmacSHA256(PreparedHMAC(key: text))
        case .hmacSHA512: self = .hmacSHA512(PreparedHMAC(key: text))
        case .rsaSHA1, .rsaSHA256, .rsaSHA512: return nil
        case .plaintext: self = .plaintext(text)
        }
    }

    /// `oauth_signature` of the base string `message`, not percent-encoded.
    func signature(of message: ArraySlice<UInt8>) throws(SigningError) -> [UInt8] {
        switch self {
        case .hmacSHA1(let prepared): return prepared.authenticationCode(of: message.span)
        case .hmacSHA256(let prepared): return prepared.authenticationCode(of: message.span)
        case .hmacSHA512(let prepared): return prepared.authenticationCode(of: message.span)
        case .rsa(let key, let digest):
            let signature = try key.signature(of: message, digest: digest)
            return Base64.encode(signature.span)
        case .plaintext(let key): return key.withBytes { $0.array }
        }
    }

    /// RFC 5849, section 3.4.2: both secrets percent-encoded, joined by `&`, which is there even when one is empty.
    private static func text(_ clientSecret: Secret, _ tokenSecret: Secret?) -> Secret {
        var buffer = WordBuffer(capacity: 256)
        clientSecret.withBytes { buffer.append(encoding: $0, with: EncodingTables.single) }
        buffer.append(UInt8(ascii: "&"))
        tokenSecret?.withBytes { buffer.append(encoding: $0, with: EncodingTables.single) }
        return Secret(bytes: buffer.takeBytes())
    }
}

extension SignatureMethod {
    /// Returns `oauth_signature` of a base string, not percent-encoded; nil for the RSA methods, which have no shared
    /// secrets.
    ///
    /// - Parameter text: The shared secrets, put together (RFC 5849, section 3.4.2).
    package func signature(of baseString: ArraySlice<UInt8>, sharedKey text: Secret) -> [UInt8]? {
        guard let key = SigningKey(method: self, text: text) else { return nil }
        return try? key.signature(of: baseString)
    }
}
