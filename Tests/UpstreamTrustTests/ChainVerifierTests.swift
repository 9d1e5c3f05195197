import FoundationEssentials
import SwiftASN1
import Testing
import UpstreamTrust
import X509

@Suite struct ChainVerifierTests {
    static let whole = ["leaf", "intermediate 2", "intermediate 1"]
    static let path = ["leaf", "intermediate 2", "intermediate 1", "root"]

    @Test(arguments: paths + dates + names + misfits + pins)
    func aChainIsDecidedUponAsItsRowSays(_ row: ChainCase) async throws {
        let certificates = try TestCertificates.all.get()
        let presented = try row.presented.map { try certificates[$0] }
        let verifier = ChainVerifier(policy: try row.policy(certificates))
        let serverName = ServerName(host: row.host)
        let pinning = try row.pinning(certificates)
        let result = await verifier.verify(
            presented: presented,
            serverName: serverName,
            pinning: pinning,
            at: TestCertificates.now
        )
        switch (row.expected, result) {
        case (.path(let names), .accepted(let accepted)):
            #expect(try accepted.path == names.map { try certificates[$0] })
        case (.refused(let label), .refused(let failure)):
            #expect(failure.label == label, "\(failure.sentence)")
        case (.path, .refused(let failure)):
            Issue.record("refused: \(failure.sentence)")
        case (.refused(let label), .accepted):
            Issue.record("accepted, though \(label)")
        }
        let octets = try presented.map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
        let fromOctets = await verifier.verify(
            presentedDER: octets,
            serverName: serverName,
            pinning: pinning,
            at: TestCertificates.now
        )
        #expect(fromOctets == result)
    }

    static let paths: [ChainCase] = [
        ChainCase(what: "root, two intermediates, leaf", presented: whole, expected: .path(path)),
        ChainCase(what: "the root presented too", presented: whole + ["root"], expected: .path(path)),
        ChainCase(
            what: "out of order",
            presented: ["leaf", "root", "intermediate 1", "intermediate 2"],
            expected: .path(path)
        ),
        ChainCase(
            what: "one of them twice",
            presented: ["leaf", "leaf", "intermediate 2", "intermediate 2", "intermediate 1"],
            expected: .path(path)
        ),
        ChainCase(
            what: "an unrelated one among them",
            presented: ["leaf", "unrelated", "intermediate 2", "intermediate 1"],
            expected: .path(path)
        ),
        ChainCase(
            what: "an intermediate that is trusted itself",
            trusted: ["intermediate 1"],
            presented: ["leaf", "intermediate 2"],
            expected: .path(["leaf", "intermediate 2", "intermediate 1"])
        ),
        ChainCase(
            what: "a leaf by the root",
            presented: ["leaf by root"],
            expected: .path(["leaf by root", "root"])
        ),
        ChainCase(
            what: "cross-signed: through the other root",
            trusted: ["other root"],
            presented: whole + ["root by other root"],
            expected: .path(["leaf", "intermediate 2", "intermediate 1", "root by other root", "other root"])
        ),
        ChainCase(
            what: "cross-signed: both roots trusted, the shorter path",
            trusted: ["other root", "root"],
            presented: whole + ["root by other root"],
            expected: .path(path)
        ),
        ChainCase(
            what: "roots that signed each other, neither trusted",
            trusted: ["unrelated"],
            presented: whole + ["root by other root", "other root by root"],
            expected: .refused("untrusted_root")
        ),
        ChainCase(
            what: "a forged intermediate beside the real one",
            presented: ["leaf", "intermediate 2, forged", "intermediate 2", "intermediate 1"],
            expected: .path(path)
        ),
        ChainCase(
            what: "only the forged intermediate",
            presented: ["leaf", "intermediate 2, forged", "intermediate 1"],
            expected: .refused("wrong_signature")
        ),
        ChainCase(
            what: "a missing intermediate",
            presented: ["leaf", "intermediate 1"],
            expected: .refused("missing_issuer")
        ),
        ChainCase(what: "the leaf alone", presented: ["leaf"], expected: .refused("missing_issuer")),
        ChainCase(
            what: "the root unknown and not presented",
            trusted: ["other root"],
            presented: whole,
            expected: .refused("missing_issuer")
        ),
        ChainCase(
            what: "the root unknown and presented",
            trusted: ["other root"],
            presented: whole + ["root"],
            expected: .refused("untrusted_root")
        ),
        ChainCase(what: "no roots at all", trusted: [], presented: whole, expected: .refused("missing_issuer")),
        ChainCase(what: "nothing presented", presented: [], expected: .refused("no_certificate")),
        ChainCase(what: "self-signed", presented: ["self-signed"], expected: .refused("self_signed")),
        ChainCase(
            what: "self-signed and trusted, but no authority",
            trusted: ["self-signed"],
            presented: ["self-signed"],
            expected: .refused("leaf_is_no_root")
        ),
        ChainCase(
            what: "self-signed, an authority and trusted",
            trusted: ["self-signed authority"],
            presented: ["self-signed authority"],
            expected: .path(["self-signed authority"])
        ),
        ChainCase(
            what: "the root first and the leaf second",
            presented: ["root", "leaf by root"],
            expected: .refused("wrong_hostname")
        ),
    ]

