import Bytes

/// One thing that happens to a secret on its way into a key.
struct SecretMistake: Sendable {
    let cause: ComparisonCause
    /// The words behind "The other side's consumer secret" and "Each of the other side's secrets".
    let words: String
    /// Indicates whether what comes out is put into the key as it is.
    var isRaw = false
    /// Indicates whether it is seldom seen, so that it is tried with few other deviations.
    var isRare = false
    /// Indicates whether it is tried with no other.
    private(set) var isAlone = false
    /// The text that takes the place of the secret; nil where nothing can have happened.
    let change: @Sendable ([UInt8]) -> [UInt8]?

    init(
        _ cause: ComparisonCause,
        _ words: String,
        isRaw: Bool = false,
        isRare: Bool = false,
        change: @escaping @Sendable ([UInt8]) -> [UInt8]?
    ) {
        self.cause = cause
        self.words = words
        self.isRaw = isRaw
        self.isRare = isRare
        self.change = change
    }

    /// All mistakes that are known, the likelier ones first.
    static let all = additions + quotes + codings + spellings + cuts + (lines + slips + files).map { $0.alone }

    private var alone: SecretMistake {
        var mistake = self
        mistake.isAlone = true
        return mistake
    }

    /// The words that stand where there is no secret, or where one was not found.
    static let placeholders: [SecretMistake] = {
        let words = [
            ("null", "Java, JavaScript and C++"), ("undefined", "JavaScript"), ("None", "Python"),
            ("nil", "Ruby and Go"),
            ("(null)", "Objective-C and C"), ("false", "PHP and JavaScript"), ("true", "a configuration"),
            ("<nil>", "Go"), ("NULL", "SQL and R"), ("Null", "Basic"), ("NaN", "JavaScript"), ("NA", "R"), ("0", "C"),
            ("\"\"", "an .env file"), ("''", "an .env file"), ("nullptr", "C++"), ("Optional(\"\")", "Swift"),
            ("[object Object]", "JavaScript"), ("Array", "PHP"), ("none", "a configuration"), ("False", "Python"),
            ("{}", "JSON"), ("[]", "JSON"), (" ", "an editor"), ("\n", "an editor"), ("undefined\n", "JavaScript"),
        ]
        return words.enumerated().flatMap { index, word in
            let (text, language) = word
            let isBlank = text.allSatisfy(\.isWhitespace)
            let verb = language.contains(" and ") ? "put" : "puts"
            let sentence =
                "is \(isBlank ? "white space" : "the word \(text)"), which \(language) \(verb) where there is none"
            let isPlain = PercentEncoding.encode(text.bytes) == text.bytes
            return [false, true].filter { !$0 || !isPlain }.map { isRaw in
                SecretMistake(.secretPlaceholder, sentence, isRaw: isRaw, isRare: index > 6) { _ in text.bytes }
            }
        }
    }()
}

