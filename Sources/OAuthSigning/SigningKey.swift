import Crypto

/// What signs, prepared once: a keyed HMAC is copied for each message, the key is never hashed again.
enum SigningKey: Sendable {
    case hmacSHA1(HMAC<Insecure.SHA1>)
    case hmacSHA256(HMAC<SHA256>)
    case hmacSHA512(HMAC<SHA512>)
    case rsa(RSASigningKey, HashAlgorithm)
    case plaintext(Secret)

    init(
        method: SignatureMethod,
        clientSecret: Secret,
        tokenSecret: Secret?,
        privateKey: RSASigningKey?
    ) throws(SigningError) {
        switch method {
        case .hmacSHA1: self = .hmacSHA1(HMAC(key: SymmetricKey(secret: Self.text(clientSecret, tokenSecret))))
        case .hmacSHA256: self = .hmacSHA256(HMAC(key: SymmetricKey(secret: Self.text(clientSecret, tokenSecret))))
        case .hmacSHA512: self = .hmacSHA512(HMAC(key: SymmetricKey(secret: Self.text(clientSecret, tokenSecret))))
        case .rsaSHA1, .rsaSHA256, .rsaSHA512:
            guard let privateKey else { throw .privateKeyMissing }
            self = .rsa(privateKey, method.hashAlgorithm)
        case .plaintext: self = .plaintext(Self.text(clientSecret, tokenSecret))
        }
    }

    /// `oauth_signature` of the base string `message`, not percent-encoded.
    func signature(of message: ArraySlice<UInt8>) throws(SigningError) -> [UInt8] {
        switch self {
        case .hmacSHA1(let prepared): return Self.authenticate(message, with: prepared)
        case .hmacSHA256(let prepared): return Self.authenticate(message, with: prepared)
        case .hmacSHA512(let prepared): return Self.authenticate(message, with: prepared)
        case .rsa(let key, let digest):
            let signature = try key.signature(of: message, digest: digest)
            return Base64.encode(signature.span)
        case .plaintext(let key): return key.withOctets { $0.array }
        }
    }

    private static func authenticate(_ message: ArraySlice<UInt8>, with prepared: HMAC<some HashFunction>) -> [UInt8] {
        var copy = prepared
        copy.update(data: message)
        return copy.finalize().withOctetSpan { Base64.encode($0) }
    }

    /// RFC 5849 §3.4.2: both secrets percent-encoded, joined by `&`, which is there even when one is empty.
    private static func text(_ clientSecret: Secret, _ tokenSecret: Secret?) -> Secret {
        var buffer = OctetBuffer(capacity: 256)
        clientSecret.withOctets { buffer.append(encoding: $0, with: PercentEncoding.single) }
        buffer.append(UInt8(ascii: "&"))
        tokenSecret?.withOctets { buffer.append(encoding: $0, with: PercentEncoding.single) }
        return Secret(octets: buffer.octets())
    }
}

extension SymmetricKey {
    fileprivate init(secret: Secret) {
        self = secret.withOctets { SymmetricKey(data: $0.array) }
    }
}
