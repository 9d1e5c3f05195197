import Bytes

// What typing, office programs, shells and columns of a table make of a secret; each is tried alone.
extension SecretMistake {
    static let slips = lookAlikes + typography + numbers + wrappings + interpretations

    private static func text(
        _ cause: ComparisonCause,
        _ words: String,
        _ change: @escaping @Sendable (String) -> String?
    ) -> SecretMistake {
        SecretMistake(cause, words, isRare: true) { bytes in
            String(validating: bytes, as: UTF8.self).flatMap(change).map(\.bytes)
        }
    }

    private static let lookAlikes: [SecretMistake] = {
        let pairs = [
            ("0", "O"), ("O", "0"), ("0", "o"), ("o", "0"), ("l", "1"), ("1", "l"), ("I", "l"), ("l", "I"), ("1", "I"),
            ("I", "1"), ("5", "S"), ("S", "5"), ("2", "Z"), ("Z", "2"),
            ("8", "B"), ("B", "8"), ("rn", "m"), ("m", "rn"), ("vv", "w"), ("w", "vv"), ("cl", "d"), ("G", "6"),
            ("6", "G"), ("q", "9"), ("9", "q"), ("g", "9"), ("9", "g"), ("u", "v"), ("v", "u"),
            ("z", "y"), ("y", "z"), ("_", "-"), ("-", "_"), ("i", "l"), ("l", "i"), ("i", "j"),
        ]
        let same = pairs.map { from, to in
            text(.secretSpelling, "has \(to) for each \(from), characters that look alike (mistyped)") {
                $0.replacing(from, with: to)
            }
        }
        let swapped = [("y", "z"), ("Y", "Z"), ("a", "q"), ("w", "z")].map { one, other in
            text(.secretSpelling, "has \(one) and \(other) exchanged, as on a keyboard of another country (mistyped)") {
                text in
                text.map { String($0) == one ? other : String($0) == other ? one : String($0) }.joined()
            }
        }
        let letters = zip("aceopxyijsABCEHKMOPTXIJS", "асеорхуіјѕАВСЕНКМОРТХІЈЅ").map { latin, cyrillic in
            text(.secretSpelling, "has a Cyrillic letter for the Latin \(latin), which looks alike") {
                $0.replacing(String(latin), with: String(cyrillic))
            }
        }
        return same + swapped + letters
    }()

    private static let typography: [SecretMistake] = [
        ("-", "\u{2013}"), ("-", "\u{2014}"), ("-", "\u{2010}"), ("-", "\u{2011}"), ("-", "\u{2212}"),
        ("--", "\u{2013}"), ("--", "\u{2014}"), ("...", "\u{2026}"), ("'", "\u{2019}"), ("\"", "\u{201D}"),
        (" ", "\u{A0}"), ("-", "\u{AD}"),
    ]
    .map { from, to in
        text(
            .secretSpelling,
            "has \(to) for \(from), a dash or another typographic character that a word processor put there for the hyphen"
        ) { $0.replacing(from, with: to) }
    }

    private static func isNumber(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(\.isDigit) }

    private static let numbers: [SecretMistake] = [
        text(.secretSpelling, "was read as a number: the zeros at its beginning are missing") { text in
            isNumber(text) ? String(text.drop { $0 == "0" }) : nil
        },
        text(.secretSpelling, "was read as a number (a float) and rounded, as JavaScript does beyond 2 to the 53rd") {
            text in
            guard isNumber(text), text.count < 22, let number = Double(text) else { return nil }
            let written = "\(number)"
            let digits = written.prefix { $0 != "e" }.filter { $0 != "." }
            guard let exponent = written.split(separator: "e").dropFirst().first.flatMap({ Int($0) }) else {
                return nil
            }
            return digits.count > exponent + 1
                ? nil : digits + String(repeating: "0", count: exponent + 1 - digits.count)
        },
        text(.secretSpelling, "was read as a number (a float) and written with an exponent") { text in
            isNumber(text) ? Double(text).map { "\($0)" } : nil
        },
        text(.secretSpelling, "was read as a number with 15 digits and written with an exponent, as Excel does") {
            exponent($0, digits: 15)
        },
        text(.secretSpelling, "was read as a number with 6 digits and written with an exponent, as Excel does") {
            exponent($0, digits: 6)
        },
        text(.secretSpelling, "was read as a number with 15 digits and rounded, as Excel does") { text in
            isNumber(text) && text.count > 15 ? text.prefix(15) + String(repeating: "0", count: text.count - 15) : nil
        },
        text(.secretSpelling, "was read as a number with an exponent, and written out (a float)") { text in
            guard text.contains("e") || text.contains("E"), let number = Double(text), abs(number) < 1e15,
                number == number.rounded()
            else { return nil }
            return String(Int(number))
        },
    ]

