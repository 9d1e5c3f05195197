import Bytes
import OAuthSigning

// How values are changed before they are signed.
extension DeviationCatalogue {
    var valueDeviations: [Deviation] {
        blankDeviations + lineDeviations + typeDeviations + numberDeviations + markupDeviations + quotingDeviations
    }

    static func values(
        _ cause: ComparisonCause,
        _ sentence: String,
        isRare: Bool = true,
        _ change: @escaping @Sendable (String) -> String
    ) -> Deviation {
        Deviation(cause, "The other side \(sentence).") { recipe in
            Self.change(&recipe) { $0.value = $0.value.changed(change) }
        }
        .of(.values, isRare: isRare)
    }

    private var blankDeviations: [Deviation] {
        [
            Self.values(
                .valueTrimmed,
                "trimmed the white space (blanks, line ends) at the ends of values",
                isRare: false
            ) { $0.trimmed },
            Self.values(.valueTrimmed, "trimmed the white space (blanks, line ends) at the end of values") { text in
                String(text.reversed().drop(while: \.isWhitespace).reversed())
            },
            Self.values(.valueTrimmed, "trimmed the white space (blanks, line ends) at the beginning of values") {
                String($0.drop(while: \.isWhitespace))
            },
            Self.values(.valueTrimmed, "trimmed the blanks at the ends of values, but not line ends") { text in
                String(String(text.drop { $0 == " " }).reversed().drop { $0 == " " }.reversed())
            },
            Self.values(.valueTrimmed, "trimmed a line end at the end of values (chomp)") { text in
                text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
            },
            Self.values(.valueBlanks, "collapsed runs of blanks in values to one blank (space)") {
                Self.collapsed($0) { $0 == " " }
            },
            Self.values(
                .valueBlanks,
                "collapsed runs of white space (blanks, line ends) in values to one blank (space)"
            ) {
                Self.collapsed($0, where: \.isWhitespace)
            },
            Self.values(
                .valueBlanks,
                "trimmed values and collapsed runs of white space (blanks) in them to one blank (space)"
            ) {
                Self.collapsed($0, where: \.isWhitespace).trimmed
            },
            Self.values(.valueBlanks, "left the blanks (spaces) out of values") { $0.filter { $0 != " " } },
            Self.values(.valueBlanks, "left all white space (blanks, line ends) out of values") {
                $0.filter { !$0.isWhitespace }
            },
            Self.values(.valueBlanks, "wrote a blank (space) for tabs in values") { $0.replacing("\t", with: " ") },
            Self.values(.valueBlanks, "wrote a blank (space) for no-break spaces (U+00A0) in values") {
                $0.replacing("\u{A0}", with: " ")
            },
            Self.values(.valueBlanks, "wrote no-break spaces (U+00A0) for the blanks in values") {
                $0.replacing(" ", with: "\u{A0}")
            },
            Self.values(.plusForSpace, "wrote + for a space in values before it encoded them (%2B)") {
                $0.replacing(" ", with: "+")
            },
            Self.values(.plusForSpace, "took a plus sign (%2B) in values for a space", isRare: false) {
                $0.replacing("+", with: " ")
            },
            Self.values(.doubleEncoding, "wrote %20 for a space in values before it encoded them (twice, %2520)") {
                $0.replacing(" ", with: "%20")
            },
            Self.values(.valueBlanks, "wrote _ for the blanks (spaces) in values") { $0.replacing(" ", with: "_") },
            Self.values(.valueBlanks, "wrote - for the blanks (spaces) in values") { $0.replacing(" ", with: "-") },
        ]
    }

    private static func collapsed(_ text: String, where isBlank: (Character) -> Bool) -> String {
        var (kept, wasBlank) = ("", false)
        for character in text {
            if isBlank(character) {
                if !wasBlank { kept.append(" ") }
            } else {
                kept.append(character)
            }
            wasBlank = isBlank(character)
        }
        return kept
    }

    private var lineDeviations: [Deviation] {
        let ends = [
            ("\n", "\\n (LF)"), ("\r\n", "\\r\\n (CR LF)"), ("\r", "\\r (CR)"), (" ", "a blank"), ("", "nothing"),
            ("\\n", "a backslash and an n"), ("<br>", "<br>"), ("<br />", "<br />"), ("\n\n", "two line feeds"),
        ]
        let lines = ends.map { end, words in
            Self.values(
                .valueLineEnds,
                "signed \(words) for the line ends in values (line feeds, as browsers, Windows or a text area write them)"
            ) { text in
                text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\n", with: end)
            }
        }
        return lines + [
            Self.values(.valueLineEnds, "signed values up to their first line end alone (line feed)") {
                String($0.prefix { !$0.isNewline })
            },
            Self.values(.valueLineEnds, "signed values with a line end (\\n) behind them") { $0 + "\n" },
            Self.values(.valueLineEnds, "signed values with a line end (\\r\\n) behind them") { $0 + "\r\n" },
        ]
    }