    static let dates: [ChainCase] = [
        ChainCase(
            what: "an expired leaf",
            presented: ["leaf, expired", "intermediate 2", "intermediate 1"],
            expected: .refused("expired")
        ),
        ChainCase(
            what: "a leaf not yet valid",
            presented: ["leaf, not yet valid", "intermediate 2", "intermediate 1"],
            expected: .refused("not_yet_valid")
        ),
        ChainCase(
            what: "an expired intermediate",
            presented: ["leaf", "intermediate 2, expired", "intermediate 1"],
            expected: .refused("expired")
        ),
        ChainCase(
            what: "an intermediate not yet valid",
            presented: ["leaf", "intermediate 2, not yet valid", "intermediate 1"],
            expected: .refused("not_yet_valid")
        ),
        ChainCase(
            what: "an expired intermediate beside its renewal",
            presented: ["leaf", "intermediate 2, expired", "intermediate 2", "intermediate 1"],
            expected: .path(path)
        ),
        ChainCase(
            what: "an expired root",
            trusted: ["old root"],
            presented: ["leaf by old root"],
            expected: .refused("expired")
        ),
        ChainCase(
            what: "expired, and names are not verified",
            presented: ["leaf, expired", "intermediate 2", "intermediate 1"],
            verifiesHostname: false,
            expected: .refused("expired")
        ),
    ]

    static let names: [ChainCase] =
        [
            ("leaf", "API.EXAMPLE.COM", true), ("leaf", "api.example.com.", true), ("leaf", "example.com", false),
            ("leaf", "api.example.com.evil.org", false), ("leaf", "xapi.example.com", false),
            ("leaf, upper case", "api.example.com", true),
            ("leaf, other name", "api.example.com", false), ("leaf, wildcard", "api.example.com", true),
            ("leaf, wildcard", "a.b.example.com", false), ("leaf, wildcard", "example.com", false),
            ("leaf, wildcard", ".example.com", false), ("leaf, part wildcard", "api.example.com", false),
            ("leaf, wildcard in the middle", "api.example.com", false), ("leaf, bare wildcard", "localhost", false),
            ("leaf, wildcard of a top domain", "example.com", false),
            ("leaf, no alternative name", "api.example.com", false),
            ("leaf, e-mail", "api.example.com", false), ("leaf, IPv4", "192.0.2.7", true),
            ("leaf, IPv4", "192.0.2.8", false),
            ("leaf, IPv4", "::ffff:192.0.2.7", false), ("leaf, IPv6", "2001:db8::7", true),
            ("leaf, IPv6", "[2001:DB8:0:0::7]", true), ("leaf, IPv6", "2001:db8::8", false),
            ("leaf, address as a name", "192.0.2.7", false), ("leaf", "192.0.2.7", false),
            ("leaf, IPv4", "api.example.com", false),
            ("leaf, empty subject", "api.example.com", true), ("leaf", "", false), ("leaf", "api_example_com", false),
        ].map { (leaf: String, host: String, matches: Bool) in
            let presented = [leaf, "intermediate 2", "intermediate 1"]
            return ChainCase(
                what: "\(leaf) for \(host)",
                presented: presented,
                host: host,
                expected: matches ? .path(presented + ["root"]) : .refused("wrong_hostname")
            )
        } + [
            ChainCase(
                what: "another name, and names are not verified",
                presented: ["leaf, other name", "intermediate 2", "intermediate 1"],
                verifiesHostname: false,
                expected: .path(["leaf, other name", "intermediate 2", "intermediate 1", "root"])
            ),
            ChainCase(
                what: "an untrusted root, and names are not verified",
                trusted: ["other root"],
                presented: whole + ["root"],
                verifiesHostname: false,
                expected: .refused("untrusted_root")
            ),
            ChainCase(
                what: "critical alternative names, and names are not verified",
                presented: ["leaf, empty subject", "intermediate 2", "intermediate 1"],
                host: "elsewhere.example.org",
                verifiesHostname: false,
                expected: .path(["leaf, empty subject", "intermediate 2", "intermediate 1", "root"])
            ),
        ]

