import Bytes
import OAuthSigning

extension ComparisonReport {
    /// For a program.
    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("same", .boolean(comparison.verdict == .same)),
            ("compared", .string(comparison.subject.rawValue)),
            ("verdict", .string(comparison.verdict.rawValue)),
            ("summary", .string(comparison.summary)),
            ("findings", .array(comparison.findings.map(json))),
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
        return .object(members)
    }

    private func json(_ finding: ComparisonFinding) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("cause", .string(finding.cause.rawValue)),
            ("certainty", .string(finding.certainty.rawValue)),
            ("sentence", .string(finding.sentence)),
        ]
        if !finding.alternatives.isEmpty { members.append(("or", .array(finding.alternatives.map(json)))) }
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
