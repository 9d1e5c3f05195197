import Bytes
import OAuthSigning

/// A way to make the bytes of a signature from the key and the text, other than the right one.
struct SignatureCode: Sendable {
    let cause: ComparisonCause
    /// A sentence on what the other side then did.
    let sentence: String
    let bytes: @Sendable (_ key: [UInt8], _ text: [UInt8]) -> [UInt8]

    init(
        _ cause: ComparisonCause,
        _ sentence: String,
        bytes: @escaping @Sendable (_ key: [UInt8], _ text: [UInt8]) -> [UInt8]
    ) {
        self.cause = cause
        self.sentence = sentence
        self.bytes = bytes
    }

    /// Returns a code.
    ///
    /// - Parameter sentence: The words on what the other side did, without its subject.
    static func code(
        _ cause: ComparisonCause,
        _ sentence: String,
        _ bytes: @escaping @Sendable (_ key: [UInt8], _ text: [UInt8]) -> [UInt8]
    ) -> SignatureCode {
        SignatureCode(cause, "The other side \(sentence)", bytes: bytes)
    }

    var finding: ComparisonFinding { ComparisonFinding(cause: cause, certainty: .proven, sentence: sentence) }
}

extension SignatureCode {
    /// The ways that yield signatures of so many bytes, where shared secrets sign.
    ///
    /// - Parameters:
    ///   - method: The one that goes with the signature's length.
    ///   - named: The one that the other side names.
    static func shared(_ method: SignatureMethod, byteCount: Int, named: SignatureMethod) -> [SignatureCode] {
        let own = method.hashAlgorithm.function
        let functions = DigestFunction.allCases
        let fitting =
            [own].filter { $0.byteCount == byteCount } + functions.filter { $0 != own && $0.byteCount == byteCount }
        let others = fitting.filter { method.isRSA || $0 != own }.map { function in
            SignatureCode(
                .hash,
                "The other side says \(named.rawValue), but its signature is HMAC-\(function.name)'s."
            ) {
                function.code(key: $0, text: $1)
            }
        }
        // Fewer would be found by chance.
        let cut =
            byteCount < 10
            ? []
            : functions.filter { $0.byteCount > byteCount }.map { function in
                SignatureCode(
                    .digestCut,
                    "The other side's signature is an HMAC-\(function.name) that is cut to its first \(byteCount) bytes."
                ) { Array(function.code(key: $0, text: $1).prefix(byteCount)) }
            }
        let hashed = fitting.flatMap { function in
            [DigestFunction.sha1, .sha256, .md5, .sha512].filter { $0 != function }.flatMap { first in
                let sentence =
                    "The other side hashed the base string with \(first.name) before the HMAC-\(function.name) (hashed twice)"
                return [
                    SignatureCode(.hashedTwice, "\(sentence).") { function.code(key: $0, text: first.hash($1)) },
                    SignatureCode(.hashedTwice, "\(sentence), and signed the hexadecimal digits.") {
                        function.code(key: $0, text: Hexadecimal.encode(first.hash($1)).bytes)
                    },
                ]
            }
        }
        return others + fitting.flatMap(built) + fitting.flatMap(ordered) + fitting.flatMap(handmade) + hashed + cut
            + texts(byteCount: byteCount)
    }

    /// The ways to take the text of a private key for the key of an HMAC.
    static func keyed(by pem: Secret, byteCount: Int) -> [SignatureCode] {
        let texts = pem.withBytes { bytes in
            let text = bytes.array
            let trimmed = text.changed { $0.trimmed }
            return [text, trimmed, trimmed + "\n".bytes, PercentEncoding.encode(text) + "&".bytes]
        }
        return DigestFunction.allCases.filter { $0.byteCount == byteCount }.flatMap { function in
            texts.map { key in
                SignatureCode(
                    .hash,
                    "The other side computed an HMAC-\(function.name) with the text of the private key (PEM); it must sign with "
                        + "the key."
                ) { function.code(key: key, text: $1) }
            }
        }
    }

    /// The ways to put key, text and one hash function together.
    private static func built(on function: DigestFunction) -> [SignatureCode] {
        let name = function.name
        let plain = "signed with a plain \(name), which is no HMAC:"
        let again = "put the result of its HMAC through the HMAC again"
        let first = "hashed the base string with \(name) before the HMAC (twice, since that hashes it itself)"
        return [
            code(.keyAndTextExchanged, "gave the HMAC the base string as its key and the key as its text (exchanged).")
            {
                function.code(key: $1, text: $0)
            },
            code(.plainHash, "\(plain) the base string alone was hashed, without a key.") { function.hash($1) },
            code(.plainHash, "\(plain) key and base string were hashed, one behind the other.") {
                function.hash($0 + $1)
            },
            code(.plainHash, "\(plain) base string and key were hashed, one behind the other.") {
                function.hash($1 + $0)
            },
            code(.plainHash, "\(plain) key, & and base string were hashed, one behind the other.") {
                function.hash($0 + "&".bytes + $1)
            },
            code(.plainHash, "\(plain) base string, & and key were hashed, one behind the other.") {
                function.hash($1 + "&".bytes + $0)
            },
            code(.plainHash, "signed with a plain \(name) of the key alone; the base string takes no part.") { key, _ in
                function.hash(key)
            },
            code(.hashedTwice, "\(again) (twice).") { key, text in
                function.code(key: key, text: function.code(key: key, text: text))
            },
            code(.hashedTwice, "\(again) in hexadecimal digits (twice).") { key, text in
                function.code(key: key, text: Hexadecimal.encode(function.code(key: key, text: text)).bytes)
            },
            code(.hashedTwice, "\(again) as Base64 (twice).") { key, text in
                function.code(key: key, text: Base64.encode(function.code(key: key, text: text).span))
            },
            code(.hashedTwice, "hashed the result of its HMAC once more, with \(name).") {
                function.hash(function.code(key: $0, text: $1))
            },
            code(.hashedTwice, "\(first).") { function.code(key: $0, text: function.hash($1)) },
            code(.hashedTwice, "\(first), and signed the hexadecimal digits.") {
                function.code(key: $0, text: Hexadecimal.encode(function.hash($1)).bytes)
            },
            code(.hashedTwice, "\(first), and signed the Base64.") {
                function.code(key: $0, text: Base64.encode(function.hash($1).span))
            },
            code(.hashedTwice, "hashed a plain \(name) of the base string twice, without a key.") {
                function.hash(function.hash($1))
            },
            code(
                .textCharacterSet,
                "took key and base string as UTF-16 (two bytes for each character), as Encoding.Unicode of .NET does."
            ) {
                function.code(key: UTF16Text.littleEndian($0), text: UTF16Text.littleEndian($1))
            },
            code(
                .textCharacterSet,
                "took key and base string as UTF-16 (two bytes for each character), the high byte first."
            ) {
                function.code(key: UTF16Text.bigEndian($0), text: UTF16Text.bigEndian($1))
            },
            code(.keyUnused, "signed the base string with an empty key: the secrets take no part.") {
                function.code(key: [], text: $1)
            },
            code(.textUnused, "signed an empty text in place of the base string.") { key, _ in
                function.code(key: key, text: [])
            },
        ]
    }
}

extension HashAlgorithm {
    var function: DigestFunction {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
