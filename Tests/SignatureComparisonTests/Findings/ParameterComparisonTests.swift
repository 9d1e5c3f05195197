import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Comparison of parameters")
struct ParameterComparisonTests {
    /// A right signature of GET https://api.example.com/r?a=1 with other parameters than ours.
    private static func other(
        _ encoded: String,
        _ sent: [(String, String)],
        change: (inout OtherSigner) -> Void = { _ in }
    ) -> OtherSigner {
        OtherSigner("", .method, "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + encoded, sent: sent, change: change)
    }

    private static func with(_ name: String, _ value: String?) -> [(String, String)] {
        OtherSigner.usual.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? [])
    }

    private static let signers: [(OtherSigner, ComparisonCause)] = [
        (other(OtherSigner.ours.replacing("Dck", with: "Dxx"), with("oauth_consumer_key", "xx")), .consumerKey),
        (other(OtherSigner.ours.replacing("Dtk", with: "Dxx"), with("oauth_token", "xx")), .token),
        (other(OtherSigner.ours.replacing("Dtk", with: "D"), with("oauth_token", "")), .tokenEmpty),
        (other(OtherSigner.ours.replacing("%26oauth_token%3Dtk", with: ""), with("oauth_token", nil)), .tokenAbsent),
        (
            other(OtherSigner.ours.replacing("%26oauth_version%3D1.0", with: ""), with("oauth_version", nil)),
            .versionAbsent
        ),
        (other(OtherSigner.ours.replacing("1.0", with: "1.0a"), with("oauth_version", "1.0a")), .version),
        (
            other(OtherSigner.ours.replacing("SHA1", with: "SHA256"), with("oauth_signature_method", "HMAC-SHA256")) {
                $0.hash = "HMAC-SHA256"
            },
            .signatureMethod
        ),
        (
            other(
                "oauth_callback%3Doob%26" + OtherSigner.ours,
                OtherSigner.usual + [("oauth_callback", "oob")]
            ),
            .parameterValue
        ),
        (
            other(
                "oauth_body_hash%3D2jmj7l5rSw0yVb%252FvlWAYkK%252FYBwk%253D%26" + OtherSigner.ours,
                OtherSigner.usual + [("oauth_body_hash", "2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D")]
            ),
            .bodyHashAdded
        ),
        (
            other(
                "oauth_callback%3Dhttp%253A%252F%252Fh%26" + OtherSigner.ours,
                OtherSigner.usual + [("oauth_callback", "http://h")]
            ),
            .parameterNotEncoded
        ),
    ]

    @Test("What is sent differently is told, though the signature is right for it", arguments: signers)
    func differences(_ other: OtherSigner, _ cause: ComparisonCause) throws {
        let comparison = try SignatureComparison(
            of: SignatureComparisonTests.right.request,
            with: ComparedSigner(other.header),
            now: 1_700_000_000
        )
        #expect(comparison.verdict == .otherParameters, "\(comparison.findings)")
        #expect(comparison.findings.contains { $0.cause == cause && $0.certainty == .seen }, "\(comparison.findings)")
        #expect(comparison.differences.count == 1)
        // A provider that asks for no particular ones sees the same request.
        let asked = try SignatureComparison(
            of: SignatureComparisonTests.right.request,
            with: ComparedSigner(other.header),
            comparesParameters: false,
            now: 1_700_000_000
        )
        #expect(asked.differences.isEmpty)
        if cause == .tokenAbsent || cause == .tokenEmpty {
            #expect(asked.verdict == .explained && asked.findings.map(\.cause) == [.tokenSecretAdded])
        } else {
            #expect((asked.verdict == .same) == ![.parameterNotEncoded, .version].contains(cause))
        }
    }

    @Test("A realm that we do not send is told")
    func realm() throws {
        var request = SignatureComparisonTests.right.request
        request.options.realm = "ours"
        let comparison = try SignatureComparison(
            of: request,
            with: ComparedSigner(SignatureComparisonTests.right.header),
            now: 1_700_000_000
        )
        #expect(comparison.findings.map(\.cause) == [.realm])
        #expect(comparison.differences == [ParameterDifference(name: "realm", ours: "ours", theirs: nil)])
    }

    @Test("A parameter that is sent twice, or not at all, is told")
    func count() throws {
        let repeated = Self.other(OtherSigner.ours, OtherSigner.usual + [("oauth_token", "tk")])
        #expect(try repeated.compared().findings.contains { $0.cause == .parameterRepeated })
        let absent = Self.other(
            OtherSigner.ours.replacing("oauth_nonce%3Dn1%26", with: ""),
            Self.with("oauth_nonce", nil)
        )
        let comparison = try absent.compared()
        #expect(comparison.findings.map(\.cause) == [.parameterAbsent] && comparison.verdict == .otherParameters)
    }

    @Test("A hash of another body is told, and one that is missing")
    func bodyHash() throws {
        let hash = "2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D"
        let other = OtherSigner(
            "",
            .bodyHash,
            "POST&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26oauth_body_hash%3D2jmj7l5rSw0yVb%252FvlWAYkK%252FYBwk%253D%26"
                + OtherSigner.ours,
            sent: OtherSigner.usual + [("oauth_body_hash", hash)]
        ) {
            $0.method = "POST"
            $0.contentType = "application/json"
            $0.body = "{}"
        }
        var request = other.request
        let added = try SignatureComparison(of: request, with: ComparedSigner(other.header), now: 1_700_000_000)
        #expect(added.findings.map(\.cause) == [.bodyHashAdded, .bodyHash])
        request.options.bodyHash = .on
        let differs = try SignatureComparison(of: request, with: ComparedSigner(other.header), now: 1_700_000_000)
        #expect(differs.findings.map(\.cause) == [.bodyHash] && differs.verdict == .otherParameters)
        let base = "POST&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + OtherSigner.ours
        let without = OtherSigner("", .bodyHashAbsent, base) { $0.method = "POST" }
        let absent = try SignatureComparison(of: request, with: ComparedSigner(without.header), now: 1_700_000_000)
        #expect(absent.findings.map(\.cause) == [.bodyHashAbsent])
    }

    @Test(
        "A timestamp is compared with the clock, and never makes a signature another one",
        arguments: [
            ("1700000000", 1_700_000_300, nil), ("1700000000", 1_699_999_700, nil),
            ("1700000000", 1_700_000_412, "412 s behind"), ("1700000000", 1_699_999_000, "1000 s ahead of"),
            ("1700000000000", 1_700_000_000, "not in seconds"), ("soon", 1_700_000_000, "is no number"),
            ("", 1_700_000_000, "is no number"),
        ] as [(String, UInt64, String?)]
    )
    func timestamps(_ timestamp: String, _ now: UInt64, _ words: String?) throws {
        let base = OtherSigner.ours.replacing("1700000000", with: timestamp)
        let other = Self.other(base, Self.with("oauth_timestamp", timestamp))
        let comparison = try SignatureComparison(of: other.request, with: ComparedSigner(other.header), now: now)
        #expect(comparison.findings.map { $0.sentence.contains(words ?? "") } == (words == nil ? [] : [true]))
        #expect((comparison.verdict == .same) == (comparison.findings.first.map { $0.cause == .timestampFar } ?? true))
    }
}
