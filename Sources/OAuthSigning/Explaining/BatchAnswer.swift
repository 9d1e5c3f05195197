import Bytes

/// The answer of `paraph explain --batch` to one line.
package enum BatchAnswer {
    /// - Parameter line: Without its line end.
    /// - Returns: One JSON object without a line end: what was signed, or why nothing was.
    package static func answer(to line: [UInt8]) -> String {
        let answer: JSONText
        do throws(ExplainError) {
            let explanation = try ExplainableRequest(line: line).explain()
            answer = .object([
                ("normalized_parameters", .string(explanation.normalizedParameters)),
                ("base_string", .string(explanation.baseString)),
                ("signature", .string(explanation.signature)),
                ("authorization", .string(explanation.authorization)),
            ])
        } catch {
            answer = .object([("error", .string(error.description))])
        }
        return answer.line
    }
}
