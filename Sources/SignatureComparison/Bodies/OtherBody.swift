import Bytes
import OAuthSigning

/// The bytes that signers hash in place of the body.
enum OtherBody {
    /// Returns all of them with what each is, in words; the likelier ones first.
    static func all(_ body: [UInt8], contentType: [UInt8]?) -> [(words: String, bytes: [UInt8])] {
        let words: [(String, String)] = [
            ("null", "the word null"), ("undefined", "the word undefined"), ("{}", "{}, an empty object"),
            ("[]", "[], an empty array"),
            ("\"\"", "\"\", an empty text in quotation marks"), ("None", "the word None"), ("nil", "the word nil"),
            ("false", "the word false"),
            ("(null)", "the word (null)"), ("[object Object]", "the words [object Object]"),
            ("Array", "the word Array"), ("\n", "a line end (line feed) alone"),
            ("\r\n", "a line end (CR LF) alone"), (" ", "a blank (space) alone"), ("''", "'', two apostrophes"),
            ("<nil>", "the word <nil>"), ("NULL", "the word NULL"), ("true", "the word true"), ("0", "the digit 0"),
            ("&", "a & alone"), ("b''", "b'', Python's empty bytes"), ("\0", "a zero byte (NUL)"),
            ("{ }", "{ }, an empty object"), ("{\n}", "{ } with a line end, an empty object"),
            ("none", "the word none"), ("body", "the word body"),
            ("[object ReadableStream]", "the words [object ReadableStream]"),
            ("[object FormData]", "the words [object FormData]"), ("[object Buffer]", "the words [object Buffer]"),
            ("[object ArrayBuffer]", "the words [object ArrayBuffer]"), ("[object Blob]", "the words [object Blob]"),
        ]
        var bodies: [(words: String, bytes: [UInt8])] = [("nothing, an empty body", [])]
        bodies += words.map { ($0.1, $0.0.bytes) }
        bodies +=
            texts(body).prefix(7) + serializations(body) + texts(body).dropFirst(7) + encodings(body)
            + forms(body, contentType)
        if let contentType, let multipart = MultipartBody(body, contentType: contentType) {
            bodies += multipart.parts.map {
                ("the part \($0.name) of the multipart body alone\($0.fileName == nil ? "" : ", a file")", $0.content)
            }
            bodies.append(("the parts of the multipart body, one behind the other", multipart.parts.flatMap(\.content)))
            bodies += multipart.parts.compactMap { part in
                part.fileName.map { ("the name of the file in the multipart body", $0.bytes) }
            }
        }
        return bodies
    }

    private static func texts(_ body: [UInt8]) -> [(words: String, bytes: [UInt8])] {
        let changes: [(String, (String) -> String)] = [
            (
                "the body without the line end or blanks at its end (trimmed)",
                { String($0.reversed().drop(while: \.isWhitespace).reversed()) }
            ),
            ("the body without white space (blanks, line ends) at its ends (trimmed)", { $0.trimmed }),
            ("the body with a line end (\\n, line feed) added", { $0 + "\n" }),
            ("the body with a line end (\\r\\n) added", { $0 + "\r\n" }),
            ("the body with \\n for its line ends \\r\\n", { $0.replacing("\r\n", with: "\n") }),
            (
                "the body with \\r\\n for its line ends \\n",
                { $0.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n") }
            ),
            ("the body without its line ends", { $0.filter { !$0.isNewline } }),
            ("the body without white space (blanks, spaces and line ends)", { $0.filter { !$0.isWhitespace } }),
            ("the body without its spaces (blanks)", { $0.filter { $0 != " " } }),
            ("the body in lower case", { $0.lowercased() }), ("the body in upper case", { $0.uppercased() }),
            ("the body in quotation marks", { "\"\($0)\"" }),
            ("the body as a JSON text in quotation marks, encoded twice", { JSONValue.string($0).text(.init()) }),
            (
                "the body with \\/ for / (escaped slashes, as json_encode of PHP writes them)",
                { $0.replacing("/", with: "\\/") }
            ),
            ("the body with / for \\/ (without escaped slashes)", { $0.replacing("\\/", with: "/") }),
            ("the body with single quotation marks", { $0.replacing("\"", with: "'") }),
            ("the body as Python shows bytes, b'…'", { "b'\($0)'" }),
            ("the body escaped for HTML", { Markup.escaped($0) }),
            ("the body with HTML entities resolved", { Markup.unescaped($0) }),
            ("the body in composed form (NFC)", { NormalForm.composed($0) }),
            ("the body in decomposed form (NFD)", { NormalForm.decomposed($0) }),
            (
                "the body with question marks for letters outside of ASCII",
                { String(String.UnicodeScalarView($0.unicodeScalars.map { $0.isASCII ? $0 : "?" })) }
            ),
            (
                "the body without letters outside of ASCII",
                { String(String.UnicodeScalarView($0.unicodeScalars.filter(\.isASCII))) }
            ),
            (
                "the body without the XML declaration",
                { text in
                    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return text }
                    return String(text[end.upperBound...]).trimmed
                }
            ),
            ("the body and a & behind it", { $0 + "&" }), ("the body and a semicolon behind it", { $0 + ";" }),
            ("the body and a zero byte (NUL) behind it", { $0 + "\0" }),
            ("the body without its last character, cut", { String($0.dropLast()) }),
            ("the body with a byte-order mark (BOM) before it and a line end behind it", { "\u{FEFF}" + $0 + "\r\n" }),
            ("body= and the body, as a form has the name and the value", { "body=" + $0 }),
            ("data= and the body, as a form has the name and the value", { "data=" + $0 }),
            ("the method POST and the body", { "POST" + $0 }), ("the method PUT and the body", { "PUT" + $0 }),
            (
                "the XML without white space (blanks, line ends) between its elements",
                { Self.withoutBlanksBetweenElements($0) }
            ),
            (
                "the body with \\u003d, \\u0027, \\u003c, \\u003e and \\u0026 for = ' < > & (escaped), as Gson writes it",
                { Self.gson($0) }
            ),
            ("the body with \\u0027 for ' (escaped)", { $0.replacing("'", with: "\\u0027") }),
            ("the body with \\uXXXX in upper-case digits for letters outside of ASCII (escaped)", { Self.escaped($0) }),
            ("the body without its first and last character", { String($0.dropFirst().dropLast()) }),
            ("the body twice", { $0 + $0 }),
        ]
        guard let text = String(validating: body, as: UTF8.self) else { return [] }
        return changes.map { ($0.0, $0.1(text).bytes) }
    }

