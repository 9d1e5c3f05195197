import Bytes

/// Rows of text in columns as wide as their widest cell. What is not printable is escaped: names are of others' making.
struct AlignedTable {
    private let rows: [[String]]

    /// - Parameters:
    ///   - header: The names of the columns; nil: they have none.
    ///   - rows: The rows, of as many cells each as there are columns.
    init(header: [String]? = nil, rows: [[String]]) {
        self.rows = ((header.map { [$0] } ?? []) + rows).map { row in
            row.map { PrintableText($0, limit: 200, escapesQuotes: false).description }
        }
    }

    /// A line for each row, without blanks at the end.
    var lines: [String] {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            let line = cells.joined(separator: "  ")
            return String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
        }
    }
}
