import Crypto
import FoundationEssentials
import SwiftASN1
import X509

@testable import UpstreamTrust

/// A root and certificates below it that are signed as they are asked for.
struct SignedChain {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let rootKey = P256.Signing.PrivateKey()
    private static let leafKey = P256.Signing.PrivateKey()
    private static let rootName = name("root")

    let root: Certificate
    let leaf: Certificate

    /// - Parameters:
    ///   - constraints: The root's.
    ///   - names: The leaf's.
    ///   - serialNumber: The leaf's.
    init(
        constraints: NameConstraints? = nil,
        names: [GeneralName] = [.dnsName("api.example.com")],
        serialNumber: [UInt8] = [1]
    ) throws {
        root = try Self.certificate(
            Self.rootName,
            Self.rootKey,
            Certificate.SerialNumber(bytes: [1][...]),
            Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                if let constraints { Critical(constraints) }
            }
        )
        leaf = try Self.certificate(
            Self.name("leaf"),
            Self.leafKey,
            Certificate.SerialNumber(bytes: serialNumber[...]),
            Certificate.Extensions { SubjectAlternativeNames(names) }
        )
    }

    /// Returns what is decided on the leaf when the root is trusted.
    func decision(revocation: RevocationPolicy? = nil) -> TrustDecision {
        let verifier = ChainVerifier(
            policy: TLSPolicy(trust: .certificates([root]), verifiesHostname: false, revocation: revocation)
        )
        let presented = [PresentedCertificate(leaf).bytes]
        return Immediately.run {
            await verifier.verify(
                presentedDER: presented,
                serverName: ServerName(host: "api.example.com"),
                pinning: nil,
                at: Self.now
            )
        }
    }

    /// A revocation list of the root's (RFC 5280, section 5.1), in DER.
    static func revocationList(of serialNumbers: [[UInt8]]) throws -> [UInt8] {
        let algorithm: [UInt8] = node(0x30, node(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]))
        var issuer = DER.Serializer()
        try issuer.serialize(rootName)
        let entries = serialNumbers.map { node(0x30, node(0x02, $0) + time("261130000000Z")) }
        var fields = node(0x02, [1]) + algorithm + issuer.serializedBytes
        fields += time("261201000000Z") + time("350101000000Z")
        if !entries.isEmpty { fields += node(0x30, entries.flatMap { $0 }) }
        let toBeSigned = node(0x30, fields)
        let signature = try rootKey.signature(for: toBeSigned).derRepresentation
        return node(0x30, toBeSigned + algorithm + node(0x03, [0] + signature))
    }

    private static func time(_ text: String) -> [UInt8] { node(0x17, Array(text.utf8)) }

    private static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 128 { return [tag, UInt8(count)] + content }
        if count < 256 { return [tag, 0x81, UInt8(count)] + content }
        return [tag, 0x82, UInt8(count >> 8), UInt8(count & 255)] + content
    }

    private static func name(_ text: String) -> DistinguishedName {
        guard let name = try? DistinguishedName(builder: { CommonName(text) }) else { fatalError("no name of \(text)") }
        return name
    }

    private static func certificate(
        _ subject: DistinguishedName,
        _ key: P256.Signing.PrivateKey,
        _ serialNumber: Certificate.SerialNumber,
        _ extensions: Certificate.Extensions
    ) throws -> Certificate {
        try Certificate(
            version: .v3,
            serialNumber: serialNumber,
            publicKey: Certificate.PrivateKey(key).publicKey,
            notValidBefore: now.addingTimeInterval(-60),
            notValidAfter: now.addingTimeInterval(60),
            issuer: rootName,
            subject: subject,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(rootKey)
        )
    }
}
