import Bytes

/// The text of a YAML file that has been found fit for the parser.
///
/// Refuses text that is not UTF-8, control characters, and line breaks other than LF and CR LF: the parser would report
/// them without a position, or with one that no editor shows.
struct YAMLText {
    static let maximumBytes = 4 * 1024 * 1024

    /// The text in UTF-8, without a byte order mark.
    let bytes: [UInt8]
    /// The index of each line's first byte.
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) throws(Mistake) {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw Mistake(at: .start, "the file is UTF-16; save it as UTF-8 text")
        }
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        if let index = bytes.firstIndex(where: { $0.isControl && ![0x09, 0x0a, 0x0d].contains($0) }) {
            throw Mistake(
                at: Self.position(of: index, in: bytes),
                "the file holds a control character; a configuration file is plain UTF-8 text"
            )
        }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw Mistake(
                at: Self.position(of: error.byteOffsets.lowerBound, in: bytes),
                "the file is not UTF-8 from here on; save it as UTF-8 text"
            )
        }
        try Self.refuseForeignLineBreaks(in: bytes)
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.lazy.filter { bytes[$0] == 0x0a }.map { $0 + 1 }
    }

    /// A line without its line break; empty where there is none of that number, which counts from 1.
    func line(_ number: Int) -> String {
        guard lineStarts.indices.contains(number - 1) else { return "" }
        let rest = bytes[lineStarts[number - 1]...]
        let line = rest.prefix { $0 != 0x0a }
        return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
    }

    /// Returns whether nothing but a comment follows in the line.
    func hasComment(after position: SourcePosition) -> Bool {
        rest(after: position).drop { $0 == " " || $0 == "\t" }.first == "#"
    }

    /// Returns whether what follows in the line begins with a blank and a `#` that no blank follows: few comments are
    /// written so.
    func hasDenseComment(after position: SourcePosition) -> Bool {
        let rest = rest(after: position)
        guard rest.first == " " || rest.first == "\t" else { return false }
        let comment = rest.drop { $0 == " " || $0 == "\t" }
        return comment.first == "#" && comment.dropFirst().first.map { $0 != " " && $0 != "\t" && $0 != "#" } ?? false
    }

    /// Returns the rest of the line; empty where the line is so long that counting its characters for each value in it
    /// would take long.
    private func rest(after position: SourcePosition) -> Substring.UnicodeScalarView {
        guard position.column < 1_000 else { return Substring().unicodeScalars }
        return line(position.line).unicodeScalars.dropFirst(position.column - 1)
    }

    /// The place of a byte.
    func position(of index: Int) -> SourcePosition { Self.position(of: min(index, bytes.count), in: bytes) }

    /// YAML 1.1, section 4.2, which libyaml follows, has three line breaks that YAML 1.2 has not and few editors show.
    private static func refuseForeignLineBreaks(in bytes: [UInt8]) throws(Mistake) {
        for index in bytes.indices {
            let escape: String
            switch bytes[index] {
            case UInt8(ascii: "\r") where index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"):
                throw Mistake(
                    at: position(of: index, in: bytes),
                    "the file has a carriage return without a line feed here; end lines with LF or CR LF"
                )
            case 0xc2 where bytes[index...].starts(with: "\u{85}".utf8): escape = "U+0085, \\N"
            case 0xe2 where bytes[index...].starts(with: "\u{2028}".utf8): escape = "U+2028, \\L"
            case 0xe2 where bytes[index...].starts(with: "\u{2029}".utf8): escape = "U+2029, \\P"
            default: continue
            }
            throw Mistake(
                at: position(of: index, in: bytes),
                "the file has an invisible line break here (\(escape) in double quotes); take it out"
            )
        }
    }

    /// - Parameter bytes: UTF-8 up to there.
    static func position(of index: Int, in bytes: [UInt8]) -> SourcePosition {
        let before = bytes[..<index]
        let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return SourcePosition(
            line: before.count { $0 == 0x0a } + 1,
            column: String(decoding: bytes[lineStart..<index], as: UTF8.self).unicodeScalars.count + 1
        )
    }
}
