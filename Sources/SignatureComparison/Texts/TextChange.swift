import Bytes

/// One thing that happens to a text on its way to where it is signed, whatever the text is for.
struct TextChange: Sendable {
    /// The cause where the text is the value of a parameter.
    let cause: ComparisonCause
    /// The words behind "The other side signed the value of x".
    let words: String
    let change: @Sendable (String) -> String

    init(_ cause: ComparisonCause, _ words: String, _ change: @escaping @Sendable (String) -> String) {
        self.cause = cause
        self.words = words
        self.change = change
    }

    /// All changes that are known, the likelier ones first.
    static let all = behind + before + around + codings + cuts + spellings + words

    /// Templates in which the place has this name, and that nothing was put into.
    static func placeholders(named name: String) -> [TextChange] {
        let forms = ["{\(name)}", "{{\(name)}}", "{{ \(name) }}", "${\(name)}", "$\(name)", ":\(name)", "<\(name)>"]
        let more = ["%\(name)%", "#{\(name)}", "[\(name)]", "@\(name)", name, "${name}", "%(\(name))s", "$(\(name))"]
        return (forms + more).map { text in
            TextChange(.valueType, "as \(text), a name or placeholder of a template in place of what belongs there") {
                _ in text
            }
        }
    }
}

extension TextChange {
    private static let behind: [TextChange] = {
        let ends: [(String, ComparisonCause, String)] = [
            (" ", .valueBlanks, "a blank (a space)"), ("\n", .valueLineEnds, "a line feed (a line end, \\n)"),
            ("\r\n", .valueLineEnds, "a line end of Windows (\\r\\n, CR LF)"),
            ("\r", .valueLineEnds, "a carriage return (\\r, of a line end of Windows)"),
            ("\t", .valueBlanks, "a tab (\\t)"), ("  ", .valueBlanks, "two blanks (spaces)"),
            ("\n\n", .valueLineEnds, "two line feeds (\\n)"),
            ("\0", .characterSet, "a zero byte (NUL, the end of strings in C)"),
            ("\u{A0}", .characterSet, "a no-break space (NBSP, U+00A0)"),
            ("\u{200B}", .characterSet, "an invisible zero-width space (U+200B)"),
            ("\u{FEFF}", .characterSet, "a byte-order mark (BOM, U+FEFF)"), (",", .parameterValue, "a comma"),
            (";", .parameterValue, "a semicolon"), (".", .parameterValue, "a full stop (a dot)"),
            ("/", .parameterValue, "a slash"), (":", .parameterValue, "a colon"), ("=", .parameterValue, "an ="),
            ("&", .parameterValue, "a & (ampersand)"), ("?", .parameterValue, "a question mark"),
            ("#", .parameterValue, "a #"), ("%", .parameterValue, "a % (percent sign)"),
            ("\\", .valueEscaped, "a backslash"), ("+", .parameterValue, "a + (plus sign)"),
            ("*", .parameterValue, "a * (asterisk)"), ("|", .parameterValue, "a |"),
            ("\\n", .valueEscaped, "a backslash and an n, which were to be a line feed (\\n)"),
            ("\\r\\n", .valueEscaped, "\\r\\n as four characters, which were to be a line end"),
            ("%0A", .valueEscaped, "%0A, an encoded line feed (\\n)"),
            ("%0D%0A", .valueEscaped, "%0D%0A, an encoded line end (\\r\\n)"),
            ("%20", .valueEscaped, "%20, an encoded blank (space)"), ("\"", .valueQuoted, "a quotation mark"),
            ("'", .valueQuoted, "a single quotation mark"), ("[]", .arrayAsText, "brackets [] of an array"),
            (".0", .valueNumber, ".0, as a float has it"), ("\u{200E}", .characterSet, "a left-to-right mark (U+200E)"),
        ]
        return ends.map { text, cause, words in TextChange(cause, "with \(words) behind it") { $0 + text } }
    }()

