import Bytes
import Testing

@Suite("Text of foreign origin, made printable")
struct PrintableTextTests {
    /// The scalars that a terminal or an editor obeys, by their kind.
    static let active: [Unicode.Scalar] = [
        "\u{0}", "\u{7}", "\u{8}", "\t", "\n", "\r", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{9D}", "\u{A0}",
        "\u{AD}", "\u{61C}", "\u{115F}", "\u{180E}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{2028}",
        "\u{2029}", "\u{202E}", "\u{2066}", "\u{3000}", "\u{3164}", "\u{FE0F}", "\u{FEFF}", "\u{E000}",
        "\u{E0041}", "\u{10FFFF}",
    ]

    @Test("What is not seen is written as its number", arguments: active)
    func escapes(scalar: Unicode.Scalar) {
        #expect(!scalar.isPrintable)
        let text = "a\(scalar)b"
        #expect("\(PrintableText(text))" == "a\\u{\(String(scalar.value, radix: 16))}b")
        let isSpace = scalar.properties.isWhitespace
        #expect(condensed(text) == (isSpace ? "a b" : "ab"))
    }

    @Test("What is seen stays", arguments: ["plain ~", "é", "e\u{301}", "中文", "हिन्दी", "–", "€", "😀", "№"])
    func keeps(text: String) {
        #expect("\(PrintableText(text))" == text)
        #expect(condensed(text) == text)
    }

    @Test("Quotes and backslashes can stand between quotes")
    func escapesQuotes() {
        #expect("\(PrintableText(#"a"b\c"#))" == #"a\"b\\c"#)
        #expect("\(PrintableText(#"a"b\c"#, escapesQuotes: false))" == #"a"b\c"#)
    }

    @Test("A space is escaped where one word is asked for")
    func escapesSpaces() {
        #expect("\(PrintableText("a b"))" == "a b")
        #expect("\(PrintableText("a b\n", escapesSpaces: true))" == #"a\u{20}b\u{a}"#)
    }

    @Test("What is too long is cut, between characters")
    func cuts() {
        #expect("\(PrintableText("abcdef", limit: 6))" == "abcdef")
        #expect("\(PrintableText("abcdefg", limit: 6))" == "abcdef…")
        #expect("\(PrintableText("ab\u{1B}", limit: 6))" == "ab…")
        #expect(condensed("a b c", limit: 3) == "a …")
        #expect(condensed("  a\r\n\tb  ") == "a b")
    }
}