    private static func exponent(_ text: String, digits count: Int) -> String? {
        guard isNumber(text), text.count > count, text.first != "0", var digits = Int(text.prefix(count)),
            let next = text.dropFirst(count).first?.wholeNumberValue
        else { return nil }
        if next > 4 { digits += 1 }
        let fraction = String(String(digits).dropFirst().reversed().drop { $0 == "0" }.reversed())
        return String(digits).prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "E+" + String(text.count - 1)
    }

    private static let wrappings: [SecretMistake] = wraps + fillings + prefixes + wholes

    private static let wraps: [SecretMistake] = [60, 64, 70, 72, 76, 80].flatMap { width in
        [
            ("\n", "a line end (\\n)"), ("\r\n", "a line end (\\r\\n)"), (" ", "a blank"),
            ("\n ", "a line end and a blank"),
        ].map { mark, words in
            SecretMistake(
                .secretWhitespace,
                "has \(words) within it, where it was wrapped after \(width) characters",
                isRare: true
            ) { bytes in
                guard bytes.count > width else { return nil }
                return Array(
                    stride(from: 0, to: bytes.count, by: width).map {
                        Array(bytes[$0..<min($0 + width, bytes.count)])
                    }.joined(separator: mark.bytes)
                )
            }
        }
    }

    private static let fillings: [SecretMistake] = [8, 16, 20, 24, 30, 32, 40, 48, 50, 64, 100, 128, 255, 256].flatMap {
        width in
        [
            (UInt8(ascii: " "), "blanks (spaces)", false), (0, "zero bytes (NUL)", false),
            (0, "zero bytes (NUL)", true), (UInt8(ascii: "0"), "zeros", false), (UInt8(ascii: "="), "=", false),
        ].map { byte, words, isRaw in
            SecretMistake(
                .secretWhitespace,
                "is filled (padded) with \(words) to \(width) characters, as a column or a buffer does",
                isRaw: isRaw,
                isRare: true
            ) { bytes in
                bytes.count < width ? bytes + repeatElement(byte, count: width - bytes.count) : nil
            }
        }
    }

    private static let prefixes: [SecretMistake] = [
        around("-n ", "", "begins with -n and a blank, as echo -n of sh prints it"),
        around("-n ", "\n", "stands between -n and a line feed, as echo -n of sh prints it"),
        around("-e ", "", "begins with -e and a blank, as echo -e of sh prints it"),
        around("-e ", "\n", "stands between -e and a line feed, as echo -e of sh prints it"),
        around("-n ", "\r\n", "stands between -n and a line end, as echo prints it"),
        around("Bearer ", "", "begins with the word Bearer"), around("secret ", "", "begins with the word secret"),
        around("secret:", "", "begins with the word secret"), around("sk_", "", "begins with sk_"),
        around("# ", "", "begins with the # of a comment"),
        around("\u{1B}[0m", "", "begins with a terminal's escape sequence (colour)"),
        around("", "\u{1B}[0m", "ends in a terminal's escape sequence (colour)"),
    ]

