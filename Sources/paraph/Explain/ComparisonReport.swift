import Bytes
import OAuthSigning
import SignatureComparison

/// A comparison as `paraph explain --against` and `paraph verify` print it.
struct ComparisonReport {
    let comparison: SignatureComparison

    /// The sections for a person.
    var sections: [ReportSection] {
        let findings = comparison.findings.flatMap(\.lines)
        var sections = [ReportSection(comparison.summary, findings)]
        sections.append(ReportSection("Base string", baseStringLines))
        if !comparison.differences.isEmpty {
            sections.append(ReportSection("Parameters of the protocol that differ", differenceLines))
        }
        if !comparison.maskedKey.isEmpty { sections.append(ReportSection("Key", [comparison.maskedKey])) }
        if let theirs = comparison.theirSignature {
            let signatures = [("ours", comparison.signature), ("theirs", theirs)].compactMap { name, value in
                value.map { (name: name, value: $0) }
            }
            sections.append(ReportSection("Signature", ReportSection.lines(signatures)))
        }
        return sections
    }

    private var baseStringLines: [String] {
        guard let theirs = comparison.theirBaseString else { return [comparison.baseString] }
        let pairs = [(name: "ours", value: comparison.baseString), (name: "theirs", value: theirs)]
        guard let parting = comparison.parting else { return [comparison.baseString] }
        return ReportSection.lines(pairs) + ["", place(of: parting)]
            + excerpt(comparison.baseString, theirs, around: parting.offset)
    }

    private func place(of parting: BaseStringParting) -> String {
        let part =
            switch parting.part {
            case .method: "the method"
            case .uri: "the URI"
            case .parameters: "the parameters"
            }
        let (ours, theirs) = (parting.ours ?? "nothing", parting.theirs ?? "nothing")
        return "They part behind character \(parting.offset), in \(part): ours has \(ours), theirs \(theirs)."
    }

    /// Returns both base strings where they part, with a mark below.
    private func excerpt(_ ours: String, _ theirs: String, around offset: Int) -> [String] {
        let (before, behind) = (32, 40)
        let start = max(0, offset - before)
        func cut(_ text: String) -> String {
            let bytes = Array(text.utf8)
            let end = min(bytes.count, offset + behind)
            return (start > 0 ? "…" : "") + String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
                + (end < bytes.count ? "…" : "")
        }
        let mark = String(repeating: " ", count: offset - start + (start > 0 ? 1 : 0)) + "^"
        return ReportSection.lines([("ours", cut(ours)), ("theirs", cut(theirs)), ("", mark)])
    }

    private var differenceLines: [String] {
        ReportSection.lines(
            comparison.differences.map { difference in
                let (ours, theirs) = (difference.ours ?? "none", difference.theirs ?? "none")
                return (difference.name, "ours \(ours), theirs \(theirs)")
            }
        )
    }
}

extension ComparisonReport {
    /// The JSON for a program.
    var json: JSONText { json(notes: []) }

    /// The JSON for a program.
    /// - Parameter notes: The assumptions that were made about the request, and the data that is missing.
    func json(notes: [String]) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("same", .boolean(comparison.verdict == .same)),
            ("compared", .string(comparison.subject.rawValue)),
            ("verdict", .string(comparison.verdict.rawValue)),
            ("summary", .string(comparison.summary)),
            ("findings", .array(comparison.findings.map(\.json))),
            ("differences", .array(comparison.differences.map(json))),
            ("base_string", .string(comparison.baseString)),
        ]
        func add(_ key: String, _ value: String?) {
            if let value { members.append((key, .string(value))) }
        }
        add("their_base_string", comparison.theirBaseString)
        if let parting = comparison.parting { members.append(("parting", json(parting))) }
        add("key", comparison.maskedKey.isEmpty ? nil : comparison.maskedKey)
        add("signature", comparison.signature)
        add("their_signature", comparison.theirSignature)
        if !notes.isEmpty { members.append(("notes", .strings(notes))) }
        return .object(members)
    }

    private func json(_ difference: ParameterDifference) -> JSONText {
        .object([("name", .string(difference.name))] + sides(difference.ours, difference.theirs))
    }

    private func json(_ parting: BaseStringParting) -> JSONText {
        .object(
            [("offset", .integer(parting.offset)), ("part", .string(parting.part.rawValue))]
                + sides(parting.ours, parting.theirs)
        )
    }

    private func sides(_ ours: String?, _ theirs: String?) -> [(key: String, value: JSONText)] {
        [("ours", ours), ("theirs", theirs)].compactMap { key, value in value.map { (key, .string($0)) } }
    }
}

extension ComparisonFinding {
    /// The lines for a person.
    var lines: [String] {
        ["\(sentence) (\(cause.rawValue), \(certainty.rawValue))"]
            + alternatives.map { "  or the same for this request: \($0.sentence) (\($0.cause.rawValue))" }
    }

    /// The JSON for a program.
    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("cause", .string(cause.rawValue)),
            ("certainty", .string(certainty.rawValue)),
            ("sentence", .string(sentence)),
        ]
        if !alternatives.isEmpty { members.append(("or", .array(alternatives.map(\.json)))) }
        return .object(members)
    }
}
