import Bytes
import OAuthSigning

/// The encoded message that an RSA signature holds (RFC 8017, section 8), seen with the public key.
struct RSAEncodedMessage: Sendable {
    private let bytes: [UInt8]
    /// The bytes behind the padding of PKCS #1 v1.5; nil where there is no such padding.
    let payload: [UInt8]?

    /// - Returns: Nil for what can be no signature of that key by its length.
    init?(signature: [UInt8], key: RSAVerificationKey) {
        guard let bytes = key.encodedMessage(of: signature) else { return nil }
        self.bytes = bytes
        guard bytes.starts(with: [0, 1]), let end = bytes.dropFirst(2).firstIndex(where: { $0 != 0xFF }), end >= 10,
            bytes[end] == 0
        else {
            payload = nil
            return
        }
        payload = Array(bytes[(end + 1)...])
    }

    /// Indicates whether the padding is that of PSS, by what can be seen without the text.
    var isPSS: Bool { payload == nil && DigestFunction.allCases.contains { salt($0) != nil } }

    /// Indicates whether the signature was made by the private key that belongs to the public one.
    var isOfKey: Bool { payload != nil || isPSS }

    /// Indicates whether the signature is right for a text (RFC 8017, section 8.2.2).
    func holds(_ text: [UInt8], hashedBy function: DigestFunction) -> Bool {
        guard let payload else { return false }
        return payload == function.digestInfo + function.hash(text)
    }

    /// Verifies the padding of PSS, whatever the length of the salt.
    func holdsAsPSS(_ text: [UInt8], hashedBy function: DigestFunction) -> Bool {
        guard let salt = salt(function) else { return false }
        let padded = Array(repeating: 0, count: 8) + function.hash(text) + salt
        return bytes[start(of: function)...].dropLast().elementsEqual(function.hash(padded))
    }

    /// The place of the hash, which stands before the last byte.
    private func start(of function: DigestFunction) -> Int { bytes.count - function.byteCount - 1 }

    /// The salt within the padding of PSS (RFC 8017, section 9.1.2); nil when it is not that padding.
    private func salt(_ function: DigestFunction) -> [UInt8]? {
        let start = start(of: function)
        guard start > 1, bytes.last == 0xBC else { return nil }
        let hash = Array(bytes[start..<(bytes.count - 1)])
        var mask: [UInt8] = []
        var counter: UInt8 = 0
        while mask.count < start {
            mask += function.hash(hash + [0, 0, 0, counter])
            counter += 1
        }
        var padding = zip(bytes, mask).prefix(start).map { $0 ^ $1 }
        // The bits that a modulus leaves no room for; at most one byte.
        padding[0] &= 0x7F
        guard let end = padding.firstIndex(where: { $0 != 0 }), padding[end] == 1 else { return nil }
        return Array(padding[(end + 1)...])
    }
}

extension SignatureCode {
    /// The ways to an RSA signature that holds something else than it should. Their bytes are the padding's payload.
    static func rsa(_ method: SignatureMethod, _ message: RSAEncodedMessage) -> [SignatureCode] {
        let own = method.hashAlgorithm.function
        let first = [own] + DigestFunction.allCases.filter { $0 != own }
        if message.isPSS {
            return first.map { function in
                SignatureCode(
                    .padding,
                    "The other side's RSA signature has the padding PSS (with \(function.name)); it must be that of PKCS #1 "
                        + "v1.5."
                ) { message.holdsAsPSS($1, hashedBy: function) ? [1] : [] }
            }
        }
        let others = first.dropFirst().map { function in
            SignatureCode(
                .hash,
                "The other side says \(method.rawValue), but its RSA signature holds a \(function.name) of the base string."
            ) { function.digestInfo + function.hash($1) }
        }
        return others + first.flatMap(built)
    }

    private static func built(on function: DigestFunction) -> [SignatureCode] {
        let (name, info) = (function.name, function.digestInfo)
        let twice =
            "The other side hashed the base string with \(name) before it signed it, which hashes it again (twice)"
        let bare = "The other side's RSA signature holds the \(name) without saying so (no DigestInfo)"
        return [
            SignatureCode(.hashedTwice, "\(twice).") { info + function.hash(function.hash($1)) },
            SignatureCode(.hashedTwice, "\(twice), in hexadecimal digits.") {
                info + function.hash(Hexadecimal.encode(function.hash($1)).bytes)
            },
            SignatureCode(.hashedTwice, "\(twice), as Base64.") {
                info + function.hash(Base64.encode(function.hash($1).span))
            },
            SignatureCode(.padding, "\(bare): it was encrypted with the private key, not signed.") {
                function.hash($1)
            },
            SignatureCode(.padding, "\(bare), in hexadecimal digits.") { Hexadecimal.encode(function.hash($1)).bytes },
            SignatureCode(.padding, "\(bare), as Base64.") { Base64.encode(function.hash($1).span) },
        ]
    }
}
