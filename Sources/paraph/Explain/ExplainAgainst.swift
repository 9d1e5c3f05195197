import ArgumentParser
import OAuthSigning

/// `paraph explain --against`: our signature beside another one.
struct ExplainAgainst {
    let request: ExplainableRequest
    /// A field, a base string, or `-` for standard input.
    let other: String
    let isJSON: Bool

    func run() throws {
        let signer = try ComparedSigner(try FileOctets.textOrInput(other))
        let comparison = try SignatureComparison(of: request, with: signer, now: ExplainedSignature.now())
        let report = ComparisonReport(comparison: comparison)
        print(
            isJSON
                ? report.json.line : (["\(request.method) \(request.url)"] + report.sections).joined(separator: "\n\n")
        )
        if comparison.verdict != .same { throw ExitCode.failure }
    }
}
