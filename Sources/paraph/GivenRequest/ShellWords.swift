import Bytes

/// The first command of a text, parted into words as a shell does it, bash's `$'…'` among them. Nothing is expanded.
struct ShellWords: Equatable {
    private(set) var words: [[UInt8]] = []
    /// The operator behind the command, such as `|`, and its line; nil where the text ends with it.
    private(set) var end: (operator: String, line: Int)?

    static func == (one: ShellWords, other: ShellWords) -> Bool { one.words == other.words }

    /// - Throws: ``ShellWordsError``.
    init(_ text: String) throws(ShellWordsError) {
        var reader = ShellReader(text)
        try reader.read()
        words = reader.words
        end = reader.end
    }
}

/// The reason why a text is no command that can be read without a shell.
enum ShellWordsError: Error, Equatable {
    /// A quotation that does not end, and the line in which it begins.
    case openQuotation(String, line: Int)
    /// A parameter or a command that only a shell could replace.
    case expansion(String, line: Int)
}

extension ShellWordsError: CustomStringConvertible {
    var description: String {
        switch self {
        case .openQuotation(let mark, let line): "the quotation that begins with \(mark) in line \(line) does not end."
        case .expansion(let text, let line):
            "in line \(line) a shell would replace \(PrintableText(text, limit: 40, escapesQuotes: false)), and what by is "
                + "not known here: write its value, or put it in single quotes if it stands for itself."
        }
    }
}

/// Reads the words, one scalar after the other.
private struct ShellReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var word: [UInt8]?
    /// Indicates whether all of the word stood outside of quotation marks.
    private var isBare = true
    private var dropsNextWord = false
    private(set) var words: [[UInt8]] = []
    private(set) var end: (operator: String, line: Int)?

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func read() throws(ShellWordsError) {
        while end == nil, let scalar = next() {
            switch scalar {
            case " ", "\t", "\r": endWord()
            case "\n":
                endWord()
                // Blank lines and comments go before a command.
                if !words.isEmpty {
                    end = rest.allSatisfy(\.properties.isWhitespace) ? nil : ("the end of the line", line - 1)
                }
                if !words.isEmpty { return }
            case "#" where word == nil: skipLine()
            case "'": try quote()
            case "\"": try doubleQuote()
            case "\\": escape()
            case "$" where peek == "'": try quoteEscaped()
            case "$" where peek == "\"": break
            case "$", "`": try reject(scalar)
            case ";", "|", "(", ")": finish(scalar)
            case "&": if peek == ">" { redirect() } else { finish(scalar) }
            case ">", "<": redirect()
            default: append(scalar)
            }
        }
        endWord()
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
    private var rest: ArraySlice<Unicode.Scalar> { scalars[index...] }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        if scalar == "\n" { line += 1 }
        return scalar
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        word = (word ?? []) + Array(String(scalar).utf8)
    }

    private mutating func endWord() {
        defer { (word, isBare) = (nil, true) }
        guard let word else { return }
        if dropsNextWord { dropsNextWord = false } else { words.append(word) }
    }

    private mutating func skipLine() {
        while let scalar = peek, scalar != "\n" { _ = scalar; index += 1 }
    }

    private mutating func finish(_ scalar: Unicode.Scalar) {
        endWord()
        end = (String(scalar), line)
    }

    /// Leaves out where input comes from, or where output goes.
    private mutating func redirect() {
        // A descriptor's number.
        if isBare, let word, word.allSatisfy(\.isDigit) { self.word = nil }
        endWord()
        while let scalar = peek, ">&|<".unicodeScalars.contains(scalar) { _ = scalar; index += 1 }
        dropsNextWord = true
    }

    // MARK: Quotations

    private mutating func begin() -> Int {
        word = word ?? []
        isBare = false
        return line
    }

    private mutating func quote() throws(ShellWordsError) {
        let start = begin()
        while let scalar = next() {
            if scalar == "'" { return }
            append(scalar)
        }
        throw .openQuotation("'", line: start)
    }

    private mutating func doubleQuote() throws(ShellWordsError) {
        let start = begin()
        while let scalar = next() {
            switch scalar {
            case "\"": return
            case "\\":
                guard let escaped = next() else { break }
                if escaped == "\n" { continue }
                if !"$`\"\\".unicodeScalars.contains(escaped) { append("\\") }
                append(escaped)
            case "$", "`": try reject(scalar)
            default: append(scalar)
            }
        }
        throw .openQuotation("\"", line: start)
    }

    /// Takes what follows a backslash outside of quotation marks; a line end after it is none.
    private mutating func escape() {
        if peek == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
        guard let scalar = next() else { return append("\\") }
        if scalar == "\n" { return }
        append(scalar)
        isBare = false
    }

    /// Takes a dollar sign that stands for itself.
    private mutating func reject(_ scalar: Unicode.Scalar) throws(ShellWordsError) {
        let text = String(String.UnicodeScalarView(rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }))
        guard scalar == "$" else { throw .expansion("`" + text, line: line) }
        if let peek, "{(*@#?!$-_".unicodeScalars.contains(peek) || peek.properties.isAlphabetic || "0"..."9" ~= peek {
            throw .expansion("$" + text, line: line)
        }
        append(scalar)
    }

    // MARK: $'…'

    private mutating func quoteEscaped() throws(ShellWordsError) {
        index += 1
        let start = begin()
        while let scalar = next() {
            switch scalar {
            case "'": return
            case "\\": takeEscape()
            default: append(scalar)
            }
        }
        throw .openQuotation("$'", line: start)
    }

    private mutating func takeEscape() {
        guard let scalar = next() else { return append("\\") }
        switch scalar {
        case "n": append("\n")
        case "r": append("\r")
        case "t": append("\t")
        case "a": append("\u{7}")
        case "b": append("\u{8}")
        case "e", "E": append("\u{1B}")
        case "f": append("\u{C}")
        case "v": append("\u{B}")
        case "\\", "'", "\"", "?": append(scalar)
        case "x": appendByte(digits(2, radix: 16), otherwise: "x")
        case "u": appendScalar(digits(4, radix: 16), otherwise: "u")
        case "U": appendScalar(digits(8, radix: 16), otherwise: "U")
        case "0"..."7":
            index -= 1
            appendByte(digits(3, radix: 8), otherwise: scalar)
        default:
            append("\\")
            append(scalar)
        }
    }

    /// Takes as many digits as there are, up to a number of them.
    private mutating func digits(_ most: Int, radix: Int) -> UInt32? {
        let found = String(String.UnicodeScalarView(rest.prefix(most).prefix { Int(String($0), radix: radix) != nil }))
        index += found.unicodeScalars.count
        return UInt32(found, radix: radix)
    }

    private mutating func appendByte(_ value: UInt32?, otherwise letter: Unicode.Scalar) {
        guard let value else {
            append("\\")
            return append(letter)
        }
        word = (word ?? []) + [UInt8(truncatingIfNeeded: value)]
    }

    private mutating func appendScalar(_ value: UInt32?, otherwise letter: Unicode.Scalar) {
        guard let value, let scalar = Unicode.Scalar(value) else {
            append("\\")
            return append(letter)
        }
        append(scalar)
    }
}
