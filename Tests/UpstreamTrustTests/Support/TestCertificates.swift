import CryptoExtras
import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Certificates by name, made when the tests start: two roots, two intermediates, and every kind of leaf that a row of
/// the tables asks for. `now` is the time that they are made for.
struct TestCertificates {
    static let now = Date(timeIntervalSince1970: 1_780_000_000)
    static let all = Result { try TestCertificates() }

    private var certificates: [String: Certificate] = [:]
    private var keys: [String: Certificate.PrivateKey] = [:]

    subscript(name: String) -> Certificate {
        get throws {
            guard let certificate = certificates[name] else { throw UnknownCertificate(name: name) }
            return certificate
        }
    }

    struct UnknownCertificate: Error {
        var name: String
    }

    private init() throws {
        try addAuthorities()
        try addLeaves()
        try addMisfits()
    }

    private mutating func addAuthorities() throws {
        try add("root", authority())
        try add("other root", authority())
        try add("intermediate 1", authority(issuer: "root"))
        try add("intermediate 2", authority(issuer: "intermediate 1"))
        try add("root by other root", authority(subject: "root", key: "root", issuer: "other root"))
        try add("other root by root", authority(subject: "other root", key: "other root", issuer: "root"))
        var expired = authority(subject: "intermediate 2", key: "intermediate 2", issuer: "intermediate 1")
        expired.end = -Self.day
        try add("intermediate 2, expired", expired)
        var early = expired
        early.start = Self.day
        early.end = 2 * Self.day
        try add("intermediate 2, not yet valid", early)
        var leafLike = authority(subject: "intermediate 2", key: "intermediate 2", issuer: "intermediate 1")
        leafLike.isAuthority = false
        try add("intermediate 2, no authority", leafLike)
        try add("intermediate 2, forged", authority(subject: "intermediate 2", issuer: "intermediate 1"))
        try add("old root", authority { $0.end = -Self.day })
        try add("unrelated", authority())
    }

    private mutating func addLeaves() throws {
        try add("leaf", leaf())
        try add("leaf by root", leaf(issuer: "root"))
        try add("leaf by intermediate 1", leaf(issuer: "intermediate 1"))
        try add("leaf by old root", leaf(issuer: "old root"))
        try add("leaf, renewed", leaf(key: "leaf"))
        try add("leaf, expired", leaf { $0.end = -Self.day })
        try add("leaf, not yet valid", leaf { $0.start = Self.day })
        try add("leaf, other name", leaf { $0.names = [.dnsName("other.example.org")] })
        try add("leaf, wildcard", leaf { $0.names = [.dnsName("*.example.com")] })
        try add("leaf, part wildcard", leaf { $0.names = [.dnsName("a*.example.com")] })
        try add("leaf, wildcard in the middle", leaf { $0.names = [.dnsName("api.*.com")] })
        try add("leaf, bare wildcard", leaf { $0.names = [.dnsName("*")] })
        try add("leaf, wildcard of a top domain", leaf { $0.names = [.dnsName("*.com")] })
        try add("leaf, upper case", leaf { $0.names = [.dnsName("API.Example.COM")] })
        try add("leaf, no alternative name", leaf { $0.names = [] })
        try add("leaf, address as a name", leaf { $0.names = [.dnsName("192.0.2.7")] })
        try add("leaf, IPv4", leaf { $0.names = [Self.address([192, 0, 2, 7])] })
        try add(
            "leaf, IPv6",
            leaf { $0.names = [Self.address([0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7])] }
        )
        try add("leaf, e-mail", leaf { $0.names = [.rfc822Name("api.example.com")] })
    }

