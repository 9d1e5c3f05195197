import Foundation

/// The tables of `docs/pinning.md`, so that what is documented is what is tested.
enum PolicyTable {
    struct Row: Sendable, CustomStringConvertible {
        /// The cells by their columns' headers, without backticks.
        var cells: [String: String]
        var line: Int

        var description: String { "line \(line): \(cells["there"] ?? "")" }

        subscript(_ column: String) -> String { cells[column] ?? "" }
    }

    static let text = Result {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/pinning.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The rows of every table that has a column.
    static func rows(with column: String) -> [Row] {
        var rows: [Row] = []
        var header: [String]?
        let lines = ((try? text.get()) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard line.hasPrefix("|") else {
                header = nil
                continue
            }
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let names = header else {
                header = cells
                continue
            }
            guard names.contains(column), !line.hasPrefix("|---") else { continue }
            rows.append(Row(cells: Dictionary(uniqueKeysWithValues: zip(names, cells)), line: index + 1))
        }
        return rows
    }

    /// The YAML of a cell, which is one piece of code.
    static func yaml(_ cell: String) -> String {
        cell.hasPrefix("`") && cell.hasSuffix("`") ? String(cell.dropFirst().dropLast()) : ""
    }
}
