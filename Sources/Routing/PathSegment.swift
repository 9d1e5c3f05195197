/// What has been read of a segment of a path, and whether it is `.` or `..` for any of the readers there are.
///
/// Segments end at a slash or a backslash, for some readers a full-width one. Some leave out parameters after a
/// semicolon, and what follows `?` or `#` if they decode before they look for these; blanks and control characters
/// beside the dots, and dots before blanks, as Windows does; or take other characters for dots, by compatibility
/// (Unicode Standard Annex 15) or for want of them in a code page.
struct PathSegment {
    private var dots = 0
    private var hasBlanks = false
    private var isPlain = true
    private var isOver = false

    /// Whether a segment of the path is one.
    static func isDotSegment(in path: Span<UInt8>) -> Bool {
        var segment = PathSegment()
        var index = 0
        while index < path.count {
            let (mark, count) = mark(in: path, at: index)
            index += count
            if segment.takes(mark) { continue }
            if segment.isDotSegment { return true }
            segment = PathSegment()
        }
        return segment.isDotSegment
    }

    private var isDotSegment: Bool { isPlain && dots > 0 && (dots <= 2 || hasBlanks) }

    /// - Returns: Whether the segment goes on.
    private mutating func takes(_ mark: Mark) -> Bool {
        switch mark {
        case .separator: return false
        case _ where isOver: break
        case .end: isOver = true
        case .dots(let count): dots += count
        case .blank: hasBlanks = true
        case .other: isPlain = false
        }
        return true
    }

    private enum Mark {
        case separator
        /// What begins that some readers leave out.
        case end
        case dots(Int)
        case blank
        case other
    }

    /// - Returns: What the character that begins there is, and its bytes.
    private static func mark(in path: Span<UInt8>, at index: Int) -> (Mark, count: Int) {
        switch path[index] {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"): (.separator, 1)
        case UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#"): (.end, 1)
        case UInt8(ascii: "."): (.dots(1), 1)
        case 0...0x20, 0x7F: (.blank, 1)
        case 0xE2, 0xEF: wideMark(in: path, at: index)
        default: (.other, 1)
        }
    }

    private static func wideMark(in path: Span<UInt8>, at index: Int) -> (Mark, count: Int) {
        guard index + 2 < path.count else { return (.other, 1) }
        return switch (path[index], path[index + 1], path[index + 2]) {
        // U+2024, U+FE52 and U+FF0E; U+2025.
        case (0xE2, 0x80, 0xA4), (0xEF, 0xB9, 0x92), (0xEF, 0xBC, 0x8E): (.dots(1), 3)
        case (0xE2, 0x80, 0xA5): (.dots(2), 3)
        // U+FF0F, U+FF3C and U+FE68.
        case (0xEF, 0xBC, 0x8F), (0xEF, 0xBC, 0xBC), (0xEF, 0xB9, 0xA8): (.separator, 3)
        // U+FF1B, U+FF1F and U+FF03.
        case (0xEF, 0xBC, 0x9B), (0xEF, 0xBC, 0x9F), (0xEF, 0xBC, 0x83): (.end, 3)
        default: (.other, 1)
        }
    }
}