// What echo, editors and shells put before or behind a secret.
extension SecretMistake {
    private static let ends: [(text: String, cause: ComparisonCause, words: String)] = [
        (
            "\n", .secretWhitespace,
            "ends in a line feed (\\n), as echo and editors write it; strip what follows it in its file"
        ),
        (
            "\r\n", .secretWhitespace,
            "ends in a line end (\\r\\n), as files from Windows have it; strip what follows it in its file"
        ),
        (
            "\r", .secretWhitespace,
            "ends in a carriage return (\\r), which is left of a line end from Windows; strip it"
        ),
        (" ", .secretWhitespace, "ends in a blank (a space); strip it"),
        ("\t", .secretWhitespace, "ends in a tab, a kind of white space; strip it"),
        (
            " \r\n", .secretWhitespace,
            "ends in a blank and a line end (\\r\\n), as echo of cmd.exe writes it; strip them"
        ),
        (" \n", .secretWhitespace, "ends in a blank and a line feed (\\n); strip them"),
        ("\n\n", .secretWhitespace, "ends in two line feeds (\\n); strip them"),
        ("\r\n\r\n", .secretWhitespace, "ends in two line ends (\\r\\n); strip them"),
        ("  ", .secretWhitespace, "ends in two blanks; strip them"),
        ("\0", .secretWhitespace, "ends in a zero byte (NUL), as strings of C do; leave it out"),
        ("\u{A0}", .secretInvisible, "ends in a no-break space (U+00A0), white space of a web page; delete it"),
        (
            "\u{200B}", .secretInvisible,
            "ends in an invisible zero-width space (U+200B), as web pages have it; delete it"
        ),
        ("\u{FEFF}", .secretByteOrderMark, "ends in a byte-order mark (U+FEFF), which is invisible; delete it"),
        ("\u{200C}", .secretInvisible, "ends in an invisible zero-width non-joiner (U+200C); delete it"),
        ("\u{200D}", .secretInvisible, "ends in an invisible zero-width joiner (U+200D); delete it"),
        ("\u{2060}", .secretInvisible, "ends in an invisible, zero-width word joiner (U+2060); delete it"),
        ("\u{200E}", .secretInvisible, "ends in an invisible left-to-right mark (U+200E); delete it"),
        ("\u{AD}", .secretInvisible, "ends in an invisible soft hyphen (U+00AD); delete it"),
        ("\u{2028}", .secretInvisible, "ends in an invisible line separator (U+2028), a line end; delete it"),
        ("\u{202C}", .secretInvisible, "ends in an invisible mark of text direction (U+202C); delete it"),
        (",", .secretPunctuation, "ends in a comma, copied along with it (from JSON); delete it"),
        (";", .secretPunctuation, "ends in a semicolon, punctuation that was copied along with it; delete it"),
        (".", .secretPunctuation, "ends in a full stop (a dot), punctuation that was copied along with it; delete it"),
        ("\\n", .secretEscaped, "ends in a backslash and an n (\\n), which were to be a line feed; delete them"),
        ("\\r\\n", .secretEscaped, "ends in \\r\\n as four characters (with backslashes), which were to be a line end"),
        ("%0A", .secretEscaped, "ends in %0A, an encoded line feed; delete it"),
        ("%0D%0A", .secretEscaped, "ends in %0D%0A, an encoded line end; delete it"),
        ("=", .secretPunctuation, "ends in an = too many, as padding of Base64; delete it"),
        ("\"", .secretQuoted, "ends in a quotation mark without another in front; delete it"),
        ("'", .secretQuoted, "ends in a single quotation mark (an apostrophe); delete it"),
        (":", .secretPunctuation, "ends in a colon, punctuation that was copied along with it; delete it"),
        (
            "%", .secretPunctuation,
            "ends in a % (zsh shows it where a line end is missing), copied along with it; delete it"
        ),
        ("\\", .secretEscaped, "ends in a backslash; delete it"),
        ("$", .secretPunctuation, "ends in a $ sign; delete it"),
        ("&", .secretPunctuation, "ends in a & of its own; delete it"),
        ("\",", .secretQuoted, "ends in a quotation mark and a comma of JSON; delete them"),
        ("\u{201D}", .secretQuoted, "ends in a typographic (curly) quotation mark alone; delete it"),
        ("\u{201C}", .secretQuoted, "ends in a typographic (German) quotation mark alone; delete it"),
        ("\u{2019}", .secretQuoted, "ends in a typographic (curly) apostrophe, a single quotation mark; delete it"),
        ("\u{2018}", .secretQuoted, "ends in a typographic (German) single quotation mark; delete it"),
        ("\u{1A}", .secretInvisible, "ends in Ctrl-Z (0x1A, SUB), which ends files of DOS; delete it"),
        (
            "\r\n\u{1A}", .secretInvisible,
            "ends in a line end (\\r\\n) and Ctrl-Z (0x1A), which ends files of DOS; delete them"
        ),
        (
            "^M", .secretEscaped,
            "ends in ^M as two characters, which editors show for a carriage return (\\r); delete them"
        ),
    ]
    private static let starts: [(text: String, cause: ComparisonCause, words: String)] = [
        (" ", .secretWhitespace, "begins with a blank (a space), as what stands behind = or : does; strip it"),
        (
            "\u{FEFF}", .secretByteOrderMark,
            "begins with a byte-order mark (BOM, U+FEFF), as Notepad writes it; save it without"
        ),
        ("\t", .secretWhitespace, "begins with a tab, a kind of white space; strip it"),
        ("\n", .secretWhitespace, "begins with a line feed (\\n), a line end before it; strip it"),
        ("\r\n", .secretWhitespace, "begins with a line end (\\r\\n); strip it"),
        ("  ", .secretWhitespace, "begins with two blanks (spaces); strip them"),
        ("\u{200B}", .secretInvisible, "begins with an invisible zero-width space (U+200B); delete it"),
        ("\u{A0}", .secretInvisible, "begins with a no-break space (U+00A0), white space of a web page; delete it"),
        ("\u{EF}\u{BB}\u{BF}", .secretByteOrderMark, "begins with a byte-order mark (BOM) that was read as ISO-8859-1"),
        ("\"", .secretQuoted, "begins with a quotation mark that no other follows; delete it"),
        ("'", .secretQuoted, "begins with a single quotation mark (an apostrophe); delete it"),
        ("=", .secretPunctuation, "begins with an =, which stood before it; delete it"),
        (":", .secretPunctuation, "begins with a colon, which stood before it; delete it"),
        ("- ", .secretPunctuation, "begins with a hyphen and a blank, a list's; delete them"),
        ("\u{200E}", .secretInvisible, "begins with an invisible left-to-right mark (U+200E); delete it"),
        ("\u{2060}", .secretInvisible, "begins with an invisible, zero-width word joiner (U+2060); delete it"),
        ("\u{202A}", .secretInvisible, "begins with an invisible mark of text direction (U+202A); delete it"),
        ("$", .secretPunctuation, "begins with a $ sign; delete it"),
        ("0x", .secretPunctuation, "begins with 0x; delete it"),
        ("\u{201C}", .secretQuoted, "begins with a typographic (curly) quotation mark alone; delete it"),
        ("\u{201D}", .secretQuoted, "begins with a typographic (curly) closing quotation mark; delete it"),
        ("\u{2018}", .secretQuoted, "begins with a typographic (curly) single quotation mark; delete it"),
        ("\u{2019}", .secretQuoted, "begins with a typographic (curly) apostrophe, a single quotation mark; delete it"),
        ("\u{201E}", .secretQuoted, "begins with a typographic (German) quotation mark alone; delete it"),
    ]