    private mutating func addMisfits() throws {
        try add("self-signed", leaf(issuer: nil))
        try add("self-signed authority", authority { $0.names = [.dnsName("api.example.com")] })
        try add("leaf below a leaf", leaf(issuer: "leaf"))
        try add("version 1", authority(issuer: "intermediate 2") { $0.version = .v1 })
        try add("leaf by version 1", leaf(issuer: "version 1"))
        try add("root of version 1", authority { $0.version = .v1 })
        try add("leaf by a root of version 1", leaf(issuer: "root of version 1"))
        try add(
            "intermediate, no signing",
            authority(issuer: "root") { $0.keyUsage = KeyUsage(digitalSignature: true) }
        )
        try add("leaf by no signing", leaf(issuer: "intermediate, no signing"))
        try add("intermediate for lists", authority(issuer: "root") { $0.keyUsage = KeyUsage(cRLSign: true) })
        try add("leaf by lists", leaf(issuer: "intermediate for lists"))
        try add("intermediate, loose", authority(issuer: "root") { $0.looseKeyUsage = true })
        try add("leaf by loose", leaf(issuer: "intermediate, loose"))
        try add("intermediate, short", authority(issuer: "root") { $0.pathLength = 0 })
        try add("intermediate below short", authority(issuer: "intermediate, short"))
        try add("leaf too deep", leaf(issuer: "intermediate below short"))
        try add("leaf, an authority", leaf { $0.isAuthority = true })
        try add("leaf, an authority by default", leaf { ($0.isAuthority, $0.keyUsage) = (true, nil) })
        try add("leaf that may sign", leaf { $0.keyUsage = KeyUsage(digitalSignature: true, keyCertSign: true) })
        try add("leaf with constraints", leaf { $0.permitted = ["example.com"] })
        try add("leaf, empty subject, names not critical", leaf { $0.subject = "" })
        try add("intermediate for mail", authority(issuer: "root") { $0.purposes = [.emailProtection] })
        try add("leaf by mail", leaf(issuer: "intermediate for mail"))
        try add("leaf for clients", leaf { $0.purposes = [.clientAuth] })
        try add("leaf for anything", leaf { $0.purposes = [.any] })
        try add("leaf without purpose", leaf { $0.purposes = [] })
        try add("leaf, critical purpose", leaf { $0.criticalPurpose = true })
        try add("leaf, empty subject", leaf { $0.hasEmptySubject = true })
        try add("leaf, unknown extension", leaf { $0.unknownExtension = true })
        try add("intermediate, confined", authority(issuer: "root") { $0.permitted = ["example.org"] })
        try add("leaf by confined", leaf(issuer: "intermediate, confined"))
        try add("intermediate, allowed", authority(issuer: "root") { $0.permitted = ["example.com"] })
        try add("leaf by allowed", leaf(issuer: "intermediate, allowed"))
        try addUncritical()
        try addIdentifiers()
        keys["RSA"] = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        try add("intermediate, RSA", authority(key: "RSA", issuer: "root"))
        try add("leaf, SHA-1", leaf(issuer: "intermediate, RSA") { $0.algorithm = .sha1WithRSAEncryption })
        try add("root, SHA-1", authority(key: "RSA") { $0.algorithm = .sha1WithRSAEncryption })
        try add("leaf by SHA-1 root", leaf(issuer: "root, SHA-1"))
        try add("intermediate, SHA-1", authority(issuer: "root, SHA-1") { $0.algorithm = .sha1WithRSAEncryption })
        try add("leaf by SHA-1 intermediate", leaf(issuer: "intermediate, SHA-1"))
        try add("leaf, SHA-256 with RSA", leaf(issuer: "intermediate, RSA"))
    }
}

extension TestCertificates {
    private mutating func addUncritical() throws {
        try add("root, not critical", authority { $0.isStrict = false })
        try add("leaf by root, not critical", leaf(issuer: "root, not critical"))
        let policies = Certificate.Extension(oid: [2, 5, 29, 36], critical: false, value: [0x30, 3, 0x80, 1, 0])
        let anyPolicy = Certificate.Extension(oid: [2, 5, 29, 54], critical: false, value: [2, 1, 0])
        let kinds: [(String, (inout Template) -> Void)] = [
            ("basic constraints", { $0.isStrict = false }),
            ("name constraints", { ($0.isStrict, $0.permitted) = (false, ["example.com"]) }),
            ("policy constraints", { $0.more = [policies] }), ("any policy", { $0.more = [anyPolicy] }),
        ]
        for (kind, change) in kinds {
            try add("uncritical \(kind)", authority(issuer: "root", change))
            try add("leaf by uncritical \(kind)", leaf(issuer: "uncritical \(kind)"))
        }
    }

    /// Leaves with authority key identifiers.
    private mutating func addIdentifiers() throws {
        let identifiers: [(String, [UInt8])] = [
            ("empty key identifier", [0x30, 2, 0x80, 0]), ("serial number alone", [0x30, 3, 0x82, 1, 1]),
            ("issuer alone", [0x30, 5, 0xA1, 3, 0x82, 1, 0x61]), ("no issuer", [0x30, 5, 0xA1, 0, 0x82, 1, 1]),
            ("issuer and serial number", [0x30, 8, 0xA1, 3, 0x82, 1, 0x61, 0x82, 1, 1]), ("nothing", [0x30, 0]),
        ]
        for (name, value) in identifiers {
            let identifier = Certificate.Extension(oid: [2, 5, 29, 35], critical: false, value: value[...])
            try add("leaf, \(name)", leaf(issuer: "root") { $0.more = [identifier] })
        }
    }