    private static func withoutBlanksBetweenElements(_ text: String) -> String {
        text.split(separator: ">", omittingEmptySubsequences: false).map { piece in
            let rest = piece.drop(while: \.isWhitespace)
            return rest.hasPrefix("<") || rest.isEmpty ? String(rest) : String(piece)
        }
        .joined(separator: ">")
    }

    private static func gson(_ text: String) -> String {
        [("=", "\\u003d"), ("'", "\\u0027"), ("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf16.map { unit in
            unit < 128
                ? String(decoding: [unit], as: UTF16.self) : "\\u" + Hexadecimal.encode(unit, uppercase: true)
        }
        .joined()
    }

    private static func encodings(_ body: [UInt8]) -> [(words: String, bytes: [UInt8])] {
        let pages = CodePage.all.compactMap { page in
            page.encode(body.text).map { (words: "the body in \(page.name) instead of UTF-8", bytes: $0) }
        }
        let misread = CodePage.all.prefix(2).map { page in
            (words: "the body whose UTF-8 was read as \(page.name) (mojibake)", bytes: page.decode(body).bytes)
        }
        return [
            ("the body in UTF-16 (two bytes for each character)", UTF16Text.littleEndian(body)),
            ("the body in UTF-16 (two bytes for each character), the high byte first", UTF16Text.bigEndian(body)),
            ("the body in UTF-16 with a byte-order mark", [0xFF, 0xFE] + UTF16Text.littleEndian(body)),
            (
                "the body in UTF-16 with a byte-order mark, the high byte first",
                [0xFE, 0xFF] + UTF16Text.bigEndian(body)
            ),
            ("the body with a byte-order mark (BOM) before it", "\u{FEFF}".bytes + body),
            (
                "the body without its byte-order mark (BOM)",
                body.starts(with: "\u{FEFF}".utf8) ? Array(body.dropFirst(3)) : body
            ),
            ("the body percent-encoded", PercentEncoding.encode(body)),
            ("the body percent-encoded as forms do, with + for spaces", Escaping(spaceIsPlus: true).escape(body)),
            ("the body percent-decoded", PercentEncoding.decodeLeniently(body.span)),
            ("the body percent-decoded as a form is", PercentEncoding.decodeLeniently(body.span, plusIsSpace: true)),
            ("the body as Base64", Base64.encode(body.span)),
            ("the body in hexadecimal digits", Hexadecimal.encode(body).bytes),

        ] + pages + misread
            + DigestFunction.allCases.prefix(3).flatMap { function in
                [
                    (words: "the \(function.name) of the body (hashed twice)", bytes: function.hash(body)),
                    (
                        words: "the \(function.name) of the body in hexadecimal digits (hashed twice)",
                        bytes: Hexadecimal.encode(function.hash(body)).bytes
                    ),
                    (
                        words: "the \(function.name) of the body as Base64 (hashed twice)",
                        bytes: Base64.encode(function.hash(body).span)
                    ),
                ]
            }
    }

    /// JSON as other serializers write it.
    private static func serializations(_ body: [UInt8]) -> [(words: String, bytes: [UInt8])] {
        guard let json = JSONValue(body) else { return [] }
        let styles: [(String, JSONValue.Style)] = [
            ("without blanks (compact, minified)", .init()),
            ("with blanks (spaces), as Python's json.dumps writes it", .init(comma: ", ", colon: ": ")),
            ("with blanks (spaces) behind colons", .init(colon: ": ")),
            ("with blanks (spaces) behind commas", .init(comma: ", ")),
            ("pretty-printed with two blanks", .init(indentation: "  ")),
            ("pretty-printed with four blanks", .init(indentation: "    ")),
            ("pretty-printed with tabs", .init(indentation: "\t")),
            ("pretty-printed with two blanks and \\r\\n", .init(indentation: "  ", lineEnd: "\r\n")),
            ("pretty-printed with four blanks and \\r\\n", .init(indentation: "    ", lineEnd: "\r\n")),
            ("with \\/ for / (escaped slashes)", .init(escapes: .slashes)),
            (
                "with \\/ for / and \\uXXXX, as PHP's json_encode writes it",
                .init(escapes: [.slashes, .nonASCII])
            ),
            ("with \\uXXXX for letters outside of ASCII (escaped)", .init(escapes: .nonASCII)),
            (
                "with \\uXXXX for letters outside of ASCII (escaped), with blanks, as Python writes it",
                .init(comma: ", ", colon: ": ", escapes: .nonASCII)
            ),
            ("with \\u0026, \\u003c, \\u003e for & < > (escaped), as Go writes it", .init(escapes: .markup)),
            ("with sorted members (keys)", .init(sortsMembers: true)),
            ("with sorted members (keys) and blanks", .init(comma: ", ", colon: ": ", sortsMembers: true)),
            ("without members that are null", .init(dropsNull: true)),
            ("without members that are null, with blanks", .init(comma: ", ", colon: ": ", dropsNull: true)),
            (
                "with sorted members (keys), pretty-printed with two blanks",
                .init(indentation: "  ", sortsMembers: true)
            ),
            (
                "with sorted members (keys), pretty-printed with four blanks",
                .init(indentation: "    ", sortsMembers: true)
            ),
        ]
        return styles.flatMap { words, style in
            let text = json.text(style)
            return [
                (words: "the JSON written otherwise (serialized again), \(words)", bytes: text.bytes),
                (
                    words: "the JSON written otherwise (serialized again), \(words), and a line end",
                    bytes: (text + "\n").bytes
                ),
            ]
        } + formsOfNumbers(json) + formsOfJSON(json)
    }

    /// JSON whose numbers or members another language writes otherwise.
    private static func formsOfNumbers(_ json: JSONValue) -> [(words: String, bytes: [UInt8])] {
        [
            (json.withPlainNumbers, "numbers written without .0 and zeros"),
            (json.withTextForNumbers, "numbers as texts in quotation marks"),
            (json.withReversedMembers, "its members in the reverse order"),
        ].flatMap { value, words in
            [JSONValue.Style(), .init(comma: ", ", colon: ": "), .init(indentation: "  "), .init(indentation: "    ")]
                .map { style in
                    (words: "the JSON written otherwise (serialized again), \(words)", bytes: value.text(style).bytes)
                }
        } + [
            (
                words: "the JSON as Python shows a dict (in single quotation marks, serialized otherwise)",
                bytes: FlattenedJSON.pythonic(json).bytes
            )
        ]
    }

    /// The fields of JSON as a form.
    private static func formsOfJSON(_ json: JSONValue) -> [(words: String, bytes: [UInt8])] {
        FlattenedJSON.Style.all.prefix(56).flatMap { style in
            let pairs = FlattenedJSON(json, style).pairs
            return [false, true].map { spaceIsPlus in
                let escaping = Escaping(spaceIsPlus: spaceIsPlus)
                let text = pairs.map { escaping.escape($0.name.bytes) + "=".bytes + escaping.escape($0.value.bytes) }
                return (words: "the fields of the JSON as a form", bytes: Array(text.joined(separator: "&".bytes)))
            }
        }
    }

    private static func forms(_ body: [UInt8], _ contentType: [UInt8]?) -> [(words: String, bytes: [UInt8])] {
        guard contentType?.text.lowercased().contains("urlencoded") ?? false else { return [] }
        let pairs = RecipeParameter.all(in: body, origin: .form)
        func form(_ pairs: [RecipeParameter], _ escaping: Escaping) -> [UInt8] {
            let texts = pairs.map { escaping.escape($0.name) + "=".bytes + escaping.escape($0.value) }
            return Array(texts.joined(separator: "&".bytes))
        }
        let sorted = pairs.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        return [
            ("the form encoded anew, with %20 for spaces", form(pairs, Escaping())),
            ("the form encoded anew, with + for spaces", form(pairs, Escaping(spaceIsPlus: true))),
            ("the form with sorted parameters", form(sorted, Escaping())),
            ("the form with sorted parameters, with + for spaces", form(sorted, Escaping(spaceIsPlus: true))),
            ("the form not encoded", form(pairs, Escaping(rounds: 0))),
            (
                "the form as JSON",
                JSONValue.object(pairs.map { .init(name: $0.nameText, value: .string($0.valueText)) }).text(.init())
                    .bytes
            ),
            (
                "the form as JSON with blanks",
                JSONValue.object(pairs.map { .init(name: $0.nameText, value: .string($0.valueText)) }).text(
                    .init(comma: ", ", colon: ": ")
                ).bytes
            ),
        ]
    }
}