    /// Booleans and null, which each language writes in its own way.
    private var typeDeviations: [Deviation] {
        let booleans: [(String, [String: String])] = [
            ("true as 1 and false as nothing, as PHP does (booleans)", ["true": "1", "false": ""]),
            ("true as 1 and false as 0 (booleans)", ["true": "1", "false": "0"]),
            ("true as True and false as False, as Python and .NET do (booleans)", ["true": "True", "false": "False"]),
            ("True as true and False as false (booleans)", ["True": "true", "False": "false"]),
            ("1 as true and 0 as false (booleans)", ["1": "true", "0": "false"]),
            ("1 as True and 0 as False, as Python does (booleans)", ["1": "True", "0": "False"]),
            ("true as yes and false as no (booleans)", ["true": "yes", "false": "no"]),
            ("true as on and false as off (booleans)", ["true": "on", "false": "off"]),
            ("yes as true and no as false (booleans)", ["yes": "true", "no": "false", "on": "true", "off": "false"]),
            ("true as TRUE and false as FALSE (booleans)", ["true": "TRUE", "false": "FALSE"]),
            ("true as T and false as F (booleans)", ["true": "T", "false": "F"]),
            ("true as t and false as f (booleans)", ["true": "t", "false": "f"]),
            ("false as nothing (a boolean)", ["false": ""]),
            ("True as 1 and False as 0 (booleans)", ["True": "1", "False": "0"]),
            ("true as an empty flag (a boolean)", ["true": ""]), ("false as null (a boolean)", ["false": "null"]),
            ("null as an empty text", ["null": ""]), ("None as an empty text (null)", ["None": ""]),
            ("undefined as an empty text", ["undefined": ""]),
            ("null as None, as Python does", ["null": "None"]), ("null as nil", ["null": "nil"]),
            ("null as undefined", ["null": "undefined"]),
            ("0 as nothing, an empty number (null)", ["0": ""]),
        ]
        let all = booleans.map { words, map in
            Self.values(.valueType, "signed \(words); the request has another text") { map[$0] ?? $0 }
        }
        let dropped: [(String, Set<String>)] = [
            ("false (a boolean)", ["false"]), ("null", ["null", "undefined", "None", "nil"]),
            ("0 (a number that counts as empty)", ["0"]),
            ("false, 0, null or nothing (what counts as empty)", ["false", "0", "null", ""]),
        ]
        return all
            + dropped.map { words, texts in
                Deviation(.parameterNotSigned, "The other side did not sign parameters whose value is \(words).") {
                    $0.parameters.removeAll { $0.origin != .protocol && texts.contains($0.valueText) }
                }
                .of(.values, isRare: true)
            }
    }

