import Foundation
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@testable import LocalAuthority

@Suite(.generousLimit, .timed) struct AnchorTests {
    private static let hosts = ["api.example.com", "192.0.2.7"]

    private static func root(_ authority: LocalAuthority) throws -> (certificate: Certificate, pem: String) {
        let der = authority.certificate.trustStoreDER
        return (try Certificate(derEncoded: der), PEMDocument(type: "CERTIFICATE", derBytes: der).pemString)
    }

    @Test("The root for Java has a key of its own, and confines the CA below it to the CA's reach")
    func theRootForJavaIsConfinedLikeTheAuthorityAndHasAnotherKey() throws {
        let place = try AuthorityDirectory()
        let authority = try place.loadOrCreate(hosts: Self.hosts)
        let root = try Self.root(authority).certificate
        let own = try Certificate(derEncoded: authority.certificate.der)
        #expect(root.publicKey != own.publicKey)
        #expect(root.subject != own.subject)
        #expect(try root.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 1))
        let leaf = try authority.leaf(for: .dns("api.example.com"), now: AuthorityDirectory.now)
        let cross = try Certificate(derEncoded: try #require(leaf.chainDER.last))
        #expect(leaf.chainDER.count == 2)
        #expect(root.publicKey.isValidSignature(cross.signature, for: cross))
        #expect(cross.subject == own.subject)
        #expect(cross.publicKey == own.publicKey)
        #expect(try cross.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(
            cross.extensions[oid: .X509ExtensionID.nameConstraints]
                == own.extensions[oid: .X509ExtensionID.nameConstraints]
        )
        for certificate in [root, cross] { #expect(certificate.notValidAfter == own.notValidAfter) }
    }

    @Test("A client that trusts the root for Java accepts the leaves that the CA reaches, and no others")
    func whoTrustsTheRootForJavaAcceptsTheLeavesThatTheAuthorityReaches() async throws {
        let authority = try AuthorityDirectory().loadOrCreate(hosts: Self.hosts)
        let pem = try Self.root(authority).pem
        for (host, isAccepted) in [("api.example.com", true), ("192.0.2.7", true), ("a.example", false)] {
            let leaf = try authority.leaf(for: ServerName(host: host), now: AuthorityDirectory.now)
            #expect(try OpenSSLClient.accepts(leaf, of: host, trusting: pem) == isAccepted)
        }
    }

    @Test("A CA for a thousand hosts presents with a leaf only the certificate for its host's share")
    func anAuthorityWithManyHostsPresentsNoMoreThanItsShareOfThem() async throws {
        let hosts = (0..<1000).map { "h\($0).example.com" } + (0..<100).map { "192.0.2.\($0)" } + ["[2001:db8::7]"]
        let place = try AuthorityDirectory()
        let authority = try place.loadOrCreate(hosts: hosts)
        let loaded = try place.loadOrCreate(hosts: hosts)
        #expect(loaded.certificate.trustStoreDER == authority.certificate.trustStoreDER)
        #expect(authority.certificate.der.count > 20_000)
        let root = try Self.root(authority)
        for host in ["h0.example.com", "h999.example.com", "below.h500.example.com", "192.0.2.99", "2001:db8::7"] {
            for authority in [authority, loaded] {
                let leaf = try authority.leaf(for: ServerName(host: host), now: AuthorityDirectory.now)
                #expect(leaf.chainDER.count == 2)
                #expect(leaf.chainDER.reduce(0) { $0 + $1.count } < 3000)
                #expect(try OpenSSLClient.accepts(leaf, of: host, trusting: root.pem))
                #expect(try OpenSSLClient.accepts(leaf, of: host, trusting: authority.certificatePEM))
            }
        }
        for host in ["example.com", "h1000.example.com", "192.0.2.100", "2001:db8::8", "invalid"] {
            let leaf = try authority.leaf(for: ServerName(host: host), now: AuthorityDirectory.now)
            #expect(leaf.chainDER.count == 2)
            #expect(try !OpenSSLClient.accepts(leaf, of: host, trusting: root.pem))
        }
    }

    /// The certificates that a thief of the CA's key can choose from.
    @Test("The shares of a CA's hosts reach all of them together, and none reaches more")
    func noShareReachesWhatTheAuthorityDoesNot() throws {
        let hosts = (0..<40).map { "h\($0).example.com" } + (0..<40).map { "192.0.2.\($0)" }
        let place = try AuthorityDirectory()
        let authority = try place.loadOrCreate(hosts: hosts)
        let shares = try #require(authority.certificate.anchors.first).crossCertificates
        #expect(shares.count == 3)
        #expect(Set(shares.flatMap(\.reach.permittedDomains)) == Set(authority.certificate.reach.permittedDomains))
        for share in shares {
            #expect(share.reach.confinesDomains)
            #expect(share.reach.confinesSubjects)
            for host in ["example.com", "a.example", "invalid", "192.0.2.40", "2001:db8::7"] {
                #expect(!share.covers(ServerName(host: host)))
            }
        }
        for host in hosts {
            #expect(shares.contains { $0.covers(ServerName(host: host)) })
        }
    }

    @Test("The root for Java stays from one start to the next, also with more hosts configured")
    func itStaysWhileTheReachDoes() throws {
        let place = try AuthorityDirectory()
        let made = try place.loadOrCreate(hosts: Self.hosts)
        #expect(place.directory.mode("ca.pem.anchors") == 0o644)
        #expect(try !place.directory.text("ca.pem.anchors").contains("KEY"))
        let loaded = try place.loadOrCreate(hosts: Self.hosts + ["b.example"])
        #expect(loaded.certificate.trustStoreDER == made.certificate.trustStoreDER)
        #expect(try place.load()?.certificate.trustStoreDER == made.certificate.trustStoreDER)
        let read = try AuthorityCertificate.read(path: place.directory("ca.pem"))
        #expect(read?.trustStoreDER == made.certificate.trustStoreDER)
    }

    @Test(
        "The root for Java is made anew where its file cannot be read as one",
        arguments: ["", "no certificates", "-----BEGIN CERTIFICATE-----\n"]
    )
    func itIsMadeAnewWhereItsFileIsOfNoUse(_ text: String) throws {
        let place = try AuthorityDirectory()
        let made = try place.loadOrCreate(hosts: Self.hosts)
        try place.directory.write(text, to: "ca.pem.anchors")
        #expect(try place.load()?.certificate.trustStoreDER == made.certificate.der)
        let again = try place.loadOrCreate(hosts: Self.hosts)
        #expect(again.certificate.trustStoreDER != made.certificate.trustStoreDER)
        #expect(again.certificate.trustStoreDER != made.certificate.der)
        #expect(again.certificate.der == made.certificate.der)
    }

    @Test("A root for Java that is another CA's is not used")
    func oneOfAnotherAuthorityIsOfNoUse() throws {
        let place = try AuthorityDirectory()
        let made = try place.loadOrCreate(hosts: Self.hosts)
        let other = try AuthorityDirectory()
        _ = try other.loadOrCreate(hosts: Self.hosts)
        let (own, foreign) = (try place.directory.text("ca.pem.anchors"), try other.directory.text("ca.pem.anchors"))
        let end = "-----END CERTIFICATE-----\n"
        // The root of one with the certificate that the root of the other signed.
        let mixed = foreign.components(separatedBy: end)[0] + end + own.components(separatedBy: end)[1] + end
        for text in [foreign, mixed] {
            try place.directory.write(text, to: "ca.pem.anchors")
            #expect(try place.load()?.certificate.trustStoreDER == made.certificate.der)
        }
    }

    @Test("A CA is loaded also where no root for Java can be written beside it")
    func anAuthorityIsLoadedAlsoWhereNoneCanBeWritten() throws {
        let place = try AuthorityDirectory()
        let made = try place.loadOrCreate(hosts: Self.hosts)
        try FileManager.default.removeItem(atPath: place.directory("ca.pem.anchors"))
        // What cannot be replaced by a file.
        try FileManager.default.createDirectory(
            atPath: place.directory("ca.pem.anchors.new/in-the-way"),
            withIntermediateDirectories: true
        )
        let loaded = try place.loadOrCreate(hosts: Self.hosts)
        #expect(loaded.certificate.der == made.certificate.der)
        #expect(loaded.certificate.trustStoreDER == made.certificate.der)
    }

    @Test("The last three roots for Java stay good for their hosts when the CA is renewed")
    func thoseOfRenewalsBeforeStayGoodForTheirHosts() async throws {
        let place = try AuthorityDirectory()
        var roots = [try Self.root(place.loadOrCreate(hosts: ["a.example"])).pem]
        for number in 1...3 {
            _ = try place.renew(hosts: ["a.example", "b.example", "c\(number).example"])
            roots.append(try Self.root(place.loadOrCreate(hosts: [])).pem)
        }
        #expect(Set(roots).count == 4)
        let authority = try place.loadOrCreate(hosts: [])
        let old = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        let new = try authority.leaf(for: .dns("b.example"), now: AuthorityDirectory.now)
        // The leaf and one certificate for each of the last three.
        #expect(old.chainDER.count == 4)
        for (index, root) in roots.enumerated() {
            #expect(try OpenSSLClient.accepts(old, of: "a.example", trusting: root) == (index > 0))
            #expect(try OpenSSLClient.accepts(new, of: "b.example", trusting: root) == (index > 0))
        }
    }

    @Test("The root for Java is made anew also by a renewal that changes only when the CA expires")
    func itIsMadeAnewWithARenewalThatOnlyProlongs() throws {
        let place = try AuthorityDirectory()
        let before = try place.loadOrCreate(hosts: Self.hosts)
        let later = AuthorityDirectory.now.addingTimeInterval(86_400)
        _ = try place.renew(hosts: Self.hosts, now: later)
        let after = try place.loadOrCreate(hosts: Self.hosts, now: later)
        #expect(after.certificate.trustStoreDER != before.certificate.trustStoreDER)
        #expect(try Self.root(after).certificate.notValidAfter == after.certificate.notValidAfter)
    }

    @Test("A renewal with a new key drops the root for Java of the old key")
    func thoseOfAnotherKeyAreDropped() throws {
        let place = try AuthorityDirectory()
        let before = try place.loadOrCreate(hosts: Self.hosts)
        _ = try place.renew(hosts: Self.hosts, withNewKey: true)
        let after = try place.loadOrCreate(hosts: Self.hosts)
        #expect(after.certificate.trustStoreDER != before.certificate.trustStoreDER)
        #expect(try after.leaf(for: .dns("api.example.com"), now: AuthorityDirectory.now).chainDER.count == 2)
    }

    @Test("An operator's own CA has no root for Java")
    func anOperatorsOwnAuthorityHasNone() throws {
        let place = try AuthorityDirectory()
        try OwnAuthority().write(to: place)
        let authority = try place.loadOrCreate()
        #expect(authority.certificate.trustStoreDER == authority.certificate.der)
        #expect(try place.directory.names == ["ca.key", "ca.pem"])
        let leaf = try authority.leaf(for: .dns("a.example"), now: AuthorityDirectory.now)
        #expect(leaf.chainDER == [leaf.certificateDER])
    }
}
