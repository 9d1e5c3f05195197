import Testing

@testable import Bytes

@Suite("Strings of JSON")
struct JSONStringTests {
    private static func decoded(_ content: String) -> JSONString.Decoded {
        JSONString.decode(Array(content.utf8)[...])
    }

    @Test(
        "Escapes are undone",
        arguments: [
            ("", ""), ("plain é\u{1F600}\u{7F}", "plain é\u{1F600}\u{7F}"),
            (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9\u00E9\u0000\uFFFF"#, "Aéé\u{0}\u{FFFF}"),
            (#"\ud83d\uDE00x"#, "\u{1F600}x"), (#"\uD800\uDC00\udbff\udfff"#, "\u{10000}\u{10FFFF}"),
            (#"\\u0041"#, #"\u0041"#),
        ]
    )
    func escapes(content: String, text: String) {
        #expect(Self.decoded(content) == JSONString.Decoded(text: text, form: .text))
    }

    @Test(
        "Half a surrogate pair is no text",
        arguments: [
            (#"\ud83d"#, "\u{FFFD}"), (#"\ude00"#, "\u{FFFD}"), (#"a\ud83db"#, "a\u{FFFD}b"),
            (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
            (#"\ud83d\ud83d\ude00"#, "\u{FFFD}\u{1F600}"), (#"\ud83d\ude00\ude00"#, "\u{1F600}\u{FFFD}"),
        ]
    )
    func halfPairs(content: String, text: String) {
        #expect(Self.decoded(content) == JSONString.Decoded(text: text, form: .notUnicode))
    }

    @Test(
        "Bytes that are not UTF-8 are no text",
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]]
    )
    func otherEncodings(bytes: [UInt8]) {
        let decoded = JSONString.decode(([0x61] + bytes + [0x62])[...])
        #expect(decoded.form == .notUnicode)
        #expect(decoded.text.hasPrefix("a\u{FFFD}") && decoded.text.hasSuffix("b"))
    }

    @Test(
        "What is no string of JSON is told by its place, and read all the same",
        arguments: [
            ("a\nb", 1, "a\nb"), ("\u{0}", 0, "\u{0}"), ("\u{1F}\t", 0, "\u{1F}\t"), (#"ab\x"#, 2, "abx"),
            (#"\'"#, 0, "'"), (#"\U0041"#, 0, "U0041"), (#"\u12"#, 0, "u12"), (#"\u12g4"#, 0, "u12g4"),
            (#"\u+123"#, 0, "u+123"), (#"\"#, 0, "\\"), (#"a\n\"#, 3, "a\n\\"), (#"\ud83d\u12"#, 6, "\u{FFFD}u12"),
            (#"\é"#, 0, "é"), ("\\\n", 0, "\n"),
        ]
    )
    func malformed(content: String, position: Int, text: String) {
        #expect(Self.decoded(content) == JSONString.Decoded(text: text, form: .malformed(at: position)))
    }

    @Test("Positions are those of the bytes that the content is part of")
    func slices() {
        let bytes = Array("\"a\\x\"".utf8)
        #expect(JSONString.decode(bytes[1..<4]).form == .malformed(at: 2))
    }

    @Test("Each character is read as it was written")
    func characters() throws {
        for value in Array(UInt32(0)...0x2FF) + [0x2028, 0xFEFF, 0xFFFD, 0x1F600, 0xE0001, 0x10FFFF] {
            let scalar = try #require(Unicode.Scalar(value))
            let literal = JSONString.literal(String(scalar))
            let decoded = JSONString.decode(Array(literal.utf8).dropFirst().dropLast())
            #expect(decoded == JSONString.Decoded(text: String(scalar), form: .text), "\(literal)")
        }
    }

    @Test(
        "Each set of escapes escapes its own characters, and all of them what RFC 8259 demands",
        arguments: [
            ([], "</&é\u{7F}\u{2028}\u{1F600}>"),
            (.unprintable, #"</&é\u007f\u2028"# + "\u{1F600}>"),
            (.nonASCII, #"</&\u00e9"# + "\u{7F}" + #"\u2028\ud83d\ude00>"#),
            (.slashes, #"<\/&é"# + "\u{7F}\u{2028}\u{1F600}>"),
            (.markup, #"\u003c/\u0026é"# + "\u{7F}\u{2028}\u{1F600}" + #"\u003e"#),
            ([.unprintable, .slashes], #"<\/&é\u007f\u2028"# + "\u{1F600}>"),
        ] as [(JSONString.Escapes, String)]
    )
    func sets(escapes: JSONString.Escapes, escaped: String) {
        let text = "\"\\\u{0}\u{8}\u{C}\n\r\t\u{1F}</&é\u{7F}\u{2028}\u{1F600}>"
        let literal = JSONString.literal(text, escapes: escapes)
        #expect(literal == #""\"\\\u0000\b\f\n\r\t\u001f"# + escaped + "\"")
    }

    @Test("Characters that stand for themselves come in one piece, and bytes that are not UTF-8 become U+FFFD")
    func pieces() {
        var pieces: [[UInt8]] = []
        let bytes = Array("/a?b=1".utf8) + [0xC3] + Array("\" c".utf8)
        JSONString.writeLiteral(bytes.span) { pieces.append($0.array) }
        let texts = pieces.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts == ["\"", "/a?b=1", "\u{FFFD}", "\\\"", " c", "\""])
    }
}
