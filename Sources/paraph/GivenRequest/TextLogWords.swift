/// The words of a line of the log that is text. One in quotation marks may have blanks within them.
struct TextLogWords {
    private var rest: ArraySlice<Unicode.Scalar>

    init(_ line: some StringProtocol) { rest = Self.withoutColours(line)[...] }

    /// Returns the next word; nil behind the last one.
    mutating func next() -> String? {
        rest = rest.drop { $0 == " " }
        var word = String.UnicodeScalarView()
        var (isQuoted, isEscaped) = (false, false)
        while let scalar = rest.first, isQuoted || scalar != " " {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
            word.append(scalar)
            rest = rest.dropFirst()
        }
        return word.isEmpty ? nil : String(word)
    }

    /// Undoes the escapes of a word that was not plain: `\u{20}`, `\"` and `\\`.
    static func unescaped(_ word: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = Array(word.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let next = rest.first else {
                result.append(scalar)
                continue
            }
            if next == "u", rest.dropFirst().first == "{" {
                let digits = String(String.UnicodeScalarView(rest.dropFirst(2).prefix { $0 != "}" }.prefix(8)))
                if let value = UInt32(digits, radix: 16), let escaped = Unicode.Scalar(value) {
                    result.append(escaped)
                    rest = rest.dropFirst(digits.unicodeScalars.count + 3)
                    continue
                }
            }
            result.append(next)
            rest = rest.dropFirst()
        }
        return String(result)
    }

    private static func withoutColours(_ line: some StringProtocol) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var rest = Array(line.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}", rest.first == "[" else {
                result.append(scalar)
                continue
            }
            // A control sequence ends with its first letter.
            rest = rest.drop { !(0x40...0x7E ~= $0.value) || $0 == "[" }.dropFirst()
        }
        return result
    }
}
