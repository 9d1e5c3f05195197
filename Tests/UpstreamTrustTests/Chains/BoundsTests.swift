import Crypto
import FoundationEssentials
import Testing
import TestSupport
import X509

@testable import UpstreamTrust

@Suite(.generousLimit, .timed) struct BoundsTests {
    @Test("Of a thousand certificates that a server presents the first ten are looked at")
    func ofAThousandCertificatesTheFirstTenAreLookedAt() async throws {
        let certificates = try TestCertificates.all.get()
        let filling = Array(repeating: try certificates["unrelated"], count: 997)
        let chain = try ["leaf", "intermediate 2", "intermediate 1"].map { try certificates[$0] }
        let verifier = ChainVerifier(policy: TLSPolicy(trust: .certificates([try certificates["root"]])))
        let name = ServerName(host: "api.example.com")
        let early = try await verifier.verify(
            presented: chain + filling,
            serverName: name,
            pinning: nil,
            at: TestCertificates.now
        )
        #expect(try early.get().path.count == 4)
        let late = try await verifier.verify(
            presented: chain.prefix(1) + filling + chain.dropFirst(),
            serverName: name,
            pinning: nil,
            at: TestCertificates.now
        )
        let failure = #expect(throws: TrustFailure.self) { try late.get() }
        #expect(failure?.label == "missing_issuer")
        #expect(failure?.unseen == 990)
        #expect(failure?.detail.contains("# 990 more were presented, and not looked at.") == true)
    }

    @Test("Of large certificates the first is looked at, and those after it as far as all fit together")
    func ofLargeCertificatesThoseAreLookedAtThatFitTogether() {
        let sizes = [[65_536, 65_536, 1], [131_072, 1], [200_000, 1], [1, 131_072, 1], [1, 131_071, 1]]
        let seen = sizes.map { ChainVerifier.seen($0.map { [UInt8](repeating: 0, count: $0) }).count }
        #expect(seen == [2, 1, 1, 1, 2])
        #expect(ChainVerifier.seen(Array(repeating: [0], count: 11)).count == 10)
    }

