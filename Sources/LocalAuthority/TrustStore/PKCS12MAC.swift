import Crypto
import SwiftASN1

/// The check of a PKCS#12 file's integrity: MacData of RFC 7292, section 4, HMAC-SHA-256 with a key derived from the
/// password as in appendix B.
struct PKCS12MAC: DERSerializable {
    /// The customary number. It slows down who guesses the password, which is no secret here.
    private static let iterations = 2048
    /// The block of SHA-256, "v" of appendix B.
    private static let blockBytes = 64
    /// "ID" of appendix B.3 for a key of a MAC.
    private static let macKeyPurpose: UInt8 = 3

    let digest: [UInt8]
    let salt: [UInt8]

    /// - Parameter salt: One byte at least.
    init(of contents: [UInt8], password: String, salt: [UInt8]) {
        let key = Self.key(password: password, salt: salt, iterations: Self.iterations)
        digest = Array(HMAC<SHA256>.authenticationCode(for: contents, using: SymmetricKey(data: key)))
        self.salt = salt
    }

    /// The 32 bytes of appendix B.2, for at least one iteration. They are one block of SHA-256, so that its steps 6B
    /// and 6C never happen.
    static func key(password: String, salt: [UInt8], iterations: Int) -> [UInt8] {
        let text = PKCS12Text.bytes(password) + [0, 0]
        let diversifier = [UInt8](repeating: Self.macKeyPurpose, count: Self.blockBytes)
        var block = Array(SHA256.hash(data: diversifier + Self.filled(salt) + Self.filled(text)))
        for _ in 1..<iterations { block = Array(SHA256.hash(data: block)) }
        return block
    }

    /// Repeated to whole blocks.
    private static func filled(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let count = (bytes.count + Self.blockBytes - 1) / Self.blockBytes * Self.blockBytes
        return (0..<count).map { bytes[$0 % bytes.count] }
    }

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { mac in
            try mac.appendConstructedNode(identifier: .sequence) { digestInfo in
                try digestInfo.appendConstructedNode(identifier: .sequence) { algorithm in
                    try algorithm.serialize(ASN1ObjectIdentifier.PKCS12.sha256)
                    try algorithm.serialize(ASN1Null())
                }
                try digestInfo.serialize(ASN1OctetString(contentBytes: digest[...]))
            }
            try mac.serialize(ASN1OctetString(contentBytes: salt[...]))
            try mac.serialize(Self.iterations)
        }
    }
}
