/// The state of reading a segment of a path, and whether it is `.` or `..` for any of the readers there are.
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

    /// Returns whether a segment of the path is one.
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
        /// The beginning of what some readers leave out.
        case end
        case dots(Int)
        case blank
        case other
    }

    /// - Returns: What the character that begins there is, and its bytes.
    private static func mark(in path: Span<UInt8>, at index: Int) -> (Mark, count: Int) {
        let (scalar, count) = scalar(in: path, at: index)
        let mark: Mark =
            switch scalar {
            case 0x2F, 0x5C, 0xFF0F, 0xFF3C, 0xFE68: .separator
            case 0x3B, 0x3F, 0x23, 0xFF1B, 0xFF1F, 0xFF03: .end
            case 0x2E, 0x2024, 0xFE52, 0xFF0E: .dots(1)
            case 0x2025: .dots(2)
            // White space, control characters, and what is not seen.
            case 0...0x20, 0x7F...0xA0, 0xAD, 0x034F, 0x061C, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F,
                0x205F...0x206F, 0x3000, 0xFEFF:
                .blank
            default: .other
            }
        return (mark, count)
    }

    /// A character of UTF-8, or else a byte that is taken for one of ISO 8859-1.
    private static func scalar(in path: Span<UInt8>, at index: Int) -> (UInt32, count: Int) {
        let first = path[index]
        let count =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            default: 1
            }
        guard count > 1, index + count <= path.count else { return (UInt32(first), 1) }
        var scalar = UInt32(first) & (0xFF >> UInt32(count + 1))
        for next in index + 1..<index + count {
            guard path[next] & 0xC0 == 0x80 else { return (UInt32(first), 1) }
            scalar = scalar << 6 | UInt32(path[next] & 0x3F)
        }
        return (scalar, count)
    }
}