    private static let before: [TextChange] = {
        let starts: [(String, ComparisonCause, String)] = [
            (" ", .valueBlanks, "a blank (a space)"), ("\u{FEFF}", .characterSet, "a byte-order mark (BOM, U+FEFF)"),
            ("\n", .valueLineEnds, "a line feed (a line end, \\n)"), ("\t", .valueBlanks, "a tab (\\t)"),
            ("\r\n", .valueLineEnds, "a line end of Windows (\\r\\n)"),
            ("\u{A0}", .characterSet, "a no-break space (NBSP, U+00A0)"),
            ("\u{200B}", .characterSet, "an invisible zero-width space (U+200B)"),
            ("\u{EF}\u{BB}\u{BF}", .characterSet, "a byte-order mark (BOM) that was read as Latin-1"),
            (":", .parameterValue, "a colon, as symbols of Ruby and Lisp have it"), ("=", .parameterValue, "an ="),
            ("$", .parameterValue, "a $ (dollar)"), ("@", .parameterValue, "a @"), ("#", .parameterValue, "a #"),
            ("/", .parameterValue, "a slash"), ("+", .parameterValue, "a + (plus sign)"),
            ("-", .parameterValue, "a hyphen (minus)"), ("_", .parameterValue, "an underscore"),
            ("?", .parameterValue, "a question mark"), ("&", .parameterValue, "a & (ampersand)"),
            ("*", .parameterValue, "a * (asterisk)"), (".", .parameterValue, "a full stop (a dot)"),
            (",", .parameterValue, "a comma"), (";", .parameterValue, "a semicolon"),
            ("0", .valueNumber, "a zero"), ("0x", .valueNumber, "0x of hexadecimal digits"),
            ("\"", .valueQuoted, "a quotation mark"), ("'", .valueQuoted, "a single quotation mark (an apostrophe)"),
            ("\\", .valueEscaped, "a backslash"), ("%20", .valueEscaped, "%20, an encoded blank (space)"),
            ("\u{200E}", .characterSet, "a left-to-right mark (U+200E)"),
        ]
        return starts.map { text, cause, words in TextChange(cause, "with \(words) in front of it") { text + $0 } }
    }()

    private static let around: [TextChange] = {
        let pairs: [(String, String, ComparisonCause, String)] = [
            ("\"", "\"", .valueQuoted, "quotation marks"), ("'", "'", .valueQuoted, "single quotation marks"),
            ("`", "`", .valueQuoted, "backquotes (backticks), quotation marks of Markdown and SQL"),
            ("\u{201C}", "\u{201D}", .valueQuoted, "typographic (curly) quotation marks"),
            ("\u{2018}", "\u{2019}", .valueQuoted, "typographic (curly) single quotation marks"),
            ("\u{201E}", "\u{201C}", .valueQuoted, "typographic German quotation marks"),
            ("\u{AB}", "\u{BB}", .valueQuoted, "French quotation marks (guillemets)"),
            ("\\\"", "\\\"", .valueQuoted, "quotation marks with backslashes (escaped)"),
            ("\\'", "\\'", .valueQuoted, "single quotation marks with backslashes (escaped)"),
            ("\"'", "'\"", .valueQuoted, "double and single quotation marks"),
            ("'\"", "\"'", .valueQuoted, "single and double quotation marks"),
            ("\"\"", "\"\"", .valueQuoted, "two quotation marks each, as CSV has them"),
            ("&quot;", "&quot;", .valueQuoted, "&quot;, quotation marks of HTML"),
            ("%22", "%22", .valueQuoted, "%22, encoded quotation marks"),
            ("[", "]", .arrayAsText, "brackets [ ], as a list (an array) of one element"),
            ("['", "']", .arrayAsText, "brackets and quotation marks [' '], as a list (an array) of Python"),
            ("[\"", "\"]", .arrayAsText, "brackets and quotation marks [\" \"], as an array (a list) of JSON"),
            ("(", ")", .arrayAsText, "parentheses, as a list or a tuple"),
            ("('", "',)", .arrayAsText, "(' ',), as a tuple of Python: quotation marks and a stray comma"),
            ("(", ",)", .arrayAsText, "( ,), as a tuple of Python: a stray comma"),
            ("(\"", "\")", .arrayAsText, "parentheses and quotation marks"),
            ("{", "}", .arrayAsText, "braces { }, as a set or a placeholder of a template"),
            ("{'", "'}", .arrayAsText, "braces and quotation marks {' '}, as a set of Python"),
            ("{\"", "\"}", .arrayAsText, "braces and quotation marks {\" \"}"),
            ("<", ">", .valueQuoted, "angle brackets < >"), ("{{", "}}", .valueQuoted, "braces {{ }} of a template"),
            ("${", "}", .valueQuoted, "${ } of a template or a shell"), ("%", "%", .valueQuoted, "percent signs (%)"),
            ("b'", "'", .valueQuoted, "b' ', as Python's str() writes bytes (quotation marks)"),
            ("b\"", "\"", .valueQuoted, "b\" \", as Python writes bytes (quotation marks)"),
            ("u'", "'", .valueQuoted, "u' ', as Python 2 shows Unicode text (quotation marks)"),
            ("u\"", "\"", .valueQuoted, "u\" \", as Python 2 shows Unicode text (quotation marks)"),
            ("r'", "'", .valueQuoted, "r' ' of Python (quotation marks)"),
            ("Some(\"", "\")", .valueQuoted, "Some(\" \"), as Rust writes an option in quotation marks"),
            ("Some(", ")", .valueQuoted, "Some( ), as Scala, Rust and OCaml write an option"),
            ("Just \"", "\"", .valueQuoted, "Just \" \", as Haskell writes an option (Maybe)"),
            ("Just ", "", .valueQuoted, "Just, as Haskell writes an option (Maybe)"),
            ("Optional(\"", "\")", .valueQuoted, "Optional(\" \"), as Swift writes an optional"),
            ("Optional(", ")", .valueQuoted, "Optional( ), as Swift writes an optional"),
            ("Optional[", "]", .valueQuoted, "Optional[ ], as Java writes an optional"),
            ("Right(", ")", .valueQuoted, "Right( ), as Scala writes an Either"),
            ("Ok(\"", "\")", .valueQuoted, "Ok(\" \"), as Rust writes a result"),
            ("<![CDATA[", "]]>", .markup, "the CDATA section of XML"), (" ", " ", .valueBlanks, "blanks (spaces)"),
            ("\n", "\n", .valueLineEnds, "line feeds (\\n)"), ("|", "|", .valueQuoted, "| |"),
            ("*", "*", .valueQuoted, "asterisks (*)"), ("/", "/", .valueQuoted, "slashes"),
            ("(", "", .valueQuoted, "a parenthesis that is not closed"), ("&", "&", .valueQuoted, "ampersands (&)"),
        ]
        return pairs.map { before, behind, cause, words in
            TextChange(cause, "in \(words)") { before + $0 + behind }
        }
    }()