    static let misfits: [ChainCase] = [
        ChainCase(
            what: "a leaf signed by a leaf",
            presented: ["leaf below a leaf"] + whole,
            expected: .refused("not_an_authority")
        ),
        ChainCase(
            what: "an intermediate that may not sign",
            presented: ["leaf by no signing", "intermediate, no signing"],
            expected: .refused("wrong_purpose")
        ),
        ChainCase(
            what: "an intermediate whose key usage has zero bits to spare",
            presented: ["leaf by loose", "intermediate, loose"],
            expected: .path(["leaf by loose", "intermediate, loose", "root"])
        ),
        ChainCase(
            what: "a path longer than allowed",
            presented: ["leaf too deep", "intermediate below short", "intermediate, short"],
            expected: .refused("path_too_long")
        ),
        ChainCase(
            what: "an intermediate for mail",
            presented: ["leaf by mail", "intermediate for mail"],
            expected: .refused("wrong_purpose")
        ),
        ChainCase(
            what: "a leaf for clients",
            presented: ["leaf for clients", "intermediate 2", "intermediate 1"],
            expected: .refused("wrong_purpose")
        ),
        ChainCase(
            what: "a leaf for any purpose",
            presented: ["leaf for anything", "intermediate 2", "intermediate 1"],
            expected: .path(["leaf for anything", "intermediate 2", "intermediate 1", "root"])
        ),
        ChainCase(
            what: "a leaf that names no purpose",
            presented: ["leaf without purpose", "intermediate 2", "intermediate 1"],
            expected: .path(["leaf without purpose", "intermediate 2", "intermediate 1", "root"])
        ),
        ChainCase(
            what: "a leaf with a critical purpose",
            presented: ["leaf, critical purpose", "intermediate 2", "intermediate 1"],
            expected: .path(["leaf, critical purpose", "intermediate 2", "intermediate 1", "root"])
        ),
        ChainCase(
            what: "an unknown critical extension",
            presented: ["leaf, unknown extension", "intermediate 2", "intermediate 1"],
            expected: .refused("unknown_critical_extension")
        ),
        ChainCase(
            what: "outside of the name constraints",
            presented: ["leaf by confined", "intermediate, confined"],
            expected: .refused("name_constraints")
        ),
        ChainCase(
            what: "within the name constraints",
            presented: ["leaf by allowed", "intermediate, allowed"],
            expected: .path(["leaf by allowed", "intermediate, allowed", "root"])
        ),
        ChainCase(
            what: "signed with SHA-1",
            presented: ["leaf, SHA-1", "intermediate, RSA"],
            expected: .refused("weak_signature")
        ),
        ChainCase(
            what: "signed with RSA and SHA-256",
            presented: ["leaf, SHA-256 with RSA", "intermediate, RSA"],
            expected: .path(["leaf, SHA-256 with RSA", "intermediate, RSA", "root"])
        ),
    ]

