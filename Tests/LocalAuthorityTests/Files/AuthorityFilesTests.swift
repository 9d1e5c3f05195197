import Crypto
import CryptoExtras
import Foundation
import LocalAuthority
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct AuthorityFilesTests {
    @Test("A new CA is written as a pair of files, which the next start loads")
    func aNewPairIsWrittenAndTheNextStartLoadsIt() throws {
        let place = try AuthorityDirectory()
        let made = try place.loadOrCreate()
        #expect(made.wasCreated)
        #expect(try place.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])
        #expect(place.directory.mode("ca.key") == 0o600)
        #expect(place.directory.mode("ca.pem") == 0o644)
        #expect(try place.directory.text("ca.pem") == made.certificatePEM)
        #expect(made.certificatePEM.hasSuffix("-----END CERTIFICATE-----\n"))
        let loaded = try place.loadOrCreate()
        #expect(!loaded.wasCreated)
        #expect(loaded.certificate.der == made.certificate.der)
        #expect(loaded.fingerprint == made.fingerprint)
        #expect(made.fingerprint.split(separator: ":").count == 32)
    }

    @Test("The directories that a new CA's files lack are made, for this user alone")
    func missingDirectoriesAreMadeForThisUserAlone() throws {
        let directory = try TestDirectory()
        let authority = try LocalAuthority.loadOrCreate(
            certificatePath: directory("public/ca/ca.pem"),
            keyPath: directory("state/keys/ca.key"),
            reach: AuthorityReach(hosts: []),
            now: AuthorityDirectory.now
        )
        #expect(authority.wasCreated)
        #expect(directory.mode("state") == 0o700)
        #expect(directory.mode("state/keys") == 0o700)
        #expect(try directory.text("public/ca/ca.pem") == authority.certificatePEM)
    }

    @Test(
        "A CA's key that others may read, write or execute is refused, with the command that mends it",
        arguments: [0o640, 0o604, 0o660, 0o644, 0o601, 0o620]
    )
    func aKeyThatOthersMayTouchIsRefused(_ mode: mode_t) throws {
        let place = try AuthorityDirectory()
        _ = try place.loadOrCreate()
        try place.directory.setMode(mode, of: "ca.key")
        let error = #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate() }
        #expect(error?.label == "ca_key_permissions")
        #expect(error?.description.contains("chmod 600 \(place.directory("ca.key"))") == true)
    }

    @Test("A CA's key that only this user may read is loaded", arguments: [0o600, 0o400])
    func aKeyThatOnlyThisUserMayReadIsLoaded(_ mode: mode_t) throws {
        let place = try AuthorityDirectory()
        _ = try place.loadOrCreate()
        try place.directory.setMode(mode, of: "ca.key")
        #expect(try !place.loadOrCreate().wasCreated)
    }

    /// The states that the steps of a creation leave when the process dies between two of them.
    @Test("The creation of a CA that a crash cut short is done over, or finished where the key is there")
    func aCreationThatACrashCutShortIsDoneOverOrFinished() throws {
        let other = try AuthorityDirectory()
        let dead = try other.loadOrCreate()
        let certificate = try other.directory.text("ca.pem")
        let key = try other.directory.text("ca.key")

        let early = try AuthorityDirectory()
        try early.directory.write(String(certificate.prefix(100)), to: "ca.pem.new")
        #expect(try early.loadOrCreate().wasCreated)
        #expect(try early.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])

        let middle = try AuthorityDirectory()
        try middle.directory.write(certificate, to: "ca.pem.new")
        try middle.directory.write(String(key.prefix(100)), to: "ca.key.new")
        #expect(try middle.loadOrCreate().wasCreated)
        #expect(try middle.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])

        let late = try AuthorityDirectory()
        try late.directory.write(certificate, to: "ca.pem.new")
        try late.directory.write(key, to: "ca.key")
        let finished = try late.loadOrCreate()
        #expect(!finished.wasCreated)
        #expect(finished.certificate.der == dead.certificate.der)
        #expect(try late.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])
    }

    @Test("A CA of whose two files one is missing is an error, and that file is not made anew")
    func oneFileOfThePairIsNotReplaced() throws {
        let place = try AuthorityDirectory()
        _ = try place.loadOrCreate()
        let key = try place.directory.text("ca.key")
        let certificate = try place.directory.text("ca.pem")

        let withoutCertificate = try AuthorityDirectory()
        try withoutCertificate.directory.write(key, to: "ca.key")
        let first = #expect(throws: LocalAuthorityError.self) { try withoutCertificate.loadOrCreate() }
        #expect(first?.label == "ca_certificate_missing")
        #expect(try withoutCertificate.directory.names == ["ca.key"])

        let withForeignRest = try AuthorityDirectory()
        try withForeignRest.directory.write(key, to: "ca.key")
        try withForeignRest.directory.write(OwnAuthority().certificatePEM, to: "ca.pem.new")
        let second = #expect(throws: LocalAuthorityError.self) { try withForeignRest.loadOrCreate() }
        #expect(second?.label == "ca_certificate_missing")

        let withoutKey = try AuthorityDirectory()
        try withoutKey.directory.write(certificate, to: "ca.pem")
        let third = #expect(throws: LocalAuthorityError.self) { try withoutKey.loadOrCreate() }
        #expect(third?.label == "ca_key_missing")
        #expect(try withoutKey.directory.names == ["ca.pem"])
    }

    @Test("Of many starts at once one makes the CA, and all have it")
    func ofManyStartsAtOnceOneMakesTheAuthorityAndAllHaveIt() async throws {
        let place = try AuthorityDirectory()
        let authorities = try await withThrowingTaskGroup(of: LocalAuthority.self) { group in
            for _ in 0..<8 { group.addTask { try place.loadOrCreate() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(authorities.count { $0.wasCreated } == 1)
        #expect(Set(authorities.map(\.certificate.der)).count == 1)
        #expect(try place.directory.names == ["ca.key", "ca.pem", "ca.pem.anchors"])
    }

    @Test("An operator's own CA is used as it is, whatever kind of key it has")
    func anOperatorsOwnAuthorityIsUsedAsItIs() async throws {
        let keys: [(Certificate.PrivateKey, Certificate.SignatureAlgorithm)] = [
            (.init(P256.Signing.PrivateKey()), .ecdsaWithSHA256),
            (.init(P384.Signing.PrivateKey()), .ecdsaWithSHA384),
            (.init(try _RSA.Signing.PrivateKey(keySize: .bits2048)), .sha256WithRSAEncryption),
        ]
        for (key, algorithm) in keys {
            let place = try AuthorityDirectory()
            let own = try OwnAuthority(key, signatureAlgorithm: algorithm)
            try own.write(to: place)
            let authority = try place.loadOrCreate()
            #expect(!authority.wasCreated)
            #expect(authority.certificatePEM == own.certificatePEM)
            let leaf = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
            #expect(leaf.notAfter == authority.certificate.notValidAfter)
            let roots = try PEMCertificates.parse(authority.certificatePEM)
            let decision = await ChainVerifier(policy: TLSPolicy(trust: .certificates(roots))).verify(
                presentedDER: leaf.chainDER,
                serverName: .dns("a.example"),
                pinning: nil,
                at: AuthorityDirectory.now
            )
            #expect(try decision.get().path.count == 2)
        }
    }

    @Test("A CA that another one has signed is presented with its leaves")
    func anAuthorityBelowAnotherIsPresentedWithItsLeaves() throws {
        let place = try AuthorityDirectory()
        let root = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let own = try OwnAuthority(issuer: (DistinguishedName { CommonName("Company root") }, root))
        try own.write(to: place)
        let authority = try place.loadOrCreate()
        let leaf = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        #expect(leaf.chainDER == [leaf.certificateDER, authority.certificate.der])
    }

    @Test("Of the CAs above an operator's own, all but the root are presented with its leaves")
    func ofThoseThatAnAuthorityIsBelowTheRootIsNotPresented() throws {
        let place = try AuthorityDirectory()
        let (rootKey, middleKey) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("An operator's own CA") }
        let root = try OwnAuthority(Certificate.PrivateKey(rootKey))
        // It has its issuer's name, as a root with a new key that the old one has signed.
        let middle = try OwnAuthority(
            Certificate.PrivateKey(middleKey),
            issuer: (name, Certificate.PrivateKey(rootKey))
        )
        let own = try OwnAuthority(
            issuer: (DistinguishedName { CommonName("Company CA") }, Certificate.PrivateKey(middleKey))
        )
        try own.write(to: place)
        try place.directory.write(
            own.certificatePEM + middle.certificatePEM + root.certificatePEM,
            to: "ca.pem"
        )
        let authority = try place.loadOrCreate()
        let leaf = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        let middleDER = try PEMDocument(pemString: middle.certificatePEM).derBytes
        #expect(leaf.chainDER == [leaf.certificateDER, authority.certificate.der, middleDER])
        #expect(authority.certificatePEM == own.certificatePEM + middle.certificatePEM + root.certificatePEM)
    }

    @Test("Files that are no usable CA are refused, each pair with its reason")
    func whatIsNoUsableAuthorityIsRefusedWithItsReason() throws {
        let good = try OwnAuthority()
        let cases: [(certificate: String, key: String, label: String)] = [
            (good.certificatePEM, try OwnAuthority().keyPEM, "ca_key_mismatch"),
            (try OwnAuthority(end: -1).certificatePEM, "", "ca_key_unreadable"),
            (good.certificatePEM, "no key", "ca_key_unreadable"),
            (good.certificatePEM, good.certificatePEM, "ca_key_unreadable"),
            (good.certificatePEM, String(repeating: "a", count: 1_100_000), "ca_file"),
            ("", good.keyPEM, "ca_certificate_unreadable"),
            (good.keyPEM, good.keyPEM, "ca_certificate_unreadable"),
        ]
        for row in cases {
            let place = try AuthorityDirectory()
            try place.directory.write(row.certificate, to: "ca.pem")
            try place.directory.write(row.key, to: "ca.key")
            let error = #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate() }
            #expect(error?.label == row.label)
            #expect(error?.description.contains(place.directory.path) == true)
        }
        let owns: [(OwnAuthority, String)] = [
            (try OwnAuthority(end: -1), "ca_expired"),
            (try OwnAuthority(start: 60), "ca_not_yet_valid"),
            (try OwnAuthority(constraints: .notCertificateAuthority), "ca_not_an_authority"),
            (try OwnAuthority(constraints: nil), "ca_not_an_authority"),
            (try OwnAuthority(keyUsage: KeyUsage(digitalSignature: true)), "ca_not_an_authority"),
        ]
        for (own, label) in owns {
            let place = try AuthorityDirectory()
            try own.write(to: place)
            let error = #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate() }
            #expect(error?.label == label)
        }
    }

    @Test("A directory in the place of a CA's key is refused as no regular file")
    func aDirectoryInTheKeysPlaceIsAClearError() throws {
        let place = try AuthorityDirectory()
        _ = try place.loadOrCreate()
        try FileManager.default.removeItem(atPath: place.directory("ca.key"))
        try FileManager.default.createDirectory(
            atPath: place.directory("ca.key"),
            withIntermediateDirectories: true
        )
        let error = #expect(throws: LocalAuthorityError.self) { try place.loadOrCreate() }
        #expect(error?.description == "cannot read \(place.directory("ca.key")): it is not a regular file")
    }

    @Test("A file in the place of a CA's directory is refused as no directory")
    func aFileInADirectorysPlaceIsAClearError() throws {
        let directory = try TestDirectory()
        try directory.write("", to: "state")
        let error = #expect(throws: LocalAuthorityError.self) {
            try LocalAuthority.loadOrCreate(
                certificatePath: directory("state/ca.pem"),
                keyPath: directory("state/ca.key"),
                reach: AuthorityReach(hosts: []),
                now: AuthorityDirectory.now
            )
        }
        #expect(error?.label == "ca_file")
        #expect(error?.description.contains("is not a directory") == true)
    }
}