    static let additions: [SecretMistake] =
        ends.enumerated().map { index, end in
            SecretMistake(end.cause, end.words, isRare: index > 6) { $0 + end.text.bytes }
        }
        + starts.enumerated().map { index, start in
            SecretMistake(start.cause, start.words, isRare: index > 1) { start.text.bytes + $0 }
        }
        + [
            around(
                "\u{FEFF}",
                "\r\n",
                .secretByteOrderMark,
                "stands between a byte-order mark (BOM) and a line end (\\r\\n), as Notepad writes it"
            ),
            around(
                "\u{FEFF}",
                "\n",
                .secretByteOrderMark,
                "stands between a byte-order mark (BOM) and a line feed (\\n)"
            ),
            around(" ", " ", .secretWhitespace, "stands between blanks (spaces); strip them"),
            around("\n", "\n", .secretWhitespace, "stands between line ends (\\n); strip them"),
            around(" ", "\n", .secretWhitespace, "stands between a blank and a line end (\\n); strip them"),
            SecretMistake(.secretByteOrderMark, "begins with FF FE, a byte-order mark (BOM) of UTF-16", isRare: true) {
                [0xFF, 0xFE] + $0
            },
        ]

    static let quotes: [SecretMistake] = [
        around(
            "\"",
            "\"",
            .secretQuoted,
            "is in quotation marks, which belong to an .env file, JSON or a shell",
            isRare: false
        ),
        around(
            "'",
            "'",
            .secretQuoted,
            "is in single quotation marks, which belong to an .env file or a shell",
            isRare: false
        ),
        around("\"", "\"\n", .secretQuoted, "is in quotation marks and ends in a line feed (\\n)"),
        around("\"", "\"\r\n", .secretQuoted, "is in quotation marks and ends in a line end (\\r\\n)"),
        around("'", "'\n", .secretQuoted, "is in single quotation marks and ends in a line feed (\\n)"),
        around("\"", "\",", .secretQuoted, "is in quotation marks, with the comma of JSON behind them"),
        around("\"", "\";", .secretQuoted, "is in quotation marks, with a semicolon behind them"),
        around("'", "',", .secretQuoted, "is in single quotation marks, with a comma behind them"),
        around("'", "';", .secretQuoted, "is in single quotation marks, with a semicolon behind them"),
        around(" \"", "\"", .secretQuoted, "is in quotation marks, with a blank before them"),
        around("`", "`", .secretQuoted, "is in backquotes (backticks), a quotation of Markdown; delete them"),
        around(
            "\u{201C}",
            "\u{201D}",
            .secretQuoted,
            "is in typographic (curly) quotation marks, as word processors write them"
        ),
        around("\u{2018}", "\u{2019}", .secretQuoted, "is in typographic (curly) single quotation marks"),
        around("\u{201E}", "\u{201C}", .secretQuoted, "is in typographic German quotation marks"),
        around("\u{AB}", "\u{BB}", .secretQuoted, "is in French quotation marks (guillemets)"),
        around(
            "\\\"",
            "\\\"",
            .secretQuoted,
            "is in quotation marks with backslashes before them, escaped once too often"
        ),
        around("\"'", "'\"", .secretQuoted, "is in double and single quotation marks"),
        around("'\"", "\"'", .secretQuoted, "is in single and double quotation marks"),
        around("&quot;", "&quot;", .secretQuoted, "is in quotation marks that were written as &quot; of HTML"),
        around("\"\"\"", "\"\"\"", .secretQuoted, "is in triple quotation marks"),
        around("<", ">", .secretPunctuation, "is in angle brackets < >, which only mark its place in a manual"),
        around("{", "}", .secretPunctuation, "is in braces { }, which only mark its place in a manual"),
        around("[", "]", .secretPunctuation, "is in brackets [ ], which only mark its place"),
        around("(", ")", .secretPunctuation, "is in parentheses"),
        around("${", "}", .secretPunctuation, "is in ${ } of a shell or a template"),
        around("{{", "}}", .secretPunctuation, "is in {{ }} of a template"),
        around("b'", "'", .secretQuoted, "is in b' ', as Python's str() writes bytes; decode them in place"),
        around("b\"", "\"", .secretQuoted, "is in b\" \", as Python writes bytes; decode them in place"),
        around("u'", "'", .secretQuoted, "is in u' ', as Python 2 shows text in quotation marks"),
        around(
            "Optional(\"",
            "\")",
            .secretQuoted,
            "is in Optional(\" \"), as Swift writes an optional in quotation marks; unwrap it"
        ),
        around(
            "Some(\"",
            "\")",
            .secretQuoted,
            "is in Some(\" \"), as Rust writes an option in quotation marks; unwrap it"
        ),
        around("Some(", ")", .secretQuoted, "is in Some( ), as Scala and Rust write an option; unwrap it"),
        around("Optional[", "]", .secretQuoted, "is in Optional[ ], as Java writes an optional; unwrap it"),
        around("['", "']", .secretQuoted, "is in [' '], a list of one element in quotation marks"),
        around("[\"", "\"]", .secretQuoted, "is in [\" \"], a JSON array of one element in quotation marks"),
        around("<![CDATA[", "]]>", .secretPunctuation, "is in the CDATA section of XML"),
    ]

    private static func around(
        _ before: String,
        _ behind: String,
        _ cause: ComparisonCause,
        _ words: String,
        isRare: Bool = true
    ) -> SecretMistake {
        SecretMistake(cause, words, isRare: isRare) { before.bytes + $0 + behind.bytes }
    }
}