    static let pins: [ChainCase] =
        PinningMode.allCases.flatMap { mode in
            path.map { pinned in
                ChainCase(
                    what: "\(mode) of the \(pinned) on the path",
                    presented: whole,
                    pins: .init(mode: mode, of: ["unrelated", pinned]),
                    expected: .path(path)
                )
            } + [
                ChainCase(
                    what: "\(mode) of none on the path",
                    presented: whole,
                    pins: .init(mode: mode, of: ["unrelated", "other root"]),
                    expected: .refused("no_pin_matched")
                ),
                ChainCase(
                    what: "\(mode) of one that is presented and not on the path",
                    presented: whole + ["unrelated"],
                    pins: .init(mode: mode, of: ["unrelated"]),
                    expected: .refused("no_pin_matched")
                ),
                ChainCase(
                    what: "\(mode) of a cross-signing root that the path does not need",
                    trusted: ["root"],
                    presented: whole + ["other root", "root by other root"],
                    pins: .init(mode: mode, of: ["other root"]),
                    expected: .refused("no_pin_matched")
                ),
                ChainCase(
                    what: "\(mode) of the other root: the longer path has it",
                    trusted: ["root", "other root"],
                    presented: whole + ["root by other root"],
                    pins: .init(mode: mode, of: ["other root"]),
                    expected: .path(["leaf", "intermediate 2", "intermediate 1", "root by other root", "other root"])
                ),
                ChainCase(
                    what: "\(mode) on a chain without a trusted root",
                    trusted: ["other root"],
                    presented: whole + ["root"],
                    pins: .init(mode: mode, of: ["leaf"]),
                    expected: .refused("untrusted_root")
                ),
                ChainCase(
                    what: "\(mode) on a self-signed certificate",
                    presented: ["self-signed"],
                    pins: .init(mode: mode, of: ["self-signed"]),
                    expected: .refused("self_signed")
                ),
                ChainCase(
                    what: "\(mode) on a certificate for another host",
                    presented: ["leaf, other name", "intermediate 2", "intermediate 1"],
                    pins: .init(mode: mode, of: ["leaf, other name"]),
                    expected: .refused("wrong_hostname")
                ),
                ChainCase(
                    what: "\(mode) on a certificate for another host whose name is not verified",
                    presented: ["leaf, other name", "intermediate 2", "intermediate 1"],
                    verifiesHostname: false,
                    pins: .init(mode: mode, of: ["leaf"]),
                    expected: .refused("no_pin_matched")
                ),
                ChainCase(
                    what: "\(mode) on an expired certificate",
                    presented: ["leaf, expired", "intermediate 2", "intermediate 1"],
                    pins: .init(mode: mode, of: ["leaf, expired"]),
                    expected: .refused("expired")
                ),
                ChainCase(
                    what: "\(mode) with an empty list",
                    presented: whole,
                    pins: .init(mode: mode, of: []),
                    expected: .refused("no_pin_matched")
                ),
            ]
        } + [
            ChainCase(
                what: "publicKey of a renewed leaf with the same key",
                presented: ["leaf, renewed", "intermediate 2", "intermediate 1"],
                pins: .init(mode: .publicKey, of: ["leaf"]),
                expected: .path(["leaf, renewed", "intermediate 2", "intermediate 1", "root"])
            ),
            ChainCase(
                what: "certificate of a renewed leaf with the same key",
                presented: ["leaf, renewed", "intermediate 2", "intermediate 1"],
                pins: .init(mode: .certificate, of: ["leaf"]),
                expected: .refused("no_pin_matched")
            ),
            ChainCase(
                what: "certificate of a root, presented as cross-signed by another that is trusted",
                trusted: ["other root"],
                presented: whole + ["root by other root"],
                pins: .init(mode: .certificate, of: ["root"]),
                expected: .refused("no_pin_matched")
            ),
            ChainCase(
                what: "publicKey of a root, presented as cross-signed by another that is trusted",
                trusted: ["other root"],
                presented: whole + ["root by other root"],
                pins: .init(mode: .publicKey, of: ["root"]),
                expected: .path(["leaf", "intermediate 2", "intermediate 1", "root by other root", "other root"])
            ),
        ]
}
