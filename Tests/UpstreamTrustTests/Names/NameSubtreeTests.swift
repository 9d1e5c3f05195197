import SwiftASN1
import TestSupport
import Testing
import X509

@testable import UpstreamTrust

@Suite(.generousLimit, .timed) struct NameSubtreeTests {
    struct Row: Sendable {
        var base: GeneralName
        var name: GeneralName
        var isPermitted: Bool
        var isExcluded: Bool

        init(_ base: GeneralName, _ name: GeneralName, permitted: Bool, excluded: Bool) {
            self.base = base
            self.name = name
            isPermitted = permitted
            isExcluded = excluded
        }

        init(_ base: GeneralName, _ name: GeneralName, _ isWithin: Bool) {
            self.init(base, name, permitted: isWithin, excluded: isWithin)
        }
    }

    static let domains: [Row] = [
        Row(.dnsName("example.com"), .dnsName("example.com"), true),
        Row(.dnsName("example.com"), .dnsName("A.B.EXAMPLE.com."), true),
        Row(.dnsName("Example.COM."), .dnsName("a.example.com"), true),
        Row(.dnsName("example.com"), .dnsName("badexample.com"), false),
        Row(.dnsName("example.com"), .dnsName("com"), false),
        Row(.dnsName(".example.com"), .dnsName("example.com"), false),
        Row(.dnsName(".example.com"), .dnsName("a.example.com"), true),
        Row(.dnsName(""), .dnsName("example.com"), true),
        Row(.dnsName("example.com"), .dnsName("*.example.com"), true),
        Row(.dnsName("a.example.com"), .dnsName("*.example.com"), permitted: false, excluded: true),
        Row(.dnsName(".a.example.com"), .dnsName("*.example.com"), permitted: false, excluded: true),
        Row(.dnsName("a.b.example.com"), .dnsName("*.example.com"), false),
        Row(.dnsName("a.example.org"), .dnsName("*.example.com"), false),
        Row(.dnsName("com"), .dnsName("*.example.com"), true),
        Row(.dnsName("example.com"), .dnsName("a..example.com"), permitted: false, excluded: true),
        Row(.dnsName("example.org"), .dnsName("a*.example.com"), permitted: false, excluded: true),
        Row(.uniformResourceIdentifier("example.com"), .uniformResourceIdentifier("https://u@EXAMPLE.com:1/a"), true),
        Row(.uniformResourceIdentifier("example.com"), .uniformResourceIdentifier("https://a.example.com"), false),
        Row(.uniformResourceIdentifier(".example.com"), .uniformResourceIdentifier("https://a.example.com?q"), true),
        Row(
            .uniformResourceIdentifier("example.com"),
            .uniformResourceIdentifier("https://192.0.2.1/"),
            permitted: false,
            excluded: true
        ),
        Row(
            .uniformResourceIdentifier("example.com"),
            .uniformResourceIdentifier("urn:example.com"),
            permitted: false,
            excluded: true
        ),
    ]

    static let mailboxes: [Row] = [
        Row(.rfc822Name("example.com"), .rfc822Name("a@example.com"), true),
        Row(.rfc822Name("example.com"), .rfc822Name("a@b.example.com"), false),
        Row(.rfc822Name(".example.com"), .rfc822Name("a@b.example.com"), true),
        Row(.rfc822Name(".example.com"), .rfc822Name("a@example.com"), false),
        Row(.rfc822Name("a@example.com"), .rfc822Name("a@EXAMPLE.com"), true),
        Row(.rfc822Name("a@example.com"), .rfc822Name("A@example.com"), permitted: false, excluded: true),
        Row(.rfc822Name("a@example.com"), .rfc822Name("b@example.com"), false),
        Row(.rfc822Name("a{@example.com"), .rfc822Name("a[@example.com"), false),
        Row(.rfc822Name("example.com"), .rfc822Name("example.com"), permitted: false, excluded: true),
    ]

    static let addresses: [Row] = [
        Row(address(192, 0, 2, 0, 255, 255, 255, 0), address(192, 0, 2, 7), true),
        Row(address(192, 0, 2, 0, 255, 255, 255, 0), address(192, 0, 3, 7), false),
        Row(address(0, 0, 0, 0, 0, 0, 0, 0), address(192, 0, 3, 7), true),
        Row(address(192, 0, 2, 0, 255, 255, 254, 0), address(192, 0, 3, 7), true),
        Row(address(192, 0, 2, 0, 255, 255, 255, 0), address(192, 0, 2), permitted: false, excluded: true),
        Row(
            .ipAddress(ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 32)[...])),
            address(192, 0, 2, 7),
            false
        ),
    ]

    static let directories: [Row] = [
        Row(directory(["a"]), directory(["a", "b"]), true),
        Row(directory(["a", "b"]), directory(["a"]), false),
        Row(directory([]), directory(["a"]), true),
        Row(directory(["One  Two "]), directory(["one two"]), true),
        Row(directory(["a"]), directory(["b"]), false),
        Row(directory(["ä"]), directory(["ä"]), true),
        Row(directory(["Ä"]), directory(["ä"]), permitted: false, excluded: true),
        Row(directory(["Ä", "x"]), directory(["ä", "y"]), false),
    ]

    private static func address(_ bytes: UInt8...) -> GeneralName {
        .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
    }

    private static func directory(_ organizations: [String]) -> GeneralName {
        .directoryName(
            DistinguishedName(
                organizations.map {
                    RelativeDistinguishedName(.init(type: .RDNAttributeType.organizationName, utf8String: $0))
                }
            )
        )
    }

    @Test("A name is permitted or excluded by a subtree as its row says")
    func aNameIsPermittedOrExcludedAsItsRowSays() throws {
        for row in Self.domains + Self.mailboxes + Self.addresses + Self.directories {
            let subtree = try #require(NameSubtree(row.base), "\(row)")
            let name = ConstrainableName(row.name)
            #expect(subtree.permits(name) == row.isPermitted, "\(row)")
            #expect(subtree.excludes(name) == row.isExcluded, "\(row)")
        }
    }

    @Test("A malformed base makes no subtree")
    func malformedBasesAreNone() {
        let bases: [GeneralName] = [
            .dnsName("*.example.com"), .dnsName("a..b"), .dnsName("a b"), .rfc822Name("@example.com"),
            .uniformResourceIdentifier(""), Self.address(192, 0, 2, 0), Self.address(192, 0, 2, 0, 255, 0, 255, 0),
            Self.address(192, 0, 2, 0, 255, 255, 253, 0), Self.address(1, 2, 3, 4, 5, 6, 7),
        ]
        for base in bases { #expect(NameSubtree(base) == nil, "\(base)") }
    }
}
