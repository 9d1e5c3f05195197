import Crypto
import Foundation
import ParaphConfiguration
import SwiftASN1
import TestSupport
import UpstreamTrust
import X509

/// The servers that the columns of `docs/pinning.md` tell of, the pins that its words stand for, and the files.
struct PolicyServers {
    static let columns = ["as pinned", "renewed", "new key", "other CA", "other name", "private"]

    private let directory: TestDirectory
    private let systemRoots: [Certificate]
    private let chains: [String: [Certificate]]
    private let pinned: [(word: String, certificate: Certificate)]

    private struct Authority {
        var certificate: Certificate
        var key: Certificate.PrivateKey
    }

    init() throws {
        let root = try Self.authority("root", by: nil)
        let issuer = try Self.authority("issuer", by: root)
        let otherRoot = try Self.authority("other root", by: nil)
        let privateRoot = try Self.authority("private root", by: nil)
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let leaf = try Self.leaf(by: issuer, key: key)
        let privateLeaf = try Self.leaf(by: privateRoot)
        let backup = try Self.leaf(by: try Self.authority("elsewhere", by: nil))
        systemRoots = [root.certificate, otherRoot.certificate]
        chains = [
            "as pinned": [leaf, issuer.certificate],
            "renewed": [try Self.leaf(by: issuer, key: key), issuer.certificate],
            "new key": [try Self.leaf(by: issuer), issuer.certificate],
            "other CA": [try Self.leaf(by: otherRoot)],
            "other name": [try Self.leaf(by: issuer, name: "elsewhere.example.org", key: key), issuer.certificate],
            "private": [privateLeaf],
        ]
        pinned = [
            ("LEAF", leaf), ("CA", issuer.certificate), ("ROOT", root.certificate), ("PRIVATE", privateLeaf),
            ("BACKUP", backup),
        ]
        directory = try TestDirectory()
        let files = [
            "leaf": leaf, "ca": issuer.certificate, "backup": backup, "private-root": privateRoot.certificate,
        ]
        for (name, certificate) in files {
            try directory.write(try certificate.serializeAsPEM().pemString + "\n", to: "\(name).pem")
        }
    }

    /// Reads what a cell says of an API, with the words replaced by what they stand for.
    func read(_ yaml: String) throws(ConfigurationMistakes) -> Configuration {
        var lines = yaml.replacing("{P}", with: "{mode: public_key, pins: [LEAF, BACKUP]}")
            .replacing(", P}", with: ", mode: public_key, pins: [LEAF, BACKUP]}")
        for (word, certificate) in pinned {
            // No line of the tables has pins of certificates.
            let pin = (try? Pin.publicKey(of: certificate).text) ?? ""
            lines = lines.replacing("[\(word),", with: "[\(pin),").replacing("[\(word)]", with: "[\(pin)]")
                .replacing(" \(word),", with: " \(pin),").replacing(" \(word)]", with: " \(pin)]")
        }
        let hosts = lines.hasPrefix("hosts:") ? "" : "hosts: [api.example.com], "
        let text = "apis: {t: {\(hosts)bearer: {}, accounts: {default: {token: t}}, \(lines)}}\n"
        return try Configuration.read(Array(text.utf8), file: "\(directory.path)/paraph.yaml", environment: [:])
    }

    /// `yes`, `no` or `report`.
    func decision(_ policy: TLSPolicy, pinning: PinningPolicy?, column: String) async throws -> String {
        var policy = policy
        if case .system = policy.trust { policy.trust = .certificates(systemRoots) }
        let decision = await ChainVerifier(policy: policy).verify(
            presentedDER: try (chains[column] ?? []).map { try $0.serializeAsPEM().derBytes },
            serverName: ServerName(host: "api.example.com"),
            pinning: pinning,
            at: Date()
        )
        return switch decision {
        case .refused: "no"
        case .accepted(let accepted): accepted.reported == nil ? "yes" : "report"
        }
    }

    private static func authority(_ name: String, by issuer: Authority?) throws -> Authority {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let certificate = try certificate(name, key: key, issuer: issuer) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        }
        return Authority(certificate: certificate, key: key)
    }

    private static func leaf(
        by issuer: Authority,
        name: String = "api.example.com",
        key: Certificate.PrivateKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
    ) throws -> Certificate {
        try certificate(name, key: key, issuer: issuer) { SubjectAlternativeNames([.dnsName(name)]) }
    }

    private static func certificate(
        _ name: String,
        key: Certificate.PrivateKey,
        issuer: Authority?,
        @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> Certificate {
        let subject = try DistinguishedName { CommonName(name) }
        return try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -3600),
            notValidAfter: Date(timeIntervalSinceNow: 86_400),
            issuer: issuer?.certificate.subject ?? subject,
            subject: subject,
            extensions: try extensions().get(),
            issuerPrivateKey: issuer?.key ?? key
        )
    }
}
