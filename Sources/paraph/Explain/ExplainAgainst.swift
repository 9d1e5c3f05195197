import ArgumentParser
import Bytes
import Credentials
import OAuthSigning
import SignatureComparison

/// `paraph explain --against`: our signature beside another one.
struct ExplainAgainst {
    let request: ExplainableRequest
    let signer: ComparedSigner
    /// Remarks on what was taken for granted of the request, and on what is missing.
    var notes: [String] = []
    /// Variables that the secrets may be in.
    var secretVariables: [String] = []
    let isJSON: Bool

    func run() throws {
        let comparison = try SignatureComparison(
            of: request,
            with: signer,
            publicKey: request.credentials.signingKey?.verificationKey,
            characterSets: SystemCharacterSet.compared,
            secretNames: secretVariables,
            now: ExplainedSignature.now()
        )
        let report = ComparisonReport(comparison: comparison)
        if isJSON {
            StandardOutput.print(json: report.json(notes: notes).line)
        } else {
            let title = ReportSection("\(request.method) \(ShownURL(request.url).text)")
            StandardOutput.print(([title] + report.sections + notes.map { ReportSection($0) }).text)
        }
        if comparison.verdict != .same { throw ExitCode.failure }
    }

    /// Returns the other signer that a text tells of: an Authorization field, a base string, or a provider's answer
    /// that has the base string which it expected somewhere.
    static func signer(_ text: String) throws(ComparisonError) -> ComparedSigner {
        let isField = SentSignature.fieldValue(Array(text.utf8)).prefix(6).elementsEqual("OAuth ".utf8)
        guard !isField else { return try ComparedSigner(unfolded(text)) }
        // As JSON may have it.
        let unescaped = text.replacing("\\u0026", with: "&").replacing("\\/", with: "/")
        let answer = Array(unescaped.drop(while: \.isWhitespace).utf8)
        let stated = ExpectedBaseString.find(in: answer) ?? ExpectedBaseString.embedded(in: answer)
        return try ComparedSigner(stated ?? unfolded(unescaped))
    }

    /// Returns a text in one line, as it was before a mail or a terminal wrapped it: a field at its white space, a base
    /// string anywhere.
    static func unfolded(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.drop(while: \.isWhitespace).reversed().drop { $0.isWhitespace || $0 == "\\" }.reversed()
        }
        guard lines.count > 1 else { return text }
        return lines.filter { !$0.isEmpty }.map { String($0) }.joined(separator: text.contains("=\"") ? " " : "")
    }
}
