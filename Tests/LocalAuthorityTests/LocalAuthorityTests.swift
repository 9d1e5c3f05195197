import Foundation
import LocalAuthority
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct LocalAuthorityTests {
    @Test("A new CA's certificate allows as little as it can: leaves alone, for less than ten years")
    func aNewAuthorityIsAsNarrowAsItCanBe() throws {
        let authority = try AuthorityDirectory().loadOrCreate()
        let certificate = try Certificate(derEncoded: authority.certificate.der)
        #expect(certificate.version == .v3)
        #expect(certificate.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(certificate.publicKey.description == "P256.PublicKey")
        #expect(certificate.issuer == certificate.subject)
        #expect("\(certificate.subject)".contains("CN=Paraph local CA "))
        #expect(certificate.extensions.count == 5)
        let constraints = try #require(certificate.extensions[oid: .X509ExtensionID.basicConstraints])
        #expect(constraints.critical)
        #expect(try BasicConstraints(constraints) == .isCertificateAuthority(maxPathLength: 0))
        let usage = try #require(certificate.extensions[oid: .X509ExtensionID.keyUsage])
        #expect(usage.critical)
        #expect(try KeyUsage(usage) == KeyUsage(keyCertSign: true, cRLSign: true))
        let identifier = try #require(certificate.extensions[oid: .X509ExtensionID.subjectKeyIdentifier])
        #expect(!identifier.critical)
        #expect(try SubjectKeyIdentifier(identifier) == SubjectKeyIdentifier(hash: certificate.publicKey))
        #expect(certificate.notValidBefore == Date(timeIntervalSince1970: 1_779_996_400))
        let lifetime = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
        #expect(lifetime > 9 * 365 * 86_400)
        #expect(lifetime < 10 * 365 * 86_400)
        #expect(certificate.notValidAfter == authority.certificate.notValidAfter)
        #expect(Self.isSerialNumberInOrder(certificate))
        #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    }

    @Test("Two new CAs have different names and keys")
    func twoAuthoritiesHaveDifferentNamesAndKeys() throws {
        let first = try Certificate(derEncoded: AuthorityDirectory().loadOrCreate().certificate.der)
        let second = try Certificate(derEncoded: AuthorityDirectory().loadOrCreate().certificate.der)
        #expect(first.subject != second.subject)
        #expect(first.publicKey != second.publicKey)
    }

    @Test(
        "A leaf is for exactly one host, and for servers alone",
        arguments: [
            "api.example.com", "localhost",
            "xn--bcher-kva.example",
            "192.0.2.7", "2001:db8::7",
            "under_score.example.com",
            String(repeating: "a", count: 60) + ".example.com",
        ]
    )
    func aLeafIsForExactlyOneHost(_ host: String) throws {
        let authority = try AuthorityDirectory().loadOrCreate()
        let issuer = try Certificate(derEncoded: authority.certificate.der)
        let serverName = ServerName(host: host)
        let made = try authority.leaf(for: serverName, now: AuthorityDirectory.now)
        let leaf = try Certificate(derEncoded: made.certificateDER)
        #expect(leaf.version == .v3)
        #expect(leaf.issuer == issuer.subject)
        #expect(leaf.subject.isEmpty)
        #expect(issuer.publicKey.isValidSignature(leaf.signature, for: leaf))
        #expect(leaf.extensions.count == 6)
        let names = try #require(leaf.extensions[oid: .X509ExtensionID.subjectAlternativeName])
        #expect(names.critical)
        #expect(try SubjectAlternativeNames(names) == SubjectAlternativeNames([Self.generalName(serverName)]))
        let purposes = try #require(leaf.extensions[oid: .X509ExtensionID.extendedKeyUsage])
        #expect(try ExtendedKeyUsage(purposes) == ExtendedKeyUsage([.serverAuth]))
        let usage = try #require(leaf.extensions[oid: .X509ExtensionID.keyUsage])
        #expect(usage.critical)
        #expect(try KeyUsage(usage) == KeyUsage(digitalSignature: true))
        #expect(try leaf.extensions.basicConstraints == .notCertificateAuthority)
        #expect(
            try leaf.extensions.authorityKeyIdentifier?.keyIdentifier
                == issuer.extensions.subjectKeyIdentifier?.keyIdentifier
        )
        #expect(try leaf.extensions.subjectKeyIdentifier == SubjectKeyIdentifier(hash: leaf.publicKey))
        #expect(Self.isSerialNumberInOrder(leaf))
        #expect(made.notBefore == leaf.notValidBefore)
        #expect(made.notAfter == leaf.notValidAfter)
        #expect(made.chainDER.first == made.certificateDER)
        #expect(made.chainDER.count == 2)
    }

    @Test("A leaf is backdated by an hour, and lives for seven days")
    func aLeafIsBackDatedByAnHourAndLivesForSevenDaysAtMost() throws {
        let leaf = try AuthorityDirectory().loadOrCreate().leaf(
            for: .dns("api.example.com"),
            now: AuthorityDirectory.now.addingTimeInterval(86_400)
        )
        #expect(leaf.notBefore == Date(timeIntervalSince1970: 1_780_082_800))
        #expect(leaf.notAfter == Date(timeIntervalSince1970: 1_780_082_800 + 7 * 86_400 - 1))
    }

    @Test("A leaf is valid only while its CA is, and an expired CA makes none")
    func aLeafLivesWithinTheLifeOfTheAuthority() throws {
        let authority = try AuthorityDirectory().loadOrCreate()
        let issuer = try Certificate(derEncoded: authority.certificate.der)
        let first = try authority.leaf(for: .dns("a.example"), now: issuer.notValidBefore.addingTimeInterval(5))
        #expect(first.notBefore == issuer.notValidBefore)
        let end = authority.certificate.notValidAfter
        let last = try authority.leaf(for: .dns("a.example"), now: end.addingTimeInterval(-60))
        #expect(last.notAfter == end)
        let error = #expect(throws: LocalAuthorityError.self) {
            try authority.leaf(for: .dns("a.example"), now: end)
        }
        #expect(error?.label == "ca_expired")
    }

    @Test("All leaves of a CA have one key, which is not the CA's, and another one after the next start")
    func theKeyOfTheLeavesIsOneOfTheProcessAndNotTheAuthoritys() throws {
        let place = try AuthorityDirectory()
        let authority = try place.loadOrCreate()
        let first = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        let second = try authority.leaf(for: .dns("b.example"), now: AuthorityDirectory.now)
        #expect(first.privateKeyDER == second.privateKeyDER)
        #expect(first.privateKeyDER == authority.leafKeyDER)
        let key = try Certificate.PrivateKey(
            pemEncoded: PEMDocument(type: "PRIVATE KEY", derBytes: first.privateKeyDER).pemString
        )
        let leaf = try Certificate(derEncoded: first.certificateDER)
        #expect(leaf.publicKey == key.publicKey)
        #expect(try leaf.publicKey != Certificate(derEncoded: authority.certificate.der).publicKey)
        #expect(try leaf.serialNumber != Certificate(derEncoded: second.certificateDER).serialNumber)
        let other = try place.loadOrCreate().leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        #expect(other.privateKeyDER != first.privateKeyDER)
    }

    @Test(
        "A client that trusts a CA accepts a leaf of it for the leaf's host alone",
        arguments: [
            "api.example.com", "192.0.2.7", "2001:db8::7", String(repeating: "a", count: 60) + ".example.com",
        ]
    )
    func aClientThatTrustsTheAuthorityAcceptsTheLeafForItsHostAlone(_ host: String) throws {
        let authority = try AuthorityDirectory().loadOrCreate()
        let leaf = try authority.leaf(for: ServerName(host: host), now: AuthorityDirectory.now)
        for (name, isAccepted) in [(host, true), ("other.example.com", false), ("192.0.2.8", false)] {
            #expect(try OpenSSLClient.accepts(leaf, of: name, trusting: authority.certificatePEM) == isAccepted)
        }
    }

    @Test(
        "A CA makes no leaf for a name that is not one of a host",
        arguments: [
            ServerName.dns(""), .dns("*.example.com"), .dns("a..b"), .dns(".a"), .dns("a b"), .dns("a\0b"),
            .dns("bücher.example"),
            .dns("A.example"), .dns("a/b"), .dns(String(repeating: "a", count: 64)),
            .dns(String(repeating: "a.", count: 127) + "a"),
            .ip([]), .ip([1, 2, 3]), .ip([UInt8](repeating: 0, count: 17)),
        ]
    )
    func noLeafIsMadeForWhatIsNoHost(_ serverName: ServerName) throws {
        let authority = try AuthorityDirectory().loadOrCreate()
        let error = #expect(throws: LocalAuthorityError.self) {
            try authority.leaf(for: serverName, now: AuthorityDirectory.now)
        }
        #expect(error?.label == "ca_server_name")
    }

    @Test("A CA or a leaf that is printed does not show its key")
    func neitherAuthorityNorLeafPrintsItsKey() throws {
        let authority = try AuthorityDirectory().loadOrCreate()
        let leaf = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        var dumped = ""
        dump(authority, to: &dumped)
        dump(leaf, to: &dumped)
        #expect("\(authority) \(leaf) \(String(reflecting: authority)) \(String(reflecting: leaf))".count < 600)
        #expect(dumped.count < 300, "\(dumped)")
    }

    private static func isSerialNumberInOrder(_ certificate: Certificate) -> Bool {
        let bytes = certificate.serialNumber.bytes
        return bytes.count == 16 && bytes.first.map { $0 & 0xC0 == 0x40 } == true
    }

    private static func generalName(_ serverName: ServerName) -> GeneralName {
        switch serverName {
        case .dns(let name): .dnsName(name)
        case .ip(let bytes): .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        }
    }
}
