import Bytes

// How a secret is encoded or decoded once too often, or spelled otherwise.
extension SecretMistake {
    static let codings: [SecretMistake] = [
        SecretMistake(.secretBase64, "is the Base64 of the secret; decode it first") { Base64.encode($0.span) },
        SecretMistake(.secretBase64, "is the Base64 of the secret and a line feed, as echo | base64 writes it") {
            Base64.encode(($0 + "\n".bytes).span)
        },
        SecretMistake(.secretBase64, "was decoded as Base64; it must be taken as it is", isRaw: true, change: unbase64),
        SecretMistake(.secretBase64, "was decoded as Base64 and encoded; it must be taken as it is", change: unbase64),
        SecretMistake(.secretHexadecimal, "is given in hexadecimal digits; decode them first") {
            Hexadecimal.encode($0).bytes
        },
        SecretMistake(.secretHexadecimal, "is given in upper-case hexadecimal digits; decode them first", isRare: true)
        {
            Hexadecimal.encode($0, uppercase: true).bytes
        },
        SecretMistake(.secretHexadecimal, "was decoded as hexadecimal digits; it must be taken as it is", isRaw: true) {
            Hexadecimal.decode($0)
        },
        SecretMistake(.secretHexadecimal, "was decoded as hexadecimal digits and encoded; it must be taken as it is") {
            Hexadecimal.decode($0)
        },
        SecretMistake(.secretHexadecimal, "is the hexadecimal digits of the secret and a line feed", isRare: true) {
            Hexadecimal.encode($0 + "\n".bytes).bytes
        },
        SecretMistake(.secretBase64, "is the Base64 of the secret without padding; decode it first", isRare: true) {
            Base64.encode($0.span).filter { $0 != UInt8(ascii: "=") }
        },
        SecretMistake(.secretBase64, "is the Base64 of the secret, with a line end behind it", isRare: true) {
            Base64.encode($0.span) + "\n".bytes
        },
        SecretMistake(.secretBase64, "is the Base64 of the Base64 of the secret (twice)", isRare: true) {
            Base64.encode(Base64.encode($0.span).span)
        },
        SecretMistake(.secretBase64, "is the Base64 of the secret and a line end from Windows", isRare: true) {
            Base64.encode(($0 + "\r\n".bytes).span)
        },
        SecretMistake(.secretEncodedTwice, "is percent-encoded already and is encoded again (twice); decode it first") {
            PercentEncoding.encode($0)
        },
        SecretMistake(.secretEncodedTwice, "was percent-encoded twice before (three times in all)", isRare: true) {
            PercentEncoding.encode(PercentEncoding.encode($0))
        },
        SecretMistake(.secretDecoded, "was percent-decoded although it is not encoded; take it as it is") {
            PercentEncoding.decodeLeniently($0.span)
        },
        SecretMistake(.plusForSpace, "has a space for its +, as forms decode it (%2B was not sent)") {
            $0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        },
        SecretMistake(.secretHashed, "is the SHA1 of the secret (a hash), in hexadecimal digits", isRare: true) {
            Hexadecimal.encode(DigestFunction.sha1.hash($0)).bytes
        },
        SecretMistake(.secretHashed, "is the MD5 of the secret (a hash), in hexadecimal digits", isRare: true) {
            Hexadecimal.encode(DigestFunction.md5.hash($0)).bytes
        },
        SecretMistake(.secretHashed, "is the SHA256 of the secret (a hash), in hexadecimal digits", isRare: true) {
            Hexadecimal.encode(DigestFunction.sha256.hash($0)).bytes
        },
        SecretMistake(.secretHashed, "is the SHA1 of the secret (a hash), as Base64", isRare: true) {
            Base64.encode(DigestFunction.sha1.hash($0).span)
        },
        SecretMistake(.secretHashed, "is the SHA256 of the secret (a hash), as Base64", isRare: true) {
            Base64.encode(DigestFunction.sha256.hash($0).span)
        },
        SecretMistake(.secretHashed, "is the SHA1 of the secret (a hash), as bytes", isRaw: true, isRare: true) {
            DigestFunction.sha1.hash($0)
        },
        SecretMistake(.secretHashed, "is the SHA256 of the secret (a hash), as bytes", isRaw: true, isRare: true) {
            DigestFunction.sha256.hash($0)
        },
        SecretMistake(
            .secretCharacterSet,
            "is encoded in UTF-16 (two bytes for each character)",
            isRaw: true,
            isRare: true
        ) {
            $0.flatMap { [$0, 0] }
        },
        SecretMistake(.secretCharacterSet, "is encoded in ISO-8859-1 (Latin-1); it must be UTF-8", isRare: true) {
            CodePage.latin1.encode($0.text)
        },
        SecretMistake(.secretCharacterSet, "is UTF-8 that was read as ISO-8859-1 (Latin-1)", isRare: true) {
            CodePage.latin1.decode($0).bytes
        },
    ]

    /// Takes the Base64 for URLs and one without padding too.
    private static let unbase64: @Sendable ([UInt8]) -> [UInt8]? = { Base64.decodeAnyForm($0.span) }

