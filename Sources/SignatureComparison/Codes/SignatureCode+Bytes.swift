import Bytes

// Right digests whose bytes were put in another order, or taken for text.
extension SignatureCode {
    /// The bytes of one hash in another order, and hashes that are put together by hand.
    static func ordered(_ function: DigestFunction) -> [SignatureCode] {
        let name = function.name
        let plain = "signed with a plain \(name), which is no HMAC:"
        return [
            code(
                .signatureFormat,
                "wrote the words of its HMAC-\(name) in little-endian order: each four bytes are swapped (endianness)."
            ) { key, text in
                let digest = function.code(key: key, text: text)
                return stride(from: 0, to: digest.count, by: 4).flatMap {
                    digest[$0..<min($0 + 4, digest.count)].reversed()
                }
            },
            code(.signatureFormat, "wrote the bytes of its HMAC-\(name) in the reverse order (little-endian).") {
                function.code(key: $0, text: $1).reversed()
            },
            code(.plainHash, "\(plain) the key, and the hash of key and base string, were hashed (nested).") {
                function.hash($0 + function.hash($0 + $1))
            },
            code(.plainHash, "\(plain) the key, and the hash of the base string, were hashed (nested).") {
                function.hash($0 + function.hash($1))
            },
            code(.plainHash, "\(plain) the key, and the hexadecimal hash of the base string, were hashed (nested).") {
                function.hash($0 + Hexadecimal.encode(function.hash($1)).bytes)
            },
            code(.plainHash, "\(plain) key, base string and key again were hashed.") { function.hash($0 + $1 + $0) },
            code(.plainHash, "\(plain) the consumer secret and the base string were hashed.") {
                function.hash($0.prefix { $0 != UInt8(ascii: "&") } + $1)
            },
            code(.plainHash, "\(plain) the base string and the consumer secret were hashed.") {
                function.hash($1 + $0.prefix { $0 != UInt8(ascii: "&") })
            },
            code(
                .keyHashed,
                "made its key by an HMAC-\(name) of the token secret with the consumer secret, and signed with an HMAC again."
            ) { key, text in
                let parts = key.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { Array($0) }
                return function.code(
                    key: function.code(key: parts.first ?? [], text: parts.count > 1 ? parts[1] : []),
                    text: text
                )
            },
        ]
    }

    /// Digests that were read as text and written again, which have more bytes.
    static func texts(byteCount: Int) -> [SignatureCode] {
        DigestFunction.allCases.filter { $0.byteCount < byteCount && byteCount <= 3 * $0.byteCount }.flatMap {
            function in
            [
                SignatureCode(
                    .signatureFormat,
                    "The other side took the bytes of its HMAC-\(function.name) for text (Latin-1) and encoded that in UTF-8 before Base64; it must encode the bytes."
                ) {
                    CodePage.latin1.decode(function.code(key: $0, text: $1)).bytes
                },
                SignatureCode(
                    .signatureFormat,
                    "The other side read the bytes of its HMAC-\(function.name) as UTF-8, which they are not: U+FFFD replaces the others; it must encode the bytes."
                ) {
                    function.code(key: $0, text: $1).text.bytes
                },
            ]
        }
    }
}
