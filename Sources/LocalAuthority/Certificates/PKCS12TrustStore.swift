import Crypto
import SwiftASN1

/// A PKCS#12 file (RFC 7292) of trusted certificates and no key, as Java's `keytool` and TLS read it.
///
/// The certificates are public and stand in it unencrypted; the password only keys the check of the file's integrity.
/// RFC 7292 has no word for "trusted", so each certificate carries Oracle's attribute, without which Java sees none.
package enum PKCS12TrustStore {
    private static let saltBytes = 16

    /// - Parameters:
    ///   - certificates: Any number. Java takes aliases without regard to case and keeps one certificate for each, so
    ///     the second of one alias gets " (2)" after it.
    ///   - password: ASCII, or Java refuses it; its custom is "changeit".
    /// - Returns: DER; another salt each time.
    /// - Throws: ``LocalAuthorityError/trustStoreNotMade``, never for certificates that could be read.
    package static func encode(
        _ certificates: [(alias: String, der: [UInt8])],
        password: String
    ) throws(LocalAuthorityError) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return try encode(certificates, password: password, salt: salt)
    }

    static func encode(
        _ certificates: [(alias: String, der: [UInt8])],
        password: String,
        salt: [UInt8]
    ) throws(LocalAuthorityError) -> [UInt8] {
        do {
            let bags = named(certificates)
            let contents = try bytes { serializer in
                // AuthenticatedSafe: one part, unencrypted.
                try serializer.appendConstructedNode(identifier: .sequence) { safe in
                    let bags = try bytes { serializer in
                        try serializer.appendConstructedNode(identifier: .sequence) { try $0.serializeAll(bags) }
                    }
                    try safe.serialize(PKCS12ContentInfo(bytes: bags))
                }
            }
            let mac = PKCS12MAC(of: contents, password: password, salt: salt)
            return try bytes { serializer in
                try serializer.appendConstructedNode(identifier: .sequence) { file in
                    try file.serialize(3)
                    try file.serialize(PKCS12ContentInfo(bytes: contents))
                    try file.serialize(mac)
                }
            }
        } catch {
            throw .trustStoreNotMade
        }
    }

    private static func named(_ certificates: [(alias: String, der: [UInt8])]) -> [PKCS12CertificateBag] {
        var taken: Set<String> = []
        return certificates.map { certificate in
            var alias = certificate.alias
            var count = 1
            while !taken.insert(alias.lowercased()).inserted {
                count += 1
                alias = "\(certificate.alias) (\(count))"
            }
            return PKCS12CertificateBag(alias: alias, certificateDER: certificate.der)
        }
    }

    private static func bytes(_ write: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try write(&serializer)
        return serializer.serializedBytes
    }
}

extension DER.Serializer {
    fileprivate mutating func serializeAll(_ bags: [PKCS12CertificateBag]) throws {
        for bag in bags { try serialize(bag) }
    }
}

/// A ContentInfo of the type data (RFC 5652, section 3): the bytes as they are.
private struct PKCS12ContentInfo: DERSerializable {
    let bytes: [UInt8]

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { content in
            try content.serialize(ASN1ObjectIdentifier.PKCS12.data)
            try content.serialize(
                ASN1OctetString(contentBytes: bytes[...]),
                explicitlyTaggedWithTagNumber: 0,
                tagClass: .contextSpecific
            )
        }
    }
}

extension ASN1ObjectIdentifier {
    enum PKCS12 {
        /// RFC 5652.
        static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
        /// RFC 7292, section 4.2.3.
        static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 3]
        /// PKCS#9, RFC 2985.
        static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 22, 1]
        static let friendlyName: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 20]
        /// Oracle's own: what the certificate is trusted for.
        static let trustedKeyUsage: ASN1ObjectIdentifier = [2, 16, 840, 1, 113_894, 746_875, 1, 1]
        /// RFC 5280, section 4.2.1.12.
        static let anyExtendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37, 0]
        static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    }
}

/// One trusted certificate: a SafeBag of the type certBag (RFC 7292, section 4.2.3) with a name and what makes Java
/// trust it.
struct PKCS12CertificateBag: DERSerializable {
    let alias: String
    let certificateDER: [UInt8]

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { bag in
            try bag.serialize(ASN1ObjectIdentifier.PKCS12.certificateBag)
            try bag.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { value in
                try value.appendConstructedNode(identifier: .sequence) { certificate in
                    try certificate.serialize(ASN1ObjectIdentifier.PKCS12.x509Certificate)
                    try certificate.serialize(
                        ASN1OctetString(contentBytes: certificateDER[...]),
                        explicitlyTaggedWithTagNumber: 0,
                        tagClass: .contextSpecific
                    )
                }
            }
            try bag.serializeSetOf([
                Attribute(type: .PKCS12.friendlyName, value: .name(alias)),
                Attribute(type: .PKCS12.trustedKeyUsage, value: .usage(.PKCS12.anyExtendedKeyUsage)),
            ])
        }
    }

    private struct Attribute: DERSerializable {
        enum Value {
            case name(String)
            case usage(ASN1ObjectIdentifier)
        }

        let type: ASN1ObjectIdentifier
        let value: Value

        func serialize(into coder: inout DER.Serializer) throws {
            try coder.appendConstructedNode(identifier: .sequence) { attribute in
                try attribute.serialize(type)
                try attribute.appendConstructedNode(identifier: .set) { values in
                    switch value {
                    case .name(let name):
                        try values.serialize(ASN1BMPString(contentBytes: PKCS12Text.bytes(name)[...]))
                    case .usage(let usage):
                        try values.serialize(usage)
                    }
                }
            }
        }
    }
}

/// The BMPString that PKCS#12 writes names and passwords in: UTF-16, the high byte first.
enum PKCS12Text {
    static func bytes(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}

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

    /// Repeats bytes to whole blocks.
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