    static let spellings: [SecretMistake] = {
        let entities = ("&", "&amp;")
        func replacing(_ from: String, _ to: String, _ cause: ComparisonCause, _ words: String) -> SecretMistake {
            SecretMistake(cause, words) { $0.replacing(from.bytes, with: to.bytes) }
        }
        return [
            SecretMistake(.secretCase, "is in upper case; its case matters") { $0.changed { $0.uppercased() } },
            SecretMistake(.secretCase, "is in lower case; its case matters") { $0.changed { $0.lowercased() } },
            SecretMistake(
                .secretCase,
                "has a capital for its first letter (upper case); its case matters",
                isRare: true
            ) {
                $0.changed { $0.prefix(1).uppercased() + $0.dropFirst() }
            },
            SecretMistake(.secretCase, "has a small first letter (lower case); its case matters", isRare: true) {
                $0.changed { $0.prefix(1).lowercased() + $0.dropFirst() }
            },
            replacing("/", "\\/", .secretEscaped, "has \\/ for /, as PHP's json_encode escapes it; decode the JSON"),
            SecretMistake(
                .secretEscaped,
                "has a backslash before what a shell would expand ($ ! ` \" \\ &); it was escaped once too often"
            ) {
                $0.flatMap { "$!`\"\\'&".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
            },
            replacing(
                "\\",
                "\\\\",
                .secretEscaped,
                "has two backslashes for each one, as JSON escapes them; decode the JSON"
            ),
            replacing("\\", "", .secretEscaped, "lacks its backslashes, which a shell or a decoder took away"),
            replacing("$", "$$", .secretEscaped, "has $$ for $, as make and Compose files escape it"),
            replacing("$$", "$", .secretEscaped, "has $ for $$, as make and Compose files resolve it"),
            replacing("%", "%%", .secretEscaped, "has %% for %, as cmd.exe and INI files escape it"),
            SecretMistake(
                .secretEscaped,
                "has \\u0026, \\u003c and the like for & < >, as JSON encoders escape them; decode the JSON"
            ) {
                $0.changed { text in
                    [
                        ("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("+", "\\u002B"), ("'", "\\u0027"),
                        ("=", "\\u003d"),
                    ]
                    .reduce(text) { $0.replacing($1.0, with: $1.1) }
                }
            },
            replacing(
                entities.0,
                entities.1,
                .secretEntities,
                "has &amp; for &, as the source of a web page or XML has it"
            ),
            SecretMistake(.secretEntities, "has the entities of HTML (&amp; &lt; &quot;) for & < > and quotes") {
                $0.changed(Markup.escaped)
            },
            SecretMistake(.secretEntities, "had its HTML entities (&amp; and the like) resolved; they belong to it") {
                $0.changed(Markup.unescaped)
            },
            SecretMistake(.secretRepeated, "is there twice, one behind the other", isRare: true) { $0 + $0 },
            SecretMistake(.secretWhitespace, "lacks the blanks within it", isRare: true) { $0.filter { $0 != 0x20 } },
            SecretMistake(.secretSpelling, "lacks its hyphens", isRare: true) { $0.filter { $0 != UInt8(ascii: "-") } },
            SecretMistake(.secretSpelling, "has its characters in the reverse order", isRare: true) { $0.reversed() },
            SecretMistake(.secretSpelling, "has - and _ for + and /, the Base64 for URLs", isRare: true) {
                Base64.respell($0, in: .urlSafe)
            },
            SecretMistake(.secretSpelling, "has + and / for - and _, the Base64 that is not for URLs", isRare: true) {
                Base64.respell($0, in: .standard)
            },
        ]
    }()

    /// Secrets that were cut short, or that more was taken for than they are.
    static let cuts: [SecretMistake] = {
        var cuts: [SecretMistake] = [
            SecretMistake(
                .secretWhitespace,
                "lacks the white space (blanks, line ends) at the ends of ours; ours should probably too"
            ) {
                $0.changed { $0.trimmed }
            },
            SecretMistake(.secretQuoted, "lacks the quotation marks of ours; ours should probably too") { secret in
                guard let first = secret.first, "\"'`".utf8.contains(first), secret.last == first, secret.count > 1
                else {
                    return nil
                }
                return Array(secret.dropFirst().dropLast())
            },
            SecretMistake(.secretByteOrderMark, "lacks the byte-order mark (BOM) of ours; ours should probably too") {
                $0.starts(with: "\u{FEFF}".utf8) ? Array($0.dropFirst(3)) : nil
            },
            SecretMistake(.secretCut, "lacks the = at its end, its padding") {
                Array($0.reversed().drop { $0 == UInt8(ascii: "=") }.reversed())
            },
            SecretMistake(.secretCut, "was cut: its last character is missing (it was not copied whole)") {
                Array($0.dropLast())
            },
            SecretMistake(.secretCut, "was cut: its first character is missing (it was not copied whole)") {
                Array($0.dropFirst())
            },
        ]
        let characters: [(Character, String)] = [
            ("=", "as cut -d= does (its padding)"), ("#", "which begins a comment in .env files"),
            ("&", "which ends a value in a form"), ("$", "which a shell expands"), ("%", "an escape"),
            ("\"", "a quotation mark"), ("'", "a quotation mark"), (" ", "a blank ends a word in a shell"),
            (";", "which begins a comment in INI files, or ends a command"), (":", "which parts a name from a value"),
            ("/", "which parts a path"), ("+", "an escape"), (",", "which parts a list"),
            ("!", "which a shell expands"),
            ("\\", "an escape"), ("@", "which parts user information from a host"), ("?", "which begins a query"),
            ("|", "which begins a pipe"), ("<", "which begins a tag"), ("\0", "which ends a string in C"),
            (".", "which begins an extension"), ("-", "a hyphen"), ("_", "an underscore"), ("~", "a tilde"),
        ]
        for (index, entry) in characters.enumerated() {
            let (character, why) = entry
            cuts.append(
                SecretMistake(
                    .secretCut,
                    "was cut at its first \(character) (\(why)); the rest is missing",
                    isRare: index > 1
                ) {
                    $0.changed { String($0.prefix { $0 != character }) }
                }
            )
            cuts.append(
                SecretMistake(
                    .secretCut,
                    "was cut at its first \(character) (\(why)); what stands before is missing",
                    isRare: true
                ) {
                    $0.changed { text in
                        text.firstIndex(of: character).map { String(text[text.index(after: $0)...]) } ?? text
                    }
                }
            )
            if "=#&$%".contains(character) {
                cuts.append(
                    SecretMistake(
                        .secretCut,
                        "was cut at its last \(character) (\(why)); the rest is missing",
                        isRare: true
                    ) {
                        $0.changed { text in text.lastIndex(of: character).map { String(text[..<$0]) } ?? text }
                    }
                )
            }
        }
        // A shell puts a variable that it does not know in the place of $name.
        cuts.append(
            SecretMistake(
                .secretCut,
                "lost the $ and the word behind it, which a shell took for a variable ($name)",
                isRare: true
            ) {
                $0.changed { text in
                    guard let dollar = text.firstIndex(of: "$") else { return text }
                    let rest = text[text.index(after: dollar)...].drop { $0.isLetter || $0.isNumber || $0 == "_" }
                    return String(text[..<dollar] + rest)
                }
            }
        )
        for count in [8, 10, 12, 16, 20, 24, 30, 32, 40, 48, 50, 64, 72, 100, 128, 255, 256] {
            cuts.append(
                SecretMistake(
                    .secretCut,
                    "was cut to its first \(count) characters, by a field or a column that is too short",
                    isRare: true
                ) {
                    Array($0.prefix(count))
                }
            )
        }
        return cuts
    }()

    /// A line of a file, a variable or an answer in place of the secret that is in it.
    static let lines: [SecretMistake] = {
        var lines: [SecretMistake] = []
        let answers = [
            "&oauth_callback_confirmed=true", "&oauth_callback_confirmed=true\n", "&",
            "&oauth_callback_confirmed=false",
        ]
        for rest in answers {
            lines.append(
                SecretMistake(
                    .secretWithName,
                    "is followed by \(rest.trimmed) of the provider's answer; it ends at the &",
                    isRare: true
                ) {
                    $0 + rest.bytes
                }
            )
        }
        let names = [
            "CONSUMER_SECRET", "OAUTH_CONSUMER_SECRET", "TOKEN_SECRET", "OAUTH_TOKEN_SECRET", "ACCESS_TOKEN_SECRET",
            "ACCESS_SECRET", "API_SECRET", "CLIENT_SECRET", "SECRET", "SHARED_SECRET", "KEY", "SECRET_KEY",
            "API_KEY_SECRET",
        ]
        for name in names + names.map({ $0.lowercased() }) {
            for (before, shown) in [("", "="), ("export ", "="), ("", ": "), ("", ":"), ("", " = ")] {
                let prefix = before + name + shown
                lines.append(
                    SecretMistake(
                        .secretWithName,
                        "is the whole line \(prefix)…, with the name of the variable; take what follows it",
                        isRare: true
                    ) {
                        prefix.bytes + $0
                    }
                )
            }
            for (before, behind) in [("=\"", "\""), ("='", "'"), (": \"", "\""), ("\": \"", "\""), ("\":\"", "\"")] {
                lines.append(
                    SecretMistake(
                        .secretWithName,
                        "is the whole line \(name)\(before)…\(behind), with the name of the variable and quotation marks; take what is between them",
                        isRare: true
                    ) { ((before.hasPrefix("\"") ? "\"" : "") + name + before).bytes + $0 + behind.bytes }
                )
            }
            for text in [
                "$\(name)", "${\(name)}", "%\(name)%", name, "{{\(name)}}", "<\(name)>", "YOUR_\(name)", "your_\(name)",
            ] {
                lines.append(
                    SecretMistake(
                        .secretWithName,
                        "is \(text), the name of the variable and not its value",
                        isRare: true
                    ) { _ in
                        text.bytes
                    }
                )
            }
        }
        return lines
    }()
}
