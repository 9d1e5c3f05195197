import Testing

@testable import OAuthSigning

@Suite("Comparison")
struct SignatureComparisonTests {
    @Test(
        "What another signer did is named, and proven",
        arguments: OtherSigner.addresses + OtherSigner.parameters + OtherSigner.encodings + OtherSigner.orders
            + OtherSigner.keys
    )
    func deviations(_ other: OtherSigner) throws {
        let comparison = try other.compared()
        #expect(comparison.verdict == .explained)
        let proven = comparison.findings.filter { $0.certainty == .proven }
        #expect(proven.map(\.cause) == [other.cause], "\(comparison.findings)")
        if other.signatureMethod == "PLAINTEXT" {
            #expect(comparison.theirBaseString == nil && comparison.theirSignature == nil)
        } else {
            #expect(comparison.theirBaseString == other.base)
            #expect((comparison.parting == nil) == (comparison.baseString == other.base))
        }
        for finding in comparison.findings {
            #expect(!finding.sentence.contains("secret/") && !finding.sentence.isEmpty)
        }
    }

    @Test("A right signature that is written wrong is told from a wrong one", arguments: OtherSigner.spellings)
    func spellings(_ other: OtherSigner) throws {
        let comparison = try other.compared()
        #expect(comparison.verdict == .otherParameters)
        #expect(comparison.findings.contains { $0.cause == other.cause && $0.certainty == .seen })
        #expect(comparison.parting == nil)
    }
}
