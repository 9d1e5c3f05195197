/// A titled part of a report for a person.
enum ReportSection {
    static func text(_ title: String, _ lines: [String]) -> String {
        ([title] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
    }

    /// Names with their values, in columns.
    static func lines(_ pairs: [(name: String, value: String)]) -> [String] {
        let width = pairs.map(\.name.count).max() ?? 0
        return pairs.map { name, value in name + String(repeating: " ", count: width - name.count) + "  " + value }
    }
}
