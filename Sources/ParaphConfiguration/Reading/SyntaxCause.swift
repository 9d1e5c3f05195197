/// The cause of a problem of YAML's grammar where the lines around it tell one: the parser stumbles at what follows a
/// mistake more often than at the mistake. Words are fixed phrases, which never quote the file.
struct SyntaxCause {
    let position: SourcePosition
    let message: String

    /// - Parameters:
    ///   - problem: The parser's words.
    ///   - place: The place that it stumbled at.
    ///   - start: The place at which what it was reading starts.
    static func find(
        _ problem: String,
        at place: SourcePosition,
        from start: SourcePosition?,
        in source: YAMLText
    ) -> SyntaxCause? {
        if let cause = foreignIndentation(upTo: place.line, in: source) { return cause }
        if let cause = privateKey(near: place.line, in: source) { return cause }
        switch problem {
        case "mapping values are not allowed in this context":
            return secondColon(at: place, in: source) ?? missingColon(before: place.line, in: source)
        case "did not find expected key":
            return textBehindQuotes(at: place, in: source) ?? strayDash(at: place, in: source)
                ?? missingColon(before: place.line, in: source) ?? smallIndentation(before: place, in: source)
        case "could not find expected ':'":
            return missingColon(before: place.line, in: source)
        case "did not find expected '-' indicator":
            return missingDash(at: place, from: start, in: source)
        default:
            return nil
        }
    }

    private static func foreignIndentation(upTo line: Int, in source: YAMLText) -> SyntaxCause? {
        for number in stride(from: line, through: max(1, line - 200), by: -1) {
            let text = source.line(number)
            let beginning = text.unicodeScalars.prefix { $0 == " " || ForeignCharacter.isBlank($0) }
            guard let index = beginning.firstIndex(where: ForeignCharacter.isBlank) else { continue }
            let column = beginning.distance(from: beginning.startIndex, to: index) + 1
            return SyntaxCause(
                position: SourcePosition(line: number, column: column),
                message: "this line is indented with \(ForeignCharacter.name(beginning[index])); indent with spaces"
            )
        }
        return nil
    }

    private static func privateKey(near line: Int, in source: YAMLText) -> SyntaxCause? {
        for number in stride(from: line, through: max(1, line - 3), by: -1) {
            let text = source.line(number)
            guard let range = text.firstRange(of: "-----BEGIN ") else { continue }
            return SyntaxCause(
                position: SourcePosition(line: number, column: text[..<range.lowerBound].unicodeScalars.count + 1),
                message: "a PEM block has several lines: write | behind the key and its colon, and the block "
                    + "below, each line indented deeper than the key; or put it into a file and write {file: PATH}"
            )
        }
        return nil
    }

    /// `level: info, format: json`
    private static func secondColon(at place: SourcePosition, in source: YAMLText) -> SyntaxCause? {
        let before = source.line(place.line).unicodeScalars.prefix(place.column - 1)
        guard let colon = String(before).firstRange(of: ": ") else { return nil }
        guard String(before)[colon.upperBound...].contains(", ") else { return nil }
        return SyntaxCause(
            position: place,
            message: "there is a second key in this line; give each a line of its own, or put them all in braces, "
                + "{a: b, c: d}"
        )
    }

    /// A line that is no key and value is read on into the next one, whose colon then makes no sense.
    private static func missingColon(before line: Int, in source: YAMLText) -> SyntaxCause? {
        guard let number = content(before: line, in: source) else { return nil }
        let text = source.line(number)
        let words = text.drop { $0 == " " }
        guard !text.contains(": "), !text.hasSuffix(":"), words.first?.isLetter == true,
            indentation(of: text) <= indentation(of: source.line(line))
        else { return nil }
        return SyntaxCause(
            position: SourcePosition(line: number, column: indentation(of: text) + 1),
            message: "this line has no colon with a blank behind it, which belong between a key and its value"
        )
    }

    /// `"S3CRET"pw`
    private static func textBehindQuotes(at place: SourcePosition, in source: YAMLText) -> SyntaxCause? {
        let before = source.line(place.line).unicodeScalars.prefix(place.column - 1)
        guard let last = before.last, last == "\"" || last == "'" else { return nil }
        return SyntaxCause(
            position: place,
            message: "text follows the quote that ends a value; put the whole value in single quotes, with each of "
                + "its own single quotes doubled"
        )
    }

    private static func strayDash(at place: SourcePosition, in source: YAMLText) -> SyntaxCause? {
        let text = source.line(place.line)
        guard text.drop(while: { $0 == " " }).hasPrefix("- "), indentation(of: text) == place.column - 1 else {
            return nil
        }
        return SyntaxCause(
            position: place,
            message: "this line starts an item of a list with its dash, and what stands before it at this depth "
                + "has none; give each item a dash, or take this one away (apis and accounts are no lists)"
        )
    }

    private static func missingDash(
        at place: SourcePosition,
        from start: SourcePosition?,
        in source: YAMLText
    ) -> SyntaxCause? {
        guard let start else { return nil }
        return SyntaxCause(
            position: place,
            message: "a list starts in line \(start.line) with a dash, and this line has neither a dash nor the "
                + "indentation of "
                + "what belongs to an item; correct either, or take the dash away (apis and accounts are no lists)"
        )
    }

    /// A key that is indented less than those before it, beside which the following keys would be.
    private static func smallIndentation(before place: SourcePosition, in source: YAMLText) -> SyntaxCause? {
        let depth = place.column - 1
        guard indentation(of: source.line(place.line)) == depth else { return nil }
        var number = place.line
        repeat {
            guard let previous = content(before: number, in: source) else { return nil }
            number = previous
        } while indentation(of: source.line(number)) >= depth
        let suspect = number
        let smaller = indentation(of: source.line(suspect))
        while let previous = content(before: number, in: source) {
            let indentation = indentation(of: source.line(previous))
            guard indentation > smaller else { return nil }
            if indentation == depth {
                return SyntaxCause(
                    position: SourcePosition(line: suspect, column: smaller + 1),
                    message: "this line is indented less than those before it, and line \(place.line) as they are; "
                        + "indent it like its neighbours"
                )
            }
            number = previous
        }
        return nil
    }

    /// Returns the number of the last line before one that is neither empty nor a comment.
    private static func content(before line: Int, in source: YAMLText) -> Int? {
        stride(from: line - 1, through: 1, by: -1).first { number in
            let text = source.line(number).drop { $0 == " " || $0 == "\t" }
            return !text.isEmpty && text.first != "#"
        }
    }

    private static func indentation(of line: String) -> Int {
        line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
    }
}