    private static let wholes: [SecretMistake] = [
        "consumer_secret", "consumerSecret", "oauth_consumer_secret", "token_secret", "tokenSecret",
        "oauth_token_secret", "secret", "client_secret", "api_secret", "access_token_secret",
    ].flatMap { name in
        [
            around("{\"\(name)\": \"", "\"}", "is the whole JSON {\"\(name)\": …}; take the value in it"),
            around("{\"\(name)\":\"", "\"}", "is the whole JSON {\"\(name)\":…}; take the value in it"),
            around("{'\(name)': '", "'}", "is the whole dict of Python, {'\(name)': …}; take the value in it"),
            around("<\(name)>", "</\(name)>", "is the whole element <\(name)> of XML; take what is in it"),
            around("\(name)=", "&", "is the whole part \(name)=…& of the provider's answer"),
            around("--\(name)=", "", "is the whole option --\(name)=…"),
        ]
    }

    private static func around(_ before: String, _ behind: String, _ words: String) -> SecretMistake {
        SecretMistake(.secretWithName, words, isRare: true) { before.bytes + $0 + behind.bytes }
    }

    private static let interpretations: [SecretMistake] = [
        text(.secretEscaped, "had its backslash escapes interpreted: \\n became a line feed, \\t a tab") { text in
            [("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\\\", "\\"), ("\\\"", "\""), ("\\'", "'")].reduce(text) {
                $0.replacing($1.0, with: $1.1)
            }
        },
        text(.secretEscaped, "had an escape interpreted: \\b, \\f, \\a, \\v or \\0 became a control character") {
            text in
            [("\\b", "\u{8}"), ("\\f", "\u{C}"), ("\\a", "\u{7}"), ("\\v", "\u{B}"), ("\\0", "\0"), ("\\e", "\u{1B}")]
                .reduce(text) { $0.replacing($1.0, with: $1.1) }
        },
        text(.secretEscaped, "has \\u0026 and \\u003d for & and =, as JSON encoders escape them; decode the JSON") {
            $0.replacing("&", with: "\\u0026").replacing("=", with: "\\u003d")
        },
        text(.secretEscaped, "has \\u0026 for &, as JSON encoders escape it; decode the JSON") {
            $0.replacing("&", with: "\\u0026")
        },
        text(.secretEscaped, "has \\u002B and \\u002F for + and /, as JSON encoders escape them; decode the JSON") {
            $0.replacing("+", with: "\\u002B").replacing("/", with: "\\u002F")
        },
        text(.secretEscaped, "has \\u002B for +, as JSON encoders escape it; decode the JSON") {
            $0.replacing("+", with: "\\u002B")
        },
        text(.secretSpelling, "lacks everything but letters and digits; its other characters were dropped") {
            $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        },
        text(.secretSpelling, "lacks everything but letters, digits, _ and -; its other characters were dropped") {
            $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
        },
        text(.secretSpelling, "lacks its = signs (padding), + and /") { $0.filter { !"=+/".contains($0) } },
        text(.secretSpelling, "has _ for everything but letters and digits") {
            $0.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
        },
        text(.secretCut, "was cut at its first line end; the rest is missing") { String($0.prefix { !$0.isNewline }) },
        SecretMistake(.secretHashed, "is the MD5 of the secret (a hash), as bytes", isRaw: true, isRare: true) {
            DigestFunction.md5.hash($0)
        },
        SecretMistake(.secretHashed, "is the MD5 of the secret (a hash), as Base64", isRare: true) {
            Base64.encode(DigestFunction.md5.hash($0).span)
        },
        SecretMistake(.secretHashed, "is the SHA512 of the secret (a hash), in hexadecimal digits", isRare: true) {
            Hexadecimal.encode(DigestFunction.sha512.hash($0)).bytes
        },
        SecretMistake(
            .secretHashed,
            "is the SHA1 of the secret (a hash), in upper-case hexadecimal digits",
            isRare: true
        ) { Hexadecimal.encode(DigestFunction.sha1.hash($0), uppercase: true).bytes },
    ]
}
