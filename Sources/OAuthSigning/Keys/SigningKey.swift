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
        var signature: [UInt8] = []
        try sign(message, into: &signature)
        return signature
    }

    /// Appends what ``signature(of:)`` returns to `signature`.
    func sign(_ message: ArraySlice<UInt8>, into signature: inout [UInt8]) throws(SigningError) {
        switch self {
        case .hmacSHA1(let prepared): prepared.authenticate(message.span, into: &signature)
        case .hmacSHA256(let prepared): prepared.authenticate(message.span, into: &signature)
        case .hmacSHA512(let prepared): prepared.authenticate(message.span, into: &signature)
        case .rsa(let key, let digest):
            let bytes = try key.signature(of: message, digest: digest)
            Base64.encode(bytes.span, to: &signature)
        case .plaintext(let key): signature += key.withBytes { $0.array }
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

/// HMAC (RFC 2104) with a key that is hashed once: both hashes have taken in their padded key and are copied for each
/// message.
///
/// swift-crypto's own `HMAC` can be copied like that too, but takes messages only as `DataProtocol` and, being
/// generic, through metadata that is looked up at each step: measured with SHA-1 and 424 bytes, 760 ns against 470 ns
/// for the same result.
struct PreparedHMAC<Hash: HashFunction>: Sendable {
    private let inner: Hash
    private let outer: Hash

    init(key: Secret) {
        var block = key.withBytes { key in
            // A key longer than a block is replaced by its hash (RFC 2104, section 2).
            guard key.count > Hash.blockByteCount else { return key.array }
            var hash = Hash()
            hash.update(key)
            return hash.finalize().withByteSpan { $0.array }
        }
        block += repeatElement(0, count: Hash.blockByteCount - block.count)
        inner = Self.hash(padding: 0x36, of: &block)
        outer = Self.hash(padding: 0x36 ^ 0x5c, of: &block)
        for index in block.indices { block[index] = 0 }
    }

    /// A hash that has taken in `block`, every byte of which is changed by `padding` first.
    private static func hash(padding: UInt8, of block: inout [UInt8]) -> Hash {
        for index in block.indices { block[index] ^= padding }
        var hash = Hash()
        hash.update(block.span)
        return hash
    }

    /// Appends the code of `message`, in Base64.
    func authenticate(_ message: Span<UInt8>, into code: inout [UInt8]) {
        var inner = inner
        inner.update(message)
        var outer = outer
        inner.finalize().withByteSpan { outer.update($0) }
        outer.finalize().withByteSpan { Base64.encode($0, to: &code) }
    }
}

/// A key of shared secrets that are put together already (RFC 5849, section 3.4.2), for many texts.
package struct SharedSigningKey: Sendable {
    private let key: SigningKey

    /// - Returns: Nil for the RSA methods, which have none.
    package init?(method: SignatureMethod, text: Secret) {
        guard let key = SigningKey(method: method, text: text) else { return nil }
        self.key = key
    }

    /// Returns `oauth_signature` of a base string, not percent-encoded.
    package func signature(of baseString: ArraySlice<UInt8>) -> [UInt8]? { try? key.signature(of: baseString) }
}