    /// One key under few names: each certificate is validly signed by every other, and the paths through them are
    /// factorially many.
    @Test("A search among certificates that combine in very many ways is given up")
    func certificatesThatCombineInManyWaysEndTheSearch() async throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("one") }
        let tangle = try (0..<10).map { number in
            try Certificate(
                version: .v3,
                serialNumber: .init(),
                publicKey: key.publicKey,
                notValidBefore: TestCertificates.now,
                notValidAfter: TestCertificates.now.addingTimeInterval(60),
                issuer: name,
                subject: name,
                extensions: Certificate.Extensions {
                    BasicConstraints.isCertificateAuthority(maxPathLength: nil)
                    SubjectAlternativeNames([.dnsName("\(number).example.com")])
                },
                issuerPrivateKey: key
            )
        }
        let roots = [try TestCertificates.all.get()["root"]]
        let result = try await ChainVerifier(policy: TLSPolicy(trust: .certificates(roots))).verify(
            presented: tangle,
            serverName: ServerName(host: "0.example.com"),
            pinning: nil,
            at: TestCertificates.now
        )
        let failure = #expect(throws: TrustFailure.self) { try result.get() }
        #expect(failure?.label == "search_too_long")
    }

    /// The same where one of the certificates is good: the search for a pin has an end, and is not taken for one that
    /// found none.
    @Test("A search for a pin that none of very many paths has is given up, and refused or reported")
    func aSearchForAPinEndsToo() async throws {
        let root = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let rootName = try DistinguishedName { CommonName("root") }
        let name = try DistinguishedName { CommonName("one") }
        let make = { (number: Int, issuer: (DistinguishedName, Certificate.PrivateKey)) in
            try Certificate(
                version: .v3,
                serialNumber: .init(),
                publicKey: (number < 0 ? root : key).publicKey,
                notValidBefore: TestCertificates.now,
                notValidAfter: TestCertificates.now.addingTimeInterval(60),
                issuer: issuer.0,
                subject: number < 0 ? rootName : name,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    SubjectAlternativeNames([.dnsName("\(number).example.com")])
                },
                issuerPrivateKey: issuer.1
            )
        }
        let anchor = try make(-1, (rootName, root))
        let presented = try (0..<9).map { try make($0, (name, key)) } + [make(9, (rootName, root))]
        for action in PinFailureAction.allCases {
            let decision = try await ChainVerifier(policy: TLSPolicy(trust: .certificates([anchor]))).verify(
                presented: presented,
                serverName: ServerName(host: "0.example.com"),
                pinning: PinningPolicy(mode: .publicKey, pins: [], onFailure: action),
                at: TestCertificates.now
            )
            switch decision {
            case .refused(let failure): #expect(action == .refuse && failure.label == "search_too_long")
            case .accepted(let accepted): #expect(action == .report && accepted.reported?.label == "search_too_long")
            }
        }
    }

    /// Names times constraints are compared: one more name than that many is told for what it is.
    @Test(
        "A chain that takes too many comparisons of names with constraints is refused",
        arguments: [(names: 497, label: nil), (names: 498, label: "too_many_comparisons")] as [(Int, String?)]
    )
    func namesAndConstraintsAreComparedUpToANumber(names: Int, label: String?) async throws {
        // 497 names, each with 200 subtrees, and 498 names read are 99,898.
        let found = try await decide(
            excluded: (0..<199).map { GeneralName.dnsName("x\($0).example.com") },
            names: (0..<names).map { GeneralName.dnsName("n\($0).example.com") }
        )
        #expect(found == label)
    }

    /// A name counts for as many comparisons as it has attributes, and more where these are long.
    @Test(
        "A directory name counts as many comparisons when its attributes are many or long",
        arguments: [
            (attributes: 1, length: 8, label: nil), (attributes: 16, length: 8, label: "too_many_comparisons"),
            (attributes: 1, length: 500, label: "too_many_comparisons"),
        ] as [(Int, Int, String?)]
    )
    func aNameOfManyAttributesIsManyComparisons(attributes: Int, length: Int, label: String?) async throws {
        func name(_ index: Int, _ letter: String) throws -> GeneralName {
            let values = (0..<attributes).map { "\(letter)\($0)".padding(to: length) + (index == $0 ? "x" : "") }
            let unique = RelativeDistinguishedName.Attribute(
                type: .RDNAttributeType.commonName,
                utf8String: letter == "a" ? "x\(index)" : "y\(index)"
            )
            return .directoryName(
                DistinguishedName([
                    RelativeDistinguishedName(
                        values.map { .init(type: .RDNAttributeType.organizationalUnitName, utf8String: $0) }
                    ), RelativeDistinguishedName(unique),
                ])
            )
        }
        let found = try await decide(
            excluded: (0..<120).map { try name($0, "a") },
            names: (0..<99).map { try name($0, "A") } + [.dnsName("n0.example.com")]
        )
        #expect(found == label)
    }

    /// - Returns: The label of the refusal of a leaf with these names, nil where it is accepted.
    private func decide(excluded: [GeneralName], names: [GeneralName]) async throws -> String? {
        let root = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let rootName = try DistinguishedName { CommonName("root") }
        let make = { (subject: String, issuer: Certificate.PrivateKey, extensions: Certificate.Extensions) in
            try Certificate(
                version: .v3,
                serialNumber: .init(),
                publicKey: (subject == "root" ? root : key).publicKey,
                notValidBefore: TestCertificates.now,
                notValidAfter: TestCertificates.now.addingTimeInterval(60),
                issuer: rootName,
                subject: DistinguishedName { CommonName(subject) },
                extensions: extensions,
                issuerPrivateKey: issuer
            )
        }
        let constrained = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(NameConstraints(permittedSubtrees: [.dnsName("example.com")], excludedSubtrees: excluded))
        }
        let named = try Certificate.Extensions { SubjectAlternativeNames(names) }
        let decision = try await ChainVerifier(
            policy: TLSPolicy(trust: .certificates([try make("root", root, constrained)]))
        ).verify(
            presented: [try make("leaf", root, named)],
            serverName: ServerName(host: "n0.example.com"),
            pinning: nil,
            at: TestCertificates.now
        )
        return if case .refused(let failure) = decision { failure.label } else { nil }
    }

    @Test("A signature is verified once, however often it is asked for, and only so many are verified")
    func signaturesAreVerifiedOnceAndUpToANumber() throws {
        let certificates = try TestCertificates.all.get()
        let members = try ["leaf by root", "root", "other root"].map {
            PathMember(try certificates[$0], isTrusted: false)
        }
        var check = SignatureCheck(maximum: 2)
        let answers = [1, 2, 1, 2].map { check.isValid(0, signedBy: $0, of: members) }
        #expect(answers == [true, false, true, false])
        #expect(!check.isExceeded)
        let isSelfSigned = check.isValid(1, signedBy: 1, of: members)
        #expect(!isSelfSigned)
        #expect(check.isExceeded)
    }

    @Test("A budget of a search gives what it has, and knows when more was wanted")
    func aBudgetGivesWhatItHasAndKnowsWhenMoreWasWanted() {
        var budget = SearchBudget(5)
        #expect(budget.take(3) == 3)
        #expect(budget.take(2) == 2)
        #expect(!budget.isExceeded)
        #expect(budget.take(1) == 0)
        #expect(budget.isExceeded)
    }

    @Test("A private root is not among the system's")
    func aPrivateRootIsNotAmongTheSystems() async throws {
        let certificates = try TestCertificates.all.get()
        let result = try await ChainVerifier(policy: TLSPolicy()).verify(
            presented: try ["leaf by root", "root"].map { try certificates[$0] },
            serverName: ServerName(host: "api.example.com"),
            pinning: nil,
            at: TestCertificates.now
        )
        let failure = #expect(throws: TrustFailure.self) { try result.get() }
        let hasRoots = await !SystemRoots.bySubject.isEmpty
        #expect(failure?.label == (hasRoots ? "untrusted_root" : "no_trusted_roots"))
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String {
        self + String(repeating: "-", count: max(0, length - utf8.count))
    }
}
