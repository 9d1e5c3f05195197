import Bytes
import OAuthSigning

/// An explanation as `paraph explain` prints it.
struct ExplanationReport {
    let request: ExplainableRequest
    let explanation: SigningExplanation
    let fields: [RequestField]
    var bodyFile: String?
    /// Remarks on what was taken for granted of the request, and on what is missing.
    var notes: [String] = []

    /// The text for a person.
    var text: String {
        var sections = [
            ReportSection("\(request.method) \(ShownURL(request.url).text)"),
            ReportSection("Parameters, encoded and in order", parameterLines),
            ReportSection("Base string", baseStringLines),
            ReportSection("Key", [explanation.maskedKey]),
            ReportSection("Signature", [explanation.signature]),
            ReportSection("Sent", sentLines),
        ]
        sections += (notes + warnings).map { ReportSection($0) }
        let command = CurlCommand(request: request, explanation: explanation, fields: fields, bodyFile: bodyFile)
        sections.append(ReportSection("To send it", [command.line]))
        return sections.text
    }

    private var parameterLines: [String] {
        ReportSection.lines(
            explanation.parameters.map { ($0.name, "\($0.value)  (\($0.origin.rawValue))") }
        )
    }

    private var baseStringLines: [String] {
        let parts = explanation.baseString.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false)
        let split = zip(["method", "URI", "parameters"], parts).map { (name: $0, value: String($1)) }
        return [explanation.baseString, "", "of which"] + ReportSection.lines(split)
    }

    private var sentLines: [String] {
        let signed = explanation.signed
        if let target = signed.target { return ["request-target: " + String(decoding: target, as: UTF8.self)] }
        if let body = signed.body { return ["body: " + String(decoding: body, as: UTF8.self)] }
        return ["Authorization: " + explanation.authorization]
    }

    private var warnings: [String] {
        var warnings: [String] = []
        for name in explanation.repeatedParameters {
            warnings.append(
                "The request carries \(name) already, so that it would occur twice: the proxy refuses to sign it."
            )
        }
        if request.options.signatureMethod == .plaintext {
            warnings.append("PLAINTEXT sends the secrets themselves: what is sent here is as secret as they are.")
        }
        return warnings
    }

    /// The JSON for a program.
    var json: String {
        var members: [(key: String, value: JSONText)] = [
            ("method", .string(request.method)),
            ("url", .string(ShownURL(request.url).text)),
            ("base_string_uri", .string(explanation.baseStringURI)),
            (
                "parameters",
                .array(
                    explanation.parameters.map { parameter in
                        .object([
                            ("name", .string(parameter.name)),
                            ("value", .string(parameter.value)),
                            ("origin", .string(parameter.origin.rawValue)),
                        ])
                    }
                )
            ),
            ("normalized_parameters", .string(explanation.normalizedParameters)),
            ("base_string", .string(explanation.baseString)),
            ("key", .string(explanation.maskedKey)),
            ("signature", .string(explanation.signature)),
        ]
        let signed = explanation.signed
        if signed.authorization != nil { members.append(("authorization", .string(explanation.authorization))) }
        if let target = signed.target { members.append(("target", .string(String(decoding: target, as: UTF8.self)))) }
        if let body = signed.body { members.append(("body", .string(String(decoding: body, as: UTF8.self)))) }
        if !notes.isEmpty { members.append(("notes", .strings(notes))) }
        if !explanation.repeatedParameters.isEmpty {
            members.append(("repeated_parameters", .strings(explanation.repeatedParameters)))
        }
        return JSONText.object(members).line
    }
}
