/// The words of a command for Windows' command prompt, as browsers copy one: first the prompt takes the carets away,
/// then the program parts the words at blanks outside of quotation marks.
struct CommandPromptWords: Equatable {
    private(set) var words: [[UInt8]] = []

    /// Returns whether a command is one for the prompt: no shell's has a caret before a quotation mark or a line end.
    static func isLikely(_ text: some StringProtocol) -> Bool {
        text.contains("^\"") || text.split(whereSeparator: \.isNewline).dropLast().contains { $0.hasSuffix("^") }
    }

    init(_ text: some StringProtocol) {
        var scalars = Self.withoutCarets(text)[...]
        var word: String.UnicodeScalarView?
        var isQuoted = false
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                // Backslashes are themselves unless a quotation mark follows.
                let count = 1 + scalars.prefix { $0 == "\\" }.count
                scalars = scalars.dropFirst(count - 1)
                let precedesMark = scalars.first == "\""
                word = word ?? .init()
                word?.append(contentsOf: repeatElement("\\", count: precedesMark ? count / 2 : count))
                if precedesMark, count % 2 == 1 {
                    word?.append("\"")
                    scalars = scalars.dropFirst()
                }
            case "\"":
                word = word ?? .init()
                isQuoted.toggle()
            case " ", "\t", "\n", "\r":
                if isQuoted {
                    word?.append(scalar)
                } else if let ended = word {
                    words.append(Array(String(ended).utf8))
                    word = nil
                }
            default:
                word = word ?? .init()
                word?.append(scalar)
            }
        }
        if let word { words.append(Array(String(word).utf8)) }
    }

    /// A caret makes what follows stand for itself; a line end behind one is none, unless it is doubled.
    private static func withoutCarets(_ text: some StringProtocol) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "^" else {
                result.append(scalar)
                continue
            }
            guard let next = rest.first else { break }
            if next == "\r" || next == "\n" {
                rest = rest.dropFirst(next == "\r" && rest.dropFirst().first == "\n" ? 2 : 1)
                // The line end that the caret has not taken.
                if let second = rest.first, second == "\n" || second == "\r" {
                    rest = rest.dropFirst(second == "\r" && rest.dropFirst().first == "\n" ? 2 : 1)
                    result.append("\n")
                }
            } else {
                result.append(next)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
