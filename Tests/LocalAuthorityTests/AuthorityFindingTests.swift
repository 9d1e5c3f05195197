import Crypto
import CryptoExtras
import Foundation
import LocalAuthority
import SwiftASN1
import TestSupport
import Testing
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct AuthorityFindingTests {
    private static let everyAddress = [
        ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 8)[...]),
        ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 32)[...]),
    ]
    private static let confined = NameConstraints(
        permittedDNSDomains: ["example.com"],
        excludedIPRanges: everyAddress
    )

    /// An operator's own CA that is as narrow as Paraph's own, but for one thing.
    private static func own(
        issuer: (name: DistinguishedName, key: Certificate.PrivateKey)? = nil,
        end: TimeInterval = 365 * 86_400,
        pathLength: Int? = 0,
        keyUsage: KeyUsage? = KeyUsage(keyCertSign: true),
        purposes: [ExtendedKeyUsage.Usage] = [.serverAuth],
        names: NameConstraints? = confined,
        isCritical: Bool = true
    ) throws -> OwnAuthority {
        try OwnAuthority(
            issuer: issuer,
            end: end,
            constraints: .isCertificateAuthority(maxPathLength: pathLength),
            keyUsage: keyUsage,
            purposes: purposes,
            nameConstraints: names,
            isNamesCritical: isCritical
        )
    }

    @Test("An operator's own CA that may sign too much, or for too long, is reported with each reason's label")
    func whatMayBeSignedTooMuchIsFound() throws {
        let root = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let issuer = (name: try DistinguishedName { CommonName("Company root") }, key: root)
        let rows: [(OwnAuthority, [String])] = [
            (try Self.own(), []),
            (try Self.own(names: nil), ["any_name"]),
            (try Self.own(names: NameConstraints(permittedDNSDomains: ["example.com"])), ["any_address"]),
            (try Self.own(names: NameConstraints(excludedIPRanges: Self.everyAddress)), ["any_domain"]),
            (
                try Self.own(
                    names: NameConstraints(
                        permittedDNSDomains: ["example.com"],
                        excludedIPRanges: Self.everyAddress.prefix(1)
                    )
                ), ["any_address"]
            ),
            (try Self.own(isCritical: false), ["constraints_not_critical"]),
            (try Self.own(pathLength: nil), ["authorities_below"]),
            (try Self.own(pathLength: 1), ["authorities_below"]),
            (try Self.own(purposes: []), ["any_purpose"]),
            (try Self.own(purposes: [.serverAuth, .any]), ["any_purpose"]),
            (try Self.own(purposes: [.clientAuth]), ["no_servers"]),
            (try Self.own(keyUsage: nil), ["no_key_usage"]),
            (try Self.own(issuer: issuer), ["below_another"]),
            (try Self.own(end: 3660 * 86_400), ["long_lived"]),
            (try Self.own(end: 29 * 86_400), ["expires_soon"]),
            (try Self.own(end: 31 * 86_400), []),
        ]
        for (own, labels) in rows {
            let place = try AuthorityDirectory()
            try own.write(to: place)
            let authority = try place.loadOrCreate()
            let findings = authority.certificate.findings(at: AuthorityDirectory.now)
            #expect(findings.map(\.label) == labels)
            #expect(!authority.certificate.wasMadeByParaph)
            #expect(findings.allSatisfy { $0.description.hasPrefix("it ") || $0.description.hasPrefix("its ") })
        }
    }

    @Test("A CA whose certificate is signed with SHA-1 is reported")
    func anAuthorityThatIsSignedWithSHA1IsFound() throws {
        let place = try AuthorityDirectory()
        let key = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        try OwnAuthority(key, signatureAlgorithm: .sha1WithRSAEncryption).write(to: place)
        let findings = try place.loadOrCreate().certificate.findings(at: AuthorityDirectory.now)
        #expect(findings.map(\.label).contains("sha1"))
    }

    @Test("A CA with a weak key is refused with the size of its key")
    func anAuthorityWithAWeakKeyIsRefusedWithItsReason() throws {
        let place = try AuthorityDirectory()
        try place.directory.write(Self.weakCertificate, to: "ca.pem")
        try place.directory.write("any", to: "ca.key")
        let error = #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate() }
        #expect(error?.label == "ca_certificate_unreadable")
        #expect(error?.description.contains("an RSA key of 1024 bits, and fewer than 2048 are not accepted") == true)
    }

    /// `openssl req -x509 -newkey rsa:1024 -nodes -keyout /dev/null -subj '/CN=Weak CA' -days 3650`
    private static let weakCertificate = """
        -----BEGIN CERTIFICATE-----
        MIICADCCAWmgAwIBAgIULA3yd20hZW5SicwjDo86Zf1DjfQwDQYJKoZIhvcNAQEL
        BQAwEjEQMA4GA1UEAwwHV2VhayBDQTAeFw0yNjExMjExOTQyMjdaFw0zNjExMTgx
        OTQyMjdaMBIxEDAOBgNVBAMMB1dlYWsgQ0EwgZ8wDQYJKoZIhvcNAQEBBQADgY0A
        MIGJAoGBALattwTB/cW8nEWqUjJSy1H3213N53qSfXOSq1D62bHaTqyw7Ozx4Lfc
        af06IJ6qwcE8VGgD73ZR6+PO4D9qOlLFQpBsj2NNt6mMw3X6FTU+ZyeRO93kPlpM
        7ZosXNe0JU22fMRd9Bc4XLhXgbFbxoTPGboVk2nwzvWvo6qSVs3fAgMBAAGjUzBR
        MB0GA1UdDgQWBBQ/xxNpAnMu7t1+lzoaYKsXFaRT2TAfBgNVHSMEGDAWgBQ/xxNp
        AnMu7t1+lzoaYKsXFaRT2TAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUA
        A4GBAENO60Lah2+Xp36KY2KEFGFnAZuXTOpE3Wzn75jPVK8vvq7ZSYEeriHlHr/i
        rMHSXibLwMfc84twP9b6i0S2pyjyQrmnbQnBkK/Nq+8n4HEC9SQXbZxyuzKBLwV+
        Ya8OoN2bMEPyo/9If7vV/8GOUg3tICNsN9JRcXUfY4Jis98B
        -----END CERTIFICATE-----
        """
}
