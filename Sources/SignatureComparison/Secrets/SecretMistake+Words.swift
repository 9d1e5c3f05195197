import Bytes

// Words, masks and names that stand where a secret should, and what else is seldom made of one; each is tried alone.
extension SecretMistake {
    /// Texts in place of a secret.
    static let substitutes = words + variables
    static let further = hidden + bytes + others + unencoded

    private static let words: [SecretMistake] = {
        let words = [
            "changeme", "change_me", "changeit", "CHANGEME", "CHANGE_ME", "password", "Password", "passwd", "test",
            "testing", "example", "placeholder", "PLACEHOLDER", "secret", "Secret", "SECRET", "mysecret", "my-secret",
            "my_secret", "s3cr3t", "foo", "bar", "foobar", "dummy", "sample", "default", "todo", "TODO", "xxx", "XXX",
            "insert here", "your secret", "your-secret", "your_secret", "YOUR_SECRET", "your secret here", "redacted",
            "REDACTED", "[REDACTED]", "<redacted>", "[FILTERED]", "FILTERED", "[hidden]", "<hidden>", "hidden",
            "(hidden)", "masked", "<secret>", "<secret hidden>", "(sensitive value)", "<sensitive>", "...", "…", "abc",
            "abc123", "123456", "string", "value", "empty", "missing", "unset", "not set", "N/A", "-", "?", "<null>",
            "null\n", "None\n", "nil\n", "(null)\n", "undefined\r\n", "null\r\n", "System.String", "[object Promise]",
            "<Buffer >", "[Function]", "SecureString", "System.Security.SecureString", "%s", "{}\n", "Optional(nil)",
            "<undefined>", "[null]", "\"null\"", "'null'", "\"undefined\"", "Secret(value='**********')", "None,",
        ]
        let plain = words.flatMap { word -> [SecretMistake] in
            let end = word.trimmed == word ? "" : " and a line end"
            let sentence = "is the word \(word.trimmed)\(end), a placeholder or an example that was not replaced"
            return [false, true].map { isRaw in
                SecretMistake(.secretPlaceholder, sentence, isRaw: isRaw, isRare: true) { _ in word.bytes }
            }
        }
        let marks: [(String, String)] = [
            ("*", "stars (asterisks)"), ("\u{2022}", "bullets"), ("x", "the letter x"), ("X", "the letter X"),
            ("\u{25CF}", "bullets (black circles)"), (".", "dots"), ("#", "#"), ("-", "hyphens"), ("_", "underscores"),
            ("0", "zeros"), ("?", "question marks"),
        ]
        let masks = marks.flatMap { mark, words -> [SecretMistake] in
            (1...40).map { count in
                constant(
                    "is a mask of \(count) \(words), a placeholder for what is not shown; copy the secret itself",
                    String(repeating: mark, count: count)
                )
            }
        }
        let fitting = marks.flatMap { mark, words -> [SecretMistake] in
            [
                SecretMistake(
                    .secretPlaceholder,
                    "is a mask of as many \(words) as it has characters; copy the secret itself",
                    isRare: true
                ) { String(repeating: mark, count: $0.count).bytes },
                SecretMistake(
                    .secretPlaceholder,
                    "is a mask of \(words) but for its last four characters; copy the secret itself",
                    isRare: true
                ) { secret in
                    if secret.count < 5 { return nil }
                    return String(repeating: mark, count: secret.count - 4).bytes + secret.suffix(4)
                },
            ]
        }
        return plain + masks + fitting
    }()

    private static func constant(_ words: String, _ text: String) -> SecretMistake {
        SecretMistake(.secretPlaceholder, words, isRare: true) { _ in text.bytes }
    }

