import Bytes

/// A part of a report for a person: a title, and lines below it. Each is one line on a terminal whatever stands in it:
/// what the other side sent is part of them.
struct ReportSection: CustomStringConvertible {
    let title: String
    var lines: [String] = []

    init(_ title: String, _ lines: [String] = []) {
        self.title = title
        self.lines = lines
    }

    var description: String {
        ([Self.printed(title)] + lines.map { $0.isEmpty ? "" : "  " + Self.printed($0) }).joined(separator: "\n")
    }

    private static func printed(_ line: String) -> String { "\(PrintableText(line, escapesQuotes: false))" }

    /// Names with their values, in columns.
    static func lines(_ pairs: [(name: String, value: String)]) -> [String] {
        let width = pairs.map(\.name.count).max() ?? 0
        return pairs.map { name, value in name + String(repeating: " ", count: width - name.count) + "  " + value }
    }
}

extension Sequence<ReportSection> {
    /// The whole report.
    var text: String { map(\.description).joined(separator: "\n\n") }
}
