import Bytes

// HMACs that are put together by hand, and digests whose bytes were changed on their way.
extension SignatureCode {
    static func handmade(_ function: DigestFunction) -> [SignatureCode] {
        let name = function.name
        let built = "put its HMAC-\(name) together by hand:"
        let block = function.blockByteCount
        let other = block == 64 ? 128 : 64
        return [
            code(.hmac, "\(built) it has blocks of \(other) bytes in place of \(block).") { key, text in
                let key = key.count > other ? function.hash(key) : key
                return Self.hmac(function, key, text, block: other)
            },
            code(
                .hmac,
                "\(built) a key of more than \(block) bytes is hashed first, which it was not (the whole key was taken)."
            ) { key, text in
                // A shorter one is taken whole in any case.
                key.count > block ? Self.hmac(function, key, text, block: block) : []
            },
            code(.hmac, "\(built) the inner and the outer padding (0x36, 0x5C) are exchanged.") { key, text in
                let key = key.count > block ? function.hash(key) : key
                return Self.hmac(function, key, text, block: block, pads: (0x5C, 0x36))
            },
            code(.hmac, "\(built) the inner hash went on in hexadecimal digits.") { key, text in
                let key = key.count > block ? function.hash(key) : key
                return Self.hmac(function, key, text, block: block) { Hexadecimal.encode($0).bytes }
            },
            code(
                .signatureFormat,
                "took the bytes of its HMAC-\(name) for text in ASCII, where a ? stands for all from 80 on; it must encode the "
                    + "bytes."
            ) { key, text in
                function.code(key: key, text: text).map { $0 < 128 ? $0 : UInt8(ascii: "?") }
            },
            code(
                .signatureFormat,
                "took the bytes of its HMAC-\(name) for text in ASCII, without their highest bits; it must encode the bytes."
            ) { key, text in
                function.code(key: key, text: text).map { $0 & 0x7F }
            },
            code(.signatureFormat, "wrote the eight bytes of each word of its HMAC-\(name) in another order.") {
                let digest = function.code(key: $0, text: $1)
                return stride(from: 0, to: digest.count, by: 8).flatMap {
                    digest[$0..<min($0 + 8, digest.count)].reversed()
                }
            },
        ]
    }

    private static func hmac(
        _ function: DigestFunction,
        _ key: [UInt8],
        _ text: [UInt8],
        block: Int,
        pads: (inner: UInt8, outer: UInt8) = (0x36, 0x5C),
        between: ([UInt8]) -> [UInt8] = { $0 }
    ) -> [UInt8] {
        let key = key + repeatElement(0, count: max(0, block - key.count))
        let inner = function.hash(key.map { $0 ^ pads.inner } + text)
        return function.hash(key.map { $0 ^ pads.outer } + between(inner))
    }
}
