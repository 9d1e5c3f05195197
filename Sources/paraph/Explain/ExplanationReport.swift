import OAuthSigning

/// An explanation as `paraph explain` prints it.
struct ExplanationReport {
    let request: ExplainableRequest
    let explanation: SigningExplanation
    let content: ExplainedContent

    /// For a person.
    var text: String {
        var sections = [
            "\(request.method) \(request.url)",
            section("Parameters, encoded and in order", parameterLines),
            section("Base string", baseStringLines),
            section("Key", [explanation.maskedKey]),
            section("Signature", [explanation.signature]),
            section("Sent", sentLines),
        ]
        sections += warnings
        sections.append(
            section("To send it", [CurlCommand(request: request, explanation: explanation, content: content).line])
        )
        return sections.joined(separator: "\n\n")
    }

    private func section(_ title: String, _ lines: [String]) -> String {
        ([title] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
    }

    private var parameterLines: [String] {
        let width = explanation.parameters.map(\.name.count).max() ?? 0
        return explanation.parameters.map { parameter in
            let name = parameter.name + String(repeating: " ", count: width - parameter.name.count)
            return "\(name)  \(parameter.value)  (\(parameter.origin.rawValue))"
        }
    }

    private var baseStringLines: [String] {
        let parts = explanation.baseString.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false)
        let titles = ["method", "URI", "parameters"]
        let width = 10
        let split = zip(titles, parts).map { title, part in
            title + String(repeating: " ", count: width - title.count) + "  " + part
        }
        return [explanation.baseString, "", "of which"] + split
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

    /// For a program.
    var json: String {
        var members: [(key: String, value: JSONText)] = [
            ("method", .string(request.method)),
            ("url", .string(request.url)),
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
        if !explanation.repeatedParameters.isEmpty {
            members.append(("repeated_parameters", .array(explanation.repeatedParameters.map(JSONText.string))))
        }
        return JSONText.object(members).line
    }
}
