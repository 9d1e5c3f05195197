/// Findings as a table for a person.
struct FindingTable {
    let style: TextStyle
    /// Of the first column.
    let width: Int

    init(style: TextStyle, subjects: [String]) {
        self.style = style
        width = subjects.map(\.count).max() ?? 0
    }

    /// A row, and under it a line for each remedy.
    func row(_ finding: Finding) -> String {
        let verdict = Self.padded(finding.verdict.rawValue, to: 5)
        let coloured =
            switch finding.verdict {
            case .works: style.good(verdict)
            case .fails: style.bad(verdict)
            case .warns, .leftOut: verdict
            }
        let margin = Self.padded("", to: width + 9)
        let lines = finding.words.split(separator: "\n", omittingEmptySubsequences: true)
        let words = lines.map { "\(TerminalText($0))" }.joined(separator: "\n\(margin)")
        let mends = finding.remedies.map { "\n\(margin)\(style.bold("mend it:")) \(TerminalText($0))" }
        return "\(Self.padded(finding.subject, to: width))  \(coloured)  \(words)\(mends.joined())"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
