import Foundation
import LocalAuthority
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct AuthorityReachTests {
    @Test(
        "A new CA is confined to the hosts that are configured",
        arguments: [
            (["api.example.com"], ["DNS:api.example.com"], ["IP:0.0.0.0/0", "IP:::/0"]),
            (["api.example.com:8443", "api.example.com"], ["DNS:api.example.com"], ["IP:0.0.0.0/0", "IP:::/0"]),
            (
                ["*.example.com", "api.example.com", "example.org"], ["DNS:example.com", "DNS:example.org"],
                ["IP:0.0.0.0/0", "IP:::/0"]
            ),
            (
                ["notexample.com", "example.com"], ["DNS:example.com", "DNS:notexample.com"],
                ["IP:0.0.0.0/0", "IP:::/0"]
            ),
            (["localhost", "127.0.0.1:8443"], ["DNS:localhost", "IP:127.0.0.1"], ["IP:::/0"]),
            (["localhost", "[::1]:8443"], ["DNS:localhost", "IP:::1"], ["IP:0.0.0.0/0"]),
            (["192.0.2.7", "[2001:db8::7]"], ["DNS:invalid", "IP:192.0.2.7", "IP:2001:db8::7"], []),
            ([], ["DNS:invalid"], ["IP:0.0.0.0/0", "IP:::/0"]),
        ]
    )
    func aNewAuthorityIsConfinedToTheHosts(_ hosts: [String], permitted: [String], excluded: [String]) throws {
        let authority = try AuthorityDirectory().loadOrCreate(hosts: hosts)
        #expect(authority.certificate.permitted == permitted)
        #expect(authority.certificate.excluded == excluded)
        let constraints = try Certificate(derEncoded: authority.certificate.der)
            .extensions[oid: .X509ExtensionID.nameConstraints]
        // Go would refuse all that is below a critical constraint on subjects.
        #expect(constraints?.critical == false)
        let excluded = try constraints.map { try NameConstraints($0).excludedSubtrees }
        #expect(excluded?.contains(.directoryName(DistinguishedName())) == true)
        #expect(authority.certificate.uncovered(by: try AuthorityDirectory.reach(hosts)).isEmpty)
        #expect(authority.certificate.findings(at: AuthorityDirectory.now).isEmpty)
    }

    @Test(
        "A client accepts the leaves of a CA for the hosts that the CA reaches, and for no others",
        arguments: [
            ("api.example.com", true), ("below.api.example.com", true), ("example.com", false), ("example.org", false),
            ("xapi.example.com", false), ("one.example.net", true), ("one.two.example.net", true),
            ("example.net", true),
            ("192.0.2.7", true), ("192.0.2.8", false), ("2001:db8::7", true), ("2001:db8::8", false), ("com", false),
            ("::ffff:192.0.2.7", false), ("invalid", false),
        ]
    )
    func aClientAcceptsItsLeavesAsFarAsItReaches(_ host: String, isReached: Bool) async throws {
        let authority = try AuthorityDirectory().loadOrCreate(
            hosts: ["api.example.com", "*.example.net", "192.0.2.7", "[2001:db8::7]"]
        )
        #expect(authority.certificate.covers(ServerName(host: host)) == isReached)
        let leaf = try authority.leaf(for: ServerName(host: host), now: AuthorityDirectory.now)
        #expect(try OpenSSLClient.accepts(leaf, of: host, trusting: authority.certificatePEM) == isReached)
    }

    @Test(
        "The names that an operator's own CA reaches are told from its constraints",
        arguments: [
            (permitted: [], excluded: [], host: "*.example.com", isCovered: true),
            (permitted: ["example.com"], excluded: [], host: "*.example.com", isCovered: true),
            (permitted: ["com"], excluded: [], host: "*.example.com", isCovered: true),
            (permitted: [".example.com"], excluded: [], host: "*.example.com", isCovered: true),
            (permitted: [".example.com"], excluded: [], host: "example.com", isCovered: false),
            (permitted: ["a.example.com"], excluded: [], host: "*.example.com", isCovered: false),
            (permitted: ["x.example.com"], excluded: [], host: "*.example.com", isCovered: false),
            (permitted: [], excluded: ["a.example.com"], host: "*.example.com", isCovered: false),
            (permitted: [], excluded: ["b.a.example.com"], host: "*.example.com", isCovered: true),
            (permitted: [], excluded: ["example.com"], host: "*.example.com", isCovered: false),
            (permitted: [], excluded: ["example.com"], host: "a.example.com", isCovered: false),
            (permitted: [], excluded: [""], host: "a.example.com", isCovered: false),
            (permitted: [""], excluded: [], host: "a.example.com", isCovered: true),
            (permitted: ["EXAMPLE.com"], excluded: [], host: "a.example.com", isCovered: true),
        ]
    )
    func theReachOfAnOperatorsOwnAuthorityIsToldFromItsConstraints(
        permitted: [String],
        excluded: [String],
        host: String,
        isCovered: Bool
    ) throws {
        let place = try AuthorityDirectory()
        let constraints = NameConstraints(permittedDNSDomains: permitted, excludedDNSDomains: excluded)
        try OwnAuthority(nameConstraints: permitted + excluded == [] ? nil : constraints).write(to: place)
        let authority = try place.loadOrCreate()
        #expect(authority.certificate.uncovered(by: try AuthorityDirectory.reach([host])).isEmpty == isCovered)
    }

    @Test("The addresses that an operator's own CA reaches are told from its constraints")
    func theRangesOfAddressesOfAnOperatorsOwnAuthorityAreTold() throws {
        let place = try AuthorityDirectory()
        let range = ASN1OctetString(contentBytes: [10, 0, 0, 0, 255, 0, 0, 0])
        let hole = ASN1OctetString(contentBytes: [10, 1, 0, 0, 255, 255, 0, 0])
        let constraints = NameConstraints(permittedIPRanges: [range], excludedIPRanges: [hole])
        try OwnAuthority(nameConstraints: constraints).write(to: place)
        let authority = try place.loadOrCreate()
        #expect(authority.certificate.permitted == ["IP:10.0.0.0/8"])
        let hosts = ["10.2.3.4", "10.1.3.4", "192.0.2.7", "[2001:db8::7]", "api.example.com"]
        #expect(
            authority.certificate.uncovered(by: try AuthorityDirectory.reach(hosts)).map { "\($0)" }
                == ["10.1.3.4", "192.0.2.7", "[2001:db8::7]"]
        )
    }

    @Test("Hosts that are configured after a CA was made are told as those that it does not reach")
    func hostsThatWereAddedAreNotReached() throws {
        let place = try AuthorityDirectory()
        _ = try place.loadOrCreate(hosts: ["api.example.com"])
        let loaded = try place.loadOrCreate(hosts: ["api.example.com", "api.example.org", "192.0.2.7"])
        #expect(!loaded.wasCreated)
        let wanted = try AuthorityDirectory.reach([
            "api.example.com", "*.api.example.com:8443", "api.example.org:444", "192.0.2.7",
        ])
        #expect(loaded.certificate.uncovered(by: wanted).map { "\($0)" } == ["api.example.org:444", "192.0.2.7"])
    }

    @Test("A leaf of a CA that confines subjects has no subject")
    func aCertificateOfAnAuthorityThatConfinesSubjectsHasNone() async throws {
        let place = try AuthorityDirectory()
        let subjects = try DistinguishedName { OrganizationName("Somebody") }
        try OwnAuthority(
            nameConstraints: NameConstraints(permittedSubtrees: [.directoryName(subjects)], excludedSubtrees: [])
        )
        .write(to: place)
        let leaf = try place.loadOrCreate().leaf(for: .dns("api.example.com"), now: AuthorityDirectory.now)
        #expect(try Certificate(derEncoded: leaf.certificateDER).subject.isEmpty)
    }
}