    /// The template that a certificate is made from; times are seconds from `now`.
    struct Template {
        var version = Certificate.Version.v3
        var subject: String?
        var key: String?
        var issuer: String?
        var start: TimeInterval = -30 * day
        var end: TimeInterval = 300 * day
        var isAuthority = false
        var pathLength: Int?
        var keyUsage: KeyUsage? = KeyUsage(digitalSignature: true)
        /// The key usage of an authority, encoded with trailing zero bits.
        var looseKeyUsage = false
        var names: [GeneralName] = []
        var purposes: [ExtendedKeyUsage.Usage] = []
        var criticalPurpose = false
        var hasEmptySubject = false
        var unknownExtension = false
        var permitted: [String] = []
        /// Indicates whether what restricts an authority is critical.
        var isStrict = true
        var more: [Certificate.Extension] = []
        var algorithm: Certificate.SignatureAlgorithm?
    }

    private static let day: TimeInterval = 86_400

    private static func address(_ bytes: [UInt8]) -> GeneralName {
        .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
    }

    private func authority(
        subject: String? = nil,
        key: String? = nil,
        issuer: String? = nil,
        _ change: (inout Template) -> Void = { _ in }
    ) -> Template {
        var template = Template(subject: subject, key: key, issuer: issuer)
        template.isAuthority = true
        template.keyUsage = KeyUsage(keyCertSign: true, cRLSign: true)
        change(&template)
        return template
    }

    private func leaf(
        key: String? = nil,
        issuer: String? = "intermediate 2",
        _ change: (inout Template) -> Void = { _ in }
    ) -> Template {
        var template = Template(subject: "api.example.com", key: key, issuer: issuer)
        template.names = [.dnsName("api.example.com")]
        template.purposes = [.serverAuth]
        change(&template)
        return template
    }

    private mutating func add(_ name: String, _ template: Template) throws {
        let key = template.key.flatMap { keys[$0] } ?? Certificate.PrivateKey(P256.Signing.PrivateKey())
        let subject =
            try template.hasEmptySubject || template.subject == ""
            ? DistinguishedName() : DistinguishedName { CommonName(template.subject ?? name) }
        let issuer = try template.issuer.map { try self[$0] }
        let issuerKey = template.issuer.flatMap { keys[$0] } ?? key
        let extensions = try template.version == .v1 ? Certificate.Extensions() : extensions(template)
        if let algorithm = template.algorithm {
            certificates[name] = try Certificate(
                version: .v3,
                serialNumber: .init(),
                publicKey: key.publicKey,
                notValidBefore: Self.now.addingTimeInterval(template.start),
                notValidAfter: Self.now.addingTimeInterval(template.end),
                issuer: issuer?.subject ?? subject,
                subject: subject,
                signatureAlgorithm: algorithm,
                extensions: extensions,
                issuerPrivateKey: issuerKey
            )
        } else {
            certificates[name] = try Certificate(
                version: template.version,
                serialNumber: .init(),
                publicKey: key.publicKey,
                notValidBefore: Self.now.addingTimeInterval(template.start),
                notValidAfter: Self.now.addingTimeInterval(template.end),
                issuer: issuer?.subject ?? subject,
                subject: subject,
                extensions: extensions,
                issuerPrivateKey: issuerKey
            )
        }
        keys[name] = key
    }

    private func extensions(_ template: Template) throws -> Certificate.Extensions {
        var extensions = try Certificate.Extensions {
            if template.isAuthority, !template.isStrict, template.permitted.isEmpty {
                BasicConstraints.isCertificateAuthority(maxPathLength: template.pathLength)
            } else if template.isAuthority {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: template.pathLength))
            } else {
                Critical(BasicConstraints.notCertificateAuthority)
            }
            if template.looseKeyUsage {
                Certificate.Extension(oid: .X509ExtensionID.keyUsage, critical: true, value: [3, 3, 7, 6, 0])
            } else if let keyUsage = template.keyUsage {
                Critical(keyUsage)
            }
            if !template.names.isEmpty {
                if template.hasEmptySubject {
                    Critical(SubjectAlternativeNames(template.names))
                } else {
                    SubjectAlternativeNames(template.names)
                }
            }
            if !template.purposes.isEmpty {
                if template.criticalPurpose {
                    Critical(try ExtendedKeyUsage(template.purposes))
                } else {
                    try ExtendedKeyUsage(template.purposes)
                }
            }
            if !template.permitted.isEmpty {
                let constraints = NameConstraints(
                    permittedSubtrees: template.permitted.map { .dnsName($0) },
                    excludedSubtrees: []
                )
                if template.isStrict {
                    Critical(constraints)
                } else {
                    constraints
                }
            }
            if template.unknownExtension {
                Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 99_999, 1], critical: true, value: [5, 0])
            }
        }
        for extra in template.more { try extensions.append(extra) }
        return extensions
    }
}