    private var numberDeviations: [Deviation] {
        [
            Self.values(.valueNumber, "signed numbers without the zeros behind the decimal point: 10 for 10.00") {
                text in
                guard Self.isNumber(text), text.contains(".") else { return text }
                let cut = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
                return String(cut.reversed())
            },
            Self.values(.valueNumber, "signed decimal numbers with one zero behind the point: 10.0 for 10.00") { text in
                guard Self.isNumber(text), text.contains(".") else { return text }
                let cut = String(text.reversed().drop { $0 == "0" }.reversed())
                return cut.hasSuffix(".") ? cut + "0" : cut
            },
            Self.values(.valueNumber, "signed whole numbers as decimal ones: 10.0 for 10 (a float)") {
                Self.isWhole($0) ? $0 + ".0" : $0
            },
            Self.values(.valueNumber, "signed whole numbers with two decimal digits: 10.00 for 10") {
                Self.isWhole($0) ? $0 + ".00" : $0
            },
            Self.values(.valueNumber, "signed decimal numbers with two digits: 10.50 for 10.5") { text in
                guard Self.isNumber(text), let dot = text.firstIndex(of: "."), text[dot...].count == 2 else {
                    return text
                }
                return text + "0"
            },
            Self.values(.valueNumber, "signed decimal numbers without what stands behind the point (as whole numbers)")
            { text in
                Self.isNumber(text) ? String(text.prefix { $0 != "." }) : text
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1e+06 (a float)") {
                Self.exponent($0, "e+0", "e+")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1E6 (a float)") {
                Self.exponent($0, "E", "E")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1e6 (a float)") {
                Self.exponent($0, "e", "e")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1.0E6, as Java does (a float)") {
                let text = Self.exponent($0, "E", "E")
                return text == $0 || text.contains(".") ? text : text.replacing("E", with: ".0E")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1.0e+06 (a float)") {
                let text = Self.exponent($0, "e+0", "e+")
                return text == $0 || text.contains(".") ? text : text.replacing("e", with: ".0e")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1E+06 (a float)") {
                Self.exponent($0, "E+0", "E+")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1E+6 (a float)") {
                Self.exponent($0, "E+", "E+")
            },
            Self.values(.valueNumber, "signed large numbers with an exponent: 1e+6 (a float)") {
                Self.exponent($0, "e+", "e+")
            },
            Self.values(.valueNumber, "signed numbers without their leading zeros: 7 for 007") { text in
                Self.isWhole(text) && text.count > 1 ? String(text.drop { $0 == "0" }) : text
            },
            Self.values(.valueNumber, "signed large numbers as JavaScript rounds them (beyond 2 to the 53rd, a float)")
            { text in
                guard Self.isWhole(text), text.count > 15, let number = Double(text), number < 1e21 else { return text }
                return Self.shortest(number, count: text.count)
            },
            Self.values(.valueNumber, "signed numbers with a comma for the decimal point, as a locale has it") {
                Self.isNumber($0) ? $0.replacing(".", with: ",") : $0
            },
            Self.values(.valueNumber, "signed numbers with commas between the thousands, as a locale has it") {
                Self.grouped($0, ",")
            },
            Self.values(.valueNumber, "signed numbers with dots between the thousands, as a locale has it") {
                Self.grouped($0, ".")
            },
            Self.values(.valueNumber, "signed numbers with blanks between the thousands, as a locale has it") {
                Self.grouped($0, " ")
            },
            Self.values(.valueNumber, "signed numbers without the + in front") {
                $0.hasPrefix("+") ? String($0.dropFirst()) : $0
            },
            Self.values(.valueNumber, "signed .5 for 0.5 (a number without the zero in front)") {
                $0.hasPrefix("0.") ? String($0.dropFirst()) : $0
            },
            Self.values(.valueDate, "signed dates with +00:00 for Z") {
                Self.isDate($0) && $0.hasSuffix("Z") ? $0.dropLast() + "+00:00" : $0
            },
            Self.values(.valueDate, "signed dates with Z for +00:00") {
                $0.hasSuffix("+00:00") ? $0.dropLast(6) + "Z" : $0
            },
            Self.values(.valueDate, "signed dates with .000 before Z") {
                Self.isDate($0) && $0.hasSuffix("Z") ? $0.dropLast() + ".000Z" : $0
            },
            Self.values(.valueDate, "signed dates without the milliseconds .000") { $0.replacing(".000", with: "") },
            Self.values(.valueDate, "signed dates with a blank for the T") {
                Self.isDate($0) ? $0.replacing("T", with: " ") : $0
            },
            Self.values(.valueDate, "signed dates with a T for the blank") {
                Self.isDate($0) ? $0.replacing(" ", with: "T") : $0
            },
            Self.values(.valueDate, "signed dates without the time") { Self.isDate($0) ? String($0.prefix(10)) : $0 },
            Self.values(.valueDate, "signed dates with T00:00:00Z behind them") {
                Self.isDate($0) && $0.count == 10 ? $0 + "T00:00:00Z" : $0
            },
            Self.values(.valueDate, "signed dates with T00:00:00.000Z behind them, as JavaScript writes them") {
                Self.isDate($0) && $0.count == 10 ? $0 + "T00:00:00.000Z" : $0
            },
            Self.values(.valueDate, "signed dates with 00:00:00 behind them") {
                Self.isDate($0) && $0.count == 10 ? $0 + " 00:00:00" : $0
            },
        ]
    }

    private static func isWhole(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(\.isDigit) }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { isWhole(String($0)) }
    }

    private static func isDate(_ text: String) -> Bool {
        let parts = text.prefix(10).split(separator: "-")
        return parts.count == 3 && parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { isWhole(String($0)) }
    }

    /// - Parameters:
    ///   - one: The text between digits and an exponent of one digit.
    ///   - two: The same for one of two digits.
    private static func exponent(_ text: String, _ one: String, _ two: String) -> String {
        guard isWhole(text), text.count > 3, !text.hasPrefix("0") else { return text }
        let digits = String(text.reversed().drop { $0 == "0" }.reversed())
        guard digits.count <= 6 else { return text }
        let exponent = text.count - 1
        let rest = digits.dropFirst()
        return digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + (exponent < 10 ? one : two) + String(exponent)
    }

    /// The shortest digits that mean the same number, and zeros.
    private static func shortest(_ number: Double, count: Int) -> String {
        let text = number.description
        let digits = text.prefix { $0 != "e" }.filter(\.isNumber)
        let cut = text.contains("e") ? String(digits) : String(text.prefix { $0 != "." })
        return String((cut + String(repeating: "0", count: max(0, count - cut.count))).prefix(count))
    }

    private static func grouped(_ text: String, _ separator: String) -> String {
        guard isWhole(text), text.count > 3 else { return text }
        var groups: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            groups.insert(String(rest.suffix(3)), at: 0)
            rest = rest.dropLast(3)
        }
        return groups.joined(separator: separator)
    }
}
