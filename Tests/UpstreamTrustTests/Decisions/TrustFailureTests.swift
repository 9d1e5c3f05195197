import Crypto
import FoundationEssentials
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct TrustFailureTests {
    private func failure(
        _ presented: [String],
        trusted: [String] = ["root"],
        pinning: PinningPolicy? = nil
    ) async throws -> TrustFailure {
        let certificates = try TestCertificates.all.get()
        let roots = try trusted.map { try certificates[$0] }
        let result = try await ChainVerifier(policy: TLSPolicy(trust: .certificates(roots))).verify(
            presented: try presented.map { try certificates[$0] },
            serverName: ServerName(host: "api.example.com"),
            pinning: pinning,
            at: TestCertificates.now
        )
        switch result {
        case .accepted: throw Accepted()
        case .refused(let failure): return failure
        }
    }

    private struct Accepted: Error {}

    @Test("The detail of a refusal has the pins of every certificate and those configured, ready to paste")
    func theDetailHasBothSidesAndEveryCertificatesPinsReadyToPaste() async throws {
        let certificates = try TestCertificates.all.get()
        let configured = try Pin.publicKey(of: certificates["other root"])
        let failure = try await failure(
            ["leaf", "unrelated", "intermediate 2", "intermediate 1"],
            pinning: PinningPolicy(mode: .publicKey, pins: [configured])
        )
        let pins = { (name: String) in
            [
                "- \(try Pin.publicKey(of: certificates[name]).text)  # public_key",
                "- \(try Pin.certificate(certificates[name]).text)  # certificate",
            ]
        }
        let validity = "valid from 2026-04-28T20:26:40Z to 2027-03-24T20:26:40Z"
        let expected =
            [
                "the certificate of api.example.com is not accepted: the path is valid, and no certificate on it has one "
                    + "of the pins configured (mode public_key).",
                "",
                "# The chain, and the pins of each of its certificates:",
                "# leaf: subject \"CN=api.example.com\", issuer \"CN=intermediate 2\", \(validity)",
            ] + (try pins("leaf"))
            + ["# intermediate: subject \"CN=intermediate 2\", issuer \"CN=intermediate 1\", \(validity)"]
            + (try pins("intermediate 2"))
            + ["# intermediate: subject \"CN=intermediate 1\", issuer \"CN=root\", \(validity)"]
            + (try pins("intermediate 1"))
            + ["# root (trusted, not presented): subject \"CN=root\", issuer \"CN=root\", \(validity)"]
            + (try pins("root"))
            + ["# not on the path: subject \"CN=unrelated\", issuer \"CN=unrelated\", \(validity)"]
            + (try pins("unrelated")) + ["", "# The pins configured (mode public_key):", "- \(configured.text)"]
        #expect(failure.detail == expected.joined(separator: "\n"))
    }

    @Test(
        "The sentence of a refusal says where on the path a pin was looked for",
        arguments: [
            (PinPosition.any, "no certificate on it has one of the pins configured (mode public_key)"),
            (.leaf, "its leaf has none of the pins configured (mode public_key, applies_to leaf)"),
            (
                .intermediate,
                "no certificate between its leaf and its root has one of the pins configured (mode public_key"
            ),
            (.root, "its root has none of the pins configured (mode public_key, applies_to root)"),
        ]
    )
    func theSentenceSaysWhereAPinWasLookedFor(_ position: PinPosition, words: String) async throws {
        let policy = PinningPolicy(mode: .publicKey, pins: [], appliesTo: position)
        let failure = try await failure(["leaf", "intermediate 2", "intermediate 1"], pinning: policy)
        #expect(failure.sentence.contains("the path is valid, and \(words)"), "\(failure.sentence)")
        #expect(failure.detail.contains("applies_to") == (position != .any))
    }

    @Test("A configured pin that stands in the wrong place, or is of the other mode, is marked in the detail")
    func aPinInTheWrongPlaceOrOfTheOtherModeIsMarked() async throws {
        let certificates = try TestCertificates.all.get()
        let root = try Pin.publicKey(of: certificates["root"])
        let leaf = try Pin.certificate(certificates["leaf"])
        let failure = try await failure(
            ["leaf", "intermediate 2", "intermediate 1"],
            pinning: PinningPolicy(mode: .publicKey, pins: [root, leaf], appliesTo: .leaf)
        )
        #expect(failure.detail.contains("- \(root)  # public_key, configured\n"))
        #expect(failure.detail.contains("- \(leaf)  # certificate, configured\n"))
        #expect(failure.detail.split(separator: ", configured").count == 3)
    }

    @Test("A chain without a path to a trusted root is told as it was presented")
    func withoutAPathTheChainIsToldAsItWasPresented() async throws {
        let failure = try await failure(
            ["leaf", "intermediate 2", "intermediate 1", "root"],
            trusted: ["other root"]
        )
        #expect(failure.presented.map(\.role) == [.leaf, .intermediate, .intermediate, .root])
        #expect(failure.presented.allSatisfy { $0.isPresented })
        #expect(failure.detail.hasSuffix("# No pins are configured."))
        #expect(failure.reason == .untrustedRoot(subject: "CN=root"))
    }

    @Test(
        "Of several paths that are refused the one that came furthest is explained",
        arguments: [
            ["intermediate 2, no authority", "intermediate 2, expired"],
            ["intermediate 2, expired", "intermediate 2, no authority"],
        ]
    )
    func ofSeveralPathsTheOneThatCameFurthestIsExplained(_ intermediates: [String]) async throws {
        let sentence = try await failure(["leaf"] + intermediates + ["intermediate 1"]).sentence
        #expect(sentence.contains("\"CN=intermediate 2\" expired on 2026-05-27T20:26:40Z"), "\(sentence)")
    }

    static let sentences: [([String], String)] = [
        (
            ["leaf, expired", "intermediate 2", "intermediate 1"],
            "\"CN=api.example.com\" expired on 2026-05-27T20:26:40Z"
        ),
        (["leaf, not yet valid", "intermediate 2", "intermediate 1"], "is not valid before 2026-05-29T20:26:40Z"),
        (
            ["leaf, other name", "intermediate 2", "intermediate 1"],
            "it is for other.example.org, and api.example.com is wanted"
        ),
        (["leaf, IPv6", "intermediate 2", "intermediate 1"], "it is for 2001:db8::7, and api.example.com is wanted"),
        (["leaf, no alternative name", "intermediate 2", "intermediate 1"], "a common name is not looked at"),
        (
            ["leaf"],
            "\"CN=intermediate 2\", the issuer of \"CN=api.example.com\", is neither among the certificates presented"
        ),
        (["self-signed"], "\"CN=api.example.com\" is self-signed and not among the trusted roots"),
        (["leaf, unknown extension", "intermediate 2", "intermediate 1"], "critical extension 1.3.6.1.4.1.99999.1"),
        ([], "the server presented none"),
    ]

    @Test("The sentence of a refusal says what is wrong with the chain", arguments: sentences)
    func theSentenceSaysWhatIsWrong(_ presented: [String], words: String) async throws {
        let sentence = try await failure(presented).sentence
        #expect(sentence.contains(words), "\(sentence)")
    }

    @Test("A hostile certificate's names are told escaped and cut")
    func whatAHostileCertificateSaysIsEscapedAndCut() async throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName {
            for _ in 0..<40 {
                OrganizationName("\"\n- \"sha256/evil\u{202E}\u{1B}[2J\r" + String(repeating: "x", count: 500))
            }
        }
        let hosts = (0..<500).map {
            GeneralName.dnsName("h\($0)\n" + String(repeating: "y", count: 100) + ".example.com")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: TestCertificates.now,
            notValidAfter: TestCertificates.now,
            issuer: name,
            subject: name,
            extensions: Certificate.Extensions {
                BasicConstraints.isCertificateAuthority(maxPathLength: nil)
                SubjectAlternativeNames(hosts)
            },
            issuerPrivateKey: key
        )
        let pins = try (0..<100).map { try Pin.certificate(Self.selfSigned("pin \($0)")) }
        for trusted in [[certificate], []] {
            let result = try await ChainVerifier(policy: TLSPolicy(trust: .certificates(trusted))).verify(
                presented: [certificate] + Array(repeating: certificate, count: 30),
                serverName: .dns("api.example.com\n" + String(repeating: "z", count: 5000)),
                pinning: PinningPolicy(mode: .certificate, pins: pins),
                at: TestCertificates.now
            )
            guard case .refused(let failure) = result else {
                Issue.record("accepted")
                continue
            }
            // One is as large as what is read of all together.
            #expect(failure.unseen == 30)
            #expect(failure.detail.utf8.count < 16_384)
            #expect(failure.sentence.utf8.count < 4096)
            let printable = failure.detail.unicodeScalars.allSatisfy {
                $0 == "\n" || ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
            #expect(printable)
            for line in failure.detail.split(separator: "\n").dropFirst() {
                #expect(line.hasPrefix("# ") || Self.isPinLine(line), "\(line)")
            }
        }
    }

    private static func isPinLine(_ line: Substring) -> Bool {
        guard line.hasPrefix("- ") else { return false }
        return (try? Pin(validating: String(line.dropFirst(2).prefix { $0 != " " }))) != nil
    }

    private static func selfSigned(_ name: String) throws -> Certificate {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName(name) }
        return try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: TestCertificates.now,
            notValidAfter: TestCertificates.now,
            issuer: name,
            subject: name,
            extensions: .init(),
            issuerPrivateKey: key
        )
    }
}