    private static let codings: [TextChange] = {
        let hashes: [DigestFunction] = [.md5, .sha1, .sha256]
        return [
            TextChange(.valueEscaped, "as its Base64") { Base64.encode($0.bytes.span).text },
            TextChange(.valueEscaped, "as its Base64 without padding (=)") {
                Base64.encode($0.bytes.span).text.filter { $0 != "=" }
            },
            TextChange(.valueEscaped, "as the Base64 of it and a line feed (\\n)") {
                Base64.encode(($0 + "\n").bytes.span).text
            },
            TextChange(.valueEscaped, "decoded as Base64") { text in
                Base64.decode(text.bytes.span, allowsSpareBits: true).flatMap {
                    String(validating: $0, as: UTF8.self)
                } ?? text
            },
            TextChange(.valueEscaped, "in hexadecimal digits") { Hexadecimal.encode($0.bytes) },
            TextChange(.valueEscaped, "in upper-case hexadecimal digits") {
                Hexadecimal.encode($0.bytes, uppercase: true)
            },
            TextChange(.doubleEncoding, "percent-encoded once more (twice)") { PercentEncoding.encode($0.bytes).text },
            TextChange(.decodedTwice, "percent-decoded once more") {
                PercentEncoding.decodeLeniently($0.bytes.span).text
            },
            TextChange(.plusForSpace, "with a blank (space) for each + (plus sign)") { $0.replacing("+", with: " ") },
            TextChange(.plusForSpace, "with a + (plus sign) for each blank (space)") { $0.replacing(" ", with: "+") },
            TextChange(.markup, "escaped for HTML") { Markup.escaped($0) },
            TextChange(.valueEscaped, "with %% for each % (percent sign), as printf has it") {
                $0.replacing("%", with: "%%")
            },
            TextChange(.valueEscaped, "with two backslashes for each one") { $0.replacing("\\", with: "\\\\") },
            TextChange(.valueEscaped, "with backslashes before quotation marks") {
                $0.replacing("\"", with: "\\\"").replacing("'", with: "\\'")
            },
            TextChange(.valueEscaped, "with \\/ for each slash, as PHP's json_encode writes it") {
                $0.replacing("/", with: "\\/")
            },
            TextChange(.characterSet, "as UTF-16 (two bytes for each character), the low byte first") {
                $0.utf16.map { String(Unicode.Scalar($0) ?? "?") + "\0" }.joined()
            },
        ]
            + hashes.flatMap { function in
                [
                    TextChange(.valueEscaped, "as its \(function.name) (a hash) in hexadecimal digits") {
                        Hexadecimal.encode(function.hash($0.bytes))
                    },
                    TextChange(.valueEscaped, "as its \(function.name) (a hash) in Base64") {
                        Base64.encode(function.hash($0.bytes).span).text
                    },
                ]
            }
    }()

    private static let cuts: [TextChange] = ends + shorter + lengths + partings

    private static let ends: [TextChange] = [
        TextChange(.valueCut, "without its last character (cut)") { String($0.dropLast()) },
        TextChange(.valueCut, "without its first character (cut)") { String($0.dropFirst()) },
        TextChange(.valueCut, "without its first and last character (cut)") { String($0.dropFirst().dropLast()) },
        TextChange(.valueTrimmed, "trimmed, without the white space (blanks, line ends) around it") { $0.trimmed },
        TextChange(.valueQuoted, "without the braces, brackets, parentheses or quotation marks around it") { text in
            guard let first = text.first, let last = text.last, text.count > 1,
                ["{}", "[]", "()", "<>", "\"\"", "''", "``"].contains("\(first)\(last)")
            else { return text }
            return String(text.dropFirst().dropLast())
        },
    ]

