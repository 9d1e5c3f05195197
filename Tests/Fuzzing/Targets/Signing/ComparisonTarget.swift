import OAuthSigning
import SignatureComparison

/// Signatures and base strings of other signers, as somebody pastes them: nothing that is told of them has a secret,
/// and what a signer of ours sent is told to be the same.
///
/// The input is a byte of choice, the query of the request after its length, and the field or base string.
enum ComparisonTarget: FuzzTarget {
    static let name = "comparison"

    private static let secrets = ["c0nsum3rS3cr3tX1", "t0k3nS3cr3tY2zzz"]

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let query = String(decoding: reader.stretch(), as: UTF8.self)
        let request = ExplainableRequest(
            method: choice & 1 == 0 ? "GET" : "POST",
            url: "https://api.example.com/a%20b?" + query,
            contentType: choice & 2 == 0 ? nil : "application/x-www-form-urlencoded",
            body: choice & 2 == 0 ? nil : Array(query.utf8),
            credentials: ExplainableCredentials(
                consumerKey: "key",
                consumerSecret: Secret(secrets[0]),
                token: "token",
                tokenSecret: Secret(secrets[1])
            ),
            nonce: "n",
            timestamp: "1800000000",
            options: SigningOptions(signatureMethod: choice & 4 == 0 ? .hmacSHA1 : .hmacSHA256)
        )
        do throws(ComparisonError) {
            if choice & 8 == 0 {
                tell(try compare(request, with: String(decoding: reader.remainder(), as: UTF8.self)))
            } else {
                guard let explanation = try? request.explain() else { return }
                let comparison = try compare(request, with: explanation.authorization)
                tell(comparison)
                // What the request has of the protocol's parameters itself is sent twice.
                guard explanation.repeatedParameters.isEmpty, !query.lowercased().contains("oauth") else { return }
                let hasEncoded = query.contains("%")
                require(comparison.verdict == .same || hasEncoded, "\(comparison.verdict): \(comparison.findings)")
            }
        } catch {
            require(!has("\(error)"), "told: \(error)")
        }
    }

    private static func compare(
        _ request: ExplainableRequest,
        with text: String
    ) throws(ComparisonError) -> SignatureComparison {
        try SignatureComparison(of: request, with: ComparedSigner(text), effort: .small, now: 1_800_000_000)
    }

    private static func tell(_ comparison: SignatureComparison) {
        for finding in comparison.findings + comparison.findings.flatMap(\.alternatives) {
            require(!has(finding.sentence), "told: \(finding.sentence)")
        }
        require(!has(comparison.maskedKey) && !has(comparison.baseString), "told: \(comparison.maskedKey)")
        _ = comparison.parting
    }

    private static func has(_ text: String) -> Bool {
        secrets.contains { text.contains($0) }
    }
}
