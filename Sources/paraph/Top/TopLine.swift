/// One request in a line.
struct TopLine {
    private static let widths = [12, 6, 7, 7, 10, 18]
    /// The column that is there only where clients are configured.
    private static let clientColumn = 4

    private enum Look {
        case plain, bold, bad, dim
    }

    private let columns: [String]
    private let look: Look

    init(_ request: TopRequest) {
        columns = request.columns
        let status = request.completion.status ?? 0
        look = request.problem != nil || status >= 500 ? .bad : status >= 400 ? .bold : .plain
    }

    init(_ request: TopRequestInFlight, after elapsed: Duration) {
        columns = request.columns(after: elapsed)
        look = .dim
    }

    /// Returns the names of the columns.
    static func heading(showsClient: Bool) -> String {
        padded(["TIME", "STATUS", "TOOK", "METHOD", "CLIENT", "API/ACCOUNT", "REQUEST"], showsClient: showsClient)
    }

    /// - Parameter width: The columns of the terminal; nil: there is none, and nothing is cut.
    func text(width: Int? = nil, showsClient: Bool = false, style: TextStyle) -> String {
        let text = Self.padded(columns, cuts: width != nil, showsClient: showsClient)
        let cut = width.map { TextColumns.cut(text, to: $0) } ?? text
        return switch look {
        case .plain: cut
        case .bold: style.bold(cut)
        case .bad: style.bad(cut)
        case .dim: style.dim(cut)
        }
    }

    private static func padded(_ columns: [String], cuts: Bool = true, showsClient: Bool) -> String {
        var cells = zip(columns, widths).map { TextColumns.pad($0, to: $1, cuts: cuts) }
        if !showsClient { cells.remove(at: clientColumn) }
        return (cells + columns.dropFirst(widths.count)).joined(separator: " ")
    }
}

/// Text in the columns of a terminal.
enum TextColumns {
    /// The columns of a character: two of East Asian scripts and of pictures, none of what stands over another.
    static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    /// Returns as much of a text as so many columns have room for.
    static func cut(_ text: String, to columns: Int) -> String {
        var used = 0
        var kept = ""
        for character in text {
            used += width(character)
            guard used <= columns else { break }
            kept.append(character)
        }
        return kept
    }

    /// Returns a text of just so many columns, cut with a mark or filled up with spaces.
    ///
    /// - Parameter cuts: Whether a longer text is cut; otherwise it stays as long.
    static func pad(_ text: String, to columns: Int, cuts: Bool = true) -> String {
        let length = text.reduce(0) { $0 + width($1) }
        guard length > columns else { return text + String(repeating: " ", count: columns - length) }
        guard cuts else { return text }
        let kept = cut(text, to: columns - 1) + "…"
        return kept + String(repeating: " ", count: columns - kept.reduce(0) { $0 + width($1) })
    }
}
