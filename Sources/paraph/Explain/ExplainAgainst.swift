import ArgumentParser
import Bytes
import OAuthSigning
import SignatureComparison

/// `paraph explain --against`: our signature beside another one.
struct ExplainAgainst {
    let request: ExplainableRequest
    /// A field, a base string, or `-` for standard input.
    let other: String
    let isJSON: Bool

    func run() throws {
        let signer = try ComparedSigner(Self.unfolded(try GivenFile.textOrInput(other)))
        let comparison = try SignatureComparison(of: request, with: signer, now: ExplainedSignature.now())
        let report = ComparisonReport(comparison: comparison)
        StandardOutput.print(
            isJSON
                ? report.json.line : ([ReportSection("\(request.method) \(request.url)")] + report.sections).text
        )
        if comparison.verdict != .same { throw ExitCode.failure }
    }

    /// In one line, as it was before a mail or a terminal wrapped it: a field at its white space, a base string
    /// anywhere.
    static func unfolded(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.drop(while: \.isWhitespace).reversed().drop { $0.isWhitespace || $0 == "\\" }.reversed()
        }
        guard lines.count > 1 else { return text }
        return lines.filter { !$0.isEmpty }.map { String($0) }.joined(separator: text.contains("=\"") ? " " : "")
    }
}
