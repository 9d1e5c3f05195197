import SigningVectors
import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Published deviations")
struct PublishedDeviationTests {
    /// The vectors of sources in use that were published although RFC 5849 says otherwise.
    private static let published = VectorFile.of(.request, .deviates).filter { $0.statement != nil }

    @Test("What a published signer does otherwise than RFC 5849 is found out", arguments: published)
    func explained(_ vector: Vector) throws {
        let statement = try #require(vector.statement)
        let request = try #require(vector.explainable)
        let comparison = try SignatureComparison(
            of: request,
            with: ComparedSigner(statement),
            comparesParameters: false,
            now: 1_700_000_000
        )
        #expect(comparison.verdict == .explained, "\(vector.published ?? [:]) \(comparison.baseString)")
        #expect(comparison.baseString == vector.expected.baseString)
    }
}

extension Vector {
    /// The published field, or the published base string.
    fileprivate var statement: String? {
        guard let signature = published?["signature"] else { return published?["base_string"] }
        let pairs = (oauthParams ?? []) + [["oauth_signature", signature]]
        return "OAuth " + pairs.map { "\($0[0])=\"\(OtherSigner.encoded($0[1]))\"" }.joined(separator: ", ")
    }

    fileprivate var explainable: ExplainableRequest? {
        guard let request else { return nil }
        return ExplainableRequest(
            method: request.method,
            url: request.url,
            host: request.hostHeader,
            contentType: request.contentType,
            body: request.bytes,
            credentials: ExplainableCredentials(
                consumerSecret: Secret(credentials?.consumerSecret ?? ""),
                tokenSecret: credentials?.tokenSecret.map { Secret($0) },
                privateKey: credentials?.rsaPrivateKeyPem.map { Secret($0) }
            ),
            options: SigningOptions(includesVersion: false)
        )
    }
}
