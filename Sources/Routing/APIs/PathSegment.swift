/// The state of reading a segment of a path, and whether it is `.` or `..` for any of the readers there are.
///
/// Segments end at a slash or a backslash, for some readers a full-width one. Some leave out parameters after a
/// semicolon, and what follows `?` or `#` if they decode before they look for these; blanks and control characters
/// beside the dots, and dots before blanks, as Windows does; or take other characters for dots, by compatibility
/// (Unicode Standard Annex 15) or for want of them in a code page, where a yen or won sign stands for a backslash.
struct PathSegment {
    private var dots = 0
    private var hasBlanks = false
    private var hasForeignBytes = false
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

    /// One dot leads nowhere else, and beside bytes that are no UTF-8 it is more likely a name in an older encoding.
    private var isDotSegment: Bool {
        isPlain && dots > 0 && (dots <= 2 || hasBlanks) && !(dots == 1 && hasForeignBytes)
    }

    /// - Returns: Whether the segment goes on.
    private mutating func takes(_ mark: Mark) -> Bool {
        switch mark {
        case .separator: return false
        case _ where isOver: break
        case .end: isOver = true
        case .dots(let count): dots += count
        case .blank: hasBlanks = true
        case .foreign:
            hasBlanks = true
            hasForeignBytes = true
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
        /// A byte that is no part of UTF-8, which some readers leave out.
        case foreign
        case other
    }

    /// - Returns: The kind of the character that begins there, and the number of its bytes.
    private static func mark(in path: Span<UInt8>, at index: Int) -> (Mark, count: Int) {
        guard let (scalar, count) = scalar(in: path, at: index) else { return (.foreign, 1) }
        let mark: Mark =
            switch scalar.value {
            case 0x2F, 0x5C, 0xA5, 0x2044, 0x20A9, 0x2215, 0x2216, 0x29F5, 0x29F8, 0xFE68, 0xFF0F, 0xFF3C: .separator
            case 0x3B, 0x3F, 0x23, 0x37E, 0x2047, 0x2048, 0xFE14, 0xFE16, 0xFE54, 0xFE56, 0xFE5F, 0xFF1B, 0xFF1F,
                0xFF03:
                .end
            case 0x2E, 0x2024, 0xFE52, 0xFF0E: .dots(1)
            case 0x2025, 0xFE30: .dots(2)
            case 0x2026, 0xFE19: .dots(3)
            default: isSeen(scalar) ? .other : .blank
            }
        return (mark, count)
    }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return 0x21...0x7E ~= scalar.value }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: return false
        default: return !properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
        }
    }

    /// Returns a character of UTF-8, and how many bytes it has; nil for a byte that begins none, which some leave out.
    private static func scalar(in path: Span<UInt8>, at index: Int) -> (Unicode.Scalar, Int)? {
        let first = path[index]
        let count =
            switch first {
            case 0..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard count > 0, index + count <= path.count else { return nil }
        var value = count == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(count))
        for next in index + 1..<index + count {
            guard path[next] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(path[next] & 0x3F)
        }
        return Unicode.Scalar(value).map { ($0, count) }
    }
}