    private static let shorter: [TextChange] = [2, 3, 4].flatMap { (count: Int) -> [TextChange] in
        [
            TextChange(.valueCut, "without its last \(count) characters (cut)") { String($0.dropLast(count)) },
            TextChange(.valueCut, "without its first \(count) characters (cut)") { String($0.dropFirst(count)) },
        ]
    }

    private static let lengths: [TextChange] = [1, 2, 3, 4, 5, 8, 10, 12, 15, 16, 20, 24, 30, 32, 36, 40, 64].map {
        (count: Int) -> TextChange in
        TextChange(.valueCut, "cut to its first \(count == 1 ? "character" : "\(count) characters") (truncated)") {
            String($0.prefix(count))
        }
    }

    private static let partings: [TextChange] = {
        let marks: [(Character, String)] = [
            ("-", "hyphen"), ("_", "underscore"), (".", "full stop (dot)"), (":", "colon"), ("/", "slash"), ("@", "@"),
        ]
        return marks.flatMap { mark, words -> [TextChange] in
            [
                TextChange(.valueCut, "cut at its first \(words); the rest is missing") { text in
                    text.firstIndex(of: mark).map { String(text[..<$0]) } ?? text
                },
                TextChange(.valueCut, "without what stands before its last \(words) (cut)") { text in
                    text.lastIndex(of: mark).map { String(text[text.index(after: $0)...]) } ?? text
                },
            ]
        }
    }()

    private static let spellings: [TextChange] = [
        TextChange(.valueCase, "in upper case") { $0.uppercased() },
        TextChange(.valueCase, "in lower case") { $0.lowercased() },
        TextChange(.valueCase, "with a capital first letter (upper case)") {
            $0.prefix(1).uppercased() + $0.dropFirst()
        },
        TextChange(.valueCase, "with a capital first letter (upper case), and the rest in lower case") {
            $0.prefix(1).uppercased() + $0.dropFirst().lowercased()
        },
        TextChange(.valueCase, "with a small first letter (lower case)") { $0.prefix(1).lowercased() + $0.dropFirst() },
        TextChange(.valueCase, "with upper and lower case exchanged (swapped, as Caps Lock does)") { text in
            text.map { $0.isUppercase ? $0.lowercased() : $0.uppercased() }.joined()
        },
        TextChange(.parameterValue, "twice, one behind the other") { $0 + $0 },
        TextChange(.parameterValue, "twice, with a comma between") { $0 + "," + $0 },
        TextChange(.parameterValue, "twice, with a comma and a blank between") { $0 + ", " + $0 },
        TextChange(.parameterValue, "backwards (reversed)") { String($0.reversed()) },
        TextChange(.parameterValue, "with _ for each hyphen (an underscore)") { $0.replacing("-", with: "_") },
        TextChange(.parameterValue, "with a hyphen for each _ (underscore)") { $0.replacing("_", with: "-") },
        TextChange(.parameterValue, "with _ (an underscore) for each full stop (dot)") { $0.replacing(".", with: "_") },
        TextChange(.parameterValue, "with a comma for each full stop (dot)") { $0.replacing(".", with: ",") },
        TextChange(.valueBlanks, "with _ (an underscore) for each blank (space)") { $0.replacing(" ", with: "_") },
        TextChange(.valueBlanks, "with a hyphen for each blank (space)") { $0.replacing(" ", with: "-") },
        TextChange(.valueBlanks, "without its blanks (spaces)") { $0.replacing(" ", with: "") },
        TextChange(.parameterValue, "without its hyphens") { $0.replacing("-", with: "") },
        TextChange(.parameterValue, "without its underscores (_)") { $0.replacing("_", with: "") },
        TextChange(.parameterValue, "without its slashes") { $0.replacing("/", with: "") },
        TextChange(.parameterValue, "without its full stops (dots)") { $0.replacing(".", with: "") },
    ]

    private static let words: [TextChange] =
        [TextChange(.valueEmpty, "as an empty text") { _ in "" }]
        + [
            "null", "undefined", "None", "nil", "<nil>", "(null)", "NaN", "[object Object]", "Array", "NULL", "Null",
            "none", "N/A", "0", "1", "true", "false", "True", "False", "-", "string", "value", "test", "System.String",
            "[object Promise]", "Object", "<null>", "nullptr", "Nothing", "()", "{}", "[]", "\"\"", "''", "%s", "%@",
            "%d", "{0}", "?", "*", "$1", "-1", "on", "yes", "no", "default",
        ]
        .map { word in TextChange(.valueType, "as the word \(word)") { _ in word } }
}