    /// Names of variables in the syntaxes of shells, languages and templates, which nothing was put into.
    private static let variables: [SecretMistake] = {
        let parts = [
            ["consumer", "secret"], ["oauth", "consumer", "secret"], ["token", "secret"], ["oauth", "token", "secret"],
            ["access", "token", "secret"], ["api", "secret"], ["client", "secret"], ["secret"], ["access", "secret"],
            ["value"],
        ]
        let syntaxes: [(String, String)] = [
            ("", ""), ("$", ""), ("${", "}"), ("$(", ")"), ("$env:", ""), ("${env:", "}"), ("${env.", "}"),
            ("%", "%"), ("{", "}"), ("{{", "}}"), ("{{ ", " }}"), ("{{.", "}}"), ("{{ .Values.", " }}"), ("<", ">"),
            ("[", "]"), ("#{", "}"), ("<%= ", " %>"), ("<%= ENV['", "'] %>"), ("<%= ENV[\"", "\"] %>"), ("ENV['", "']"),
            ("ENV[\"", "\"]"), ("ENV.fetch('", "')"), ("process.env.", ""), ("${process.env.", "}"),
            ("os.environ['", "']"), ("os.environ[\"", "\"]"), ("os.getenv('", "')"), ("os.Getenv(\"", "\")"),
            ("env('", "')"), ("getenv('", "')"), ("%env(", ")%"), ("${{ secrets.", " }}"), ("secrets.", ""),
            ("@", ".txt"), ("@", ""), ("./", ".txt"), ("", ".txt"), ("/run/secrets/", ""), ("file:", ""),
            ("!secret ", ""),
            ("!Ref ", ""), ("settings.", ""), ("config.", ""), ("self.", ""), ("this.", ""), (":", ""), ("__", "__"),
            ("my_", ""), ("YOUR-", ""), ("your-", ""), ("your ", ""), ("<your_", ">"), ("<YOUR_", ">"), ("<your ", ">"),
            ("<your-", ">"), ("Your ", ""),
        ]
        return parts.flatMap { words in
            let capital = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            let camel = words[0] + capital.dropFirst().joined()
            let names = [
                words.joined(separator: "_"), words.joined(separator: "_").uppercased(), camel,
                words.joined(separator: "-"), words.joined(separator: " "),
                words[0] + "."
                    + (words.count > 2 ? words[1] + capital.dropFirst(2).joined() : words.dropFirst().joined()),
            ]
            return names.flatMap { name in
                syntaxes.map { before, behind in
                    SecretMistake(
                        .secretWithName,
                        "is \(before)\(name)\(behind), the name of a variable, a file or a placeholder in a template, and not its value",
                        isRare: true
                    ) { _ in (before + name + behind).bytes }
                }
            }
        }
    }()

    /// Invisible characters within a secret.
    private static let hidden: [SecretMistake] = {
        let characters: [(String, ComparisonCause, String)] = [
            ("\u{AD}", .secretInvisible, "an invisible soft hyphen (U+00AD)"),
            ("\u{200B}", .secretInvisible, "an invisible zero-width space (U+200B)"),
            ("\u{FEFF}", .secretByteOrderMark, "an invisible byte-order mark (U+FEFF)"),
            ("\u{2060}", .secretInvisible, "an invisible word joiner (U+2060)"),
            ("\u{A0}", .secretInvisible, "a no-break space (U+00A0)"), (" ", .secretWhitespace, "a blank (space)"),
            ("\n", .secretWhitespace, "a line feed (a line end, \\n)"),
            ("\r\n", .secretWhitespace, "a line end (\\r\\n)"),
            ("\\", .secretEscaped, "a backslash"), ("-", .secretSpelling, "a hyphen"),
        ]
        return characters.flatMap { text, cause, words in
            (1..<64).map { place in
                SecretMistake(cause, "has \(words) within it, behind its character \(place); delete it", isRare: true) {
                    secret in
                    if place >= secret.count { return nil }
                    return Array(secret.prefix(place)) + text.bytes + secret.dropFirst(place)
                }
            }
        }
    }()

    private static let bytes: [SecretMistake] = [false, true].flatMap { isRaw -> [SecretMistake] in
        let forms: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
            ("UTF-16, the low byte first", { UTF16Text.littleEndian($0) }),
            ("UTF-16, the high byte first", { UTF16Text.bigEndian($0) }),
            ("UTF-16 with its byte-order mark (FF FE)", { [0xFF, 0xFE] + UTF16Text.littleEndian($0) }),
            ("UTF-16 with its byte-order mark (FE FF)", { [0xFE, 0xFF] + UTF16Text.bigEndian($0) }),
            (
                "UTF-16 with its byte-order mark and a line end (\\r\\n), as > of PowerShell writes it",
                { [0xFF, 0xFE] + UTF16Text.littleEndian($0 + "\r\n".bytes) }
            ),
            (
                "UTF-16 with its byte-order mark and a line feed (\\n)",
                { [0xFF, 0xFE] + UTF16Text.littleEndian($0 + "\n".bytes) }
            ),
            ("UTF-16 and a line end (\\r\\n)", { UTF16Text.littleEndian($0 + "\r\n".bytes) }),
        ]
        return forms.map { words, change in
            SecretMistake(
                .secretCharacterSet,
                "is in \(words), and is \(isRaw ? "not percent-encoded" : "percent-encoded byte by byte")",
                isRaw: isRaw,
                isRare: true
            ) { change($0) }
        }
    }

    private static let others: [SecretMistake] = {
        func around(_ before: String, _ behind: String, _ cause: ComparisonCause, _ words: String) -> SecretMistake {
            SecretMistake(cause, words, isRare: true) { before.bytes + $0 + behind.bytes }
        }
        let cut = (2...6).flatMap { count -> [SecretMistake] in
            [
                SecretMistake(.secretCut, "lacks its last \(count) characters (cut, not copied whole)", isRare: true) {
                    $0.count > count ? Array($0.dropLast(count)) : nil
                },
                SecretMistake(.secretCut, "lacks its first \(count) characters (cut, not copied whole)", isRare: true) {
                    $0.count > count ? Array($0.dropFirst(count)) : nil
                },
            ]
        }
        let comments = ["production", "prod", "secret", "dev", "test", "staging", "live", "sandbox", "comment", "TODO"]
            .flatMap { word -> [SecretMistake] in
                [" # ", " #", " // ", " ; "].map {
                    around(
                        "",
                        $0 + word,
                        .secretPunctuation,
                        "has a comment behind it (\($0.trimmed) \(word)); delete it"
                    )
                }
            }
        return cut + comments + [
            around("", "/", .secretPunctuation, "ends in a slash; delete it"),
            around("", "?", .secretPunctuation, "ends in a question mark; delete it"),
            around("", "#", .secretPunctuation, "ends in a #; delete it"),
            around("", "+", .secretPunctuation, "ends in a + (plus sign); delete it"),
            around("", "|", .secretPunctuation, "ends in a |; delete it"),
            around("", "*", .secretPunctuation, "ends in a * (asterisk); delete it"),
            around("", ")", .secretPunctuation, "ends in a parenthesis; delete it"),
            around("", "]", .secretPunctuation, "ends in a bracket ]; delete it"),
            around("", "}", .secretPunctuation, "ends in a brace }; delete it"),
            around("", ">", .secretPunctuation, "ends in a bracket >; delete it"),
            around(
                "('",
                "',)",
                .secretQuoted,
                "is a tuple of Python in quotation marks, (' ',): a stray comma made it one"
            ),
            around("(\"", "\",)", .secretQuoted, "is a tuple in quotation marks, (\" \",): a stray comma made it one"),
            around("('", "')", .secretQuoted, "is in parentheses and quotation marks (' ')"),
            around("u\"", "\"", .secretQuoted, "is in u\" \", as Python 2 shows text in quotation marks"),
            around("r'", "'", .secretQuoted, "is in r' ' of Python, in quotation marks"),
            around("{'", "'}", .secretQuoted, "is in {' '}, a set of Python in quotation marks"),
            around("Just \"", "\"", .secretQuoted, "is in Just \" \", as Haskell writes an option in quotation marks"),
            around(":", "", .secretPunctuation, "begins with a colon, as symbols of Ruby do"),
            around("/", "", .secretPunctuation, "begins with a slash; delete it"),
            around("#", "", .secretPunctuation, "begins with a #; delete it"),
            around("%", "%", .secretPunctuation, "is between percent signs (%)"),
            around("Secret(value='", "')", .secretQuoted, "is in Secret(value=' '), as a program shows it"),
            SecretMistake(.secretCase, "has upper and lower case exchanged (swapped), as Caps Lock does", isRare: true)
            {
                $0.map { $0.isLetter ? $0 ^ 0x20 : $0 }
            },
            SecretMistake(.secretSpelling, "is in ROT13 (each letter is 13 places on)", isRare: true) {
                $0.map { byte in
                    let start: UInt8 = byte.isUppercase ? 65 : 97
                    return byte.isLetter ? (byte - start + 13) % 26 + start : byte
                }
            },
        ]
    }()

    /// The additions to a secret that is not percent-encoded then.
    private static let unencoded: [SecretMistake] = (additions + quotes).map { mistake in
        SecretMistake(
            mistake.cause,
            "\(mistake.words); and it is not percent-encoded",
            isRaw: true,
            isRare: true,
            change: mistake.change
        )
    }
}
