import Bytes
import Testing

@Suite("Quotation marks in strings of JSON")
struct EscapedQuoteTests {
    @Test(
        "What one begins ends at one that is escaped as it is",
        arguments: [
            (#""a" b"#, "a"), (#""a\"b" c"#, #"a\"b"#), (#""a\\" b"#, #"a\\"#), (#""a'b" c"#, "a'b"),
            (#"\"a\" b"#, "a"), (#"\"a\\\"b\" c"#, #"a\\\"b"#),
            (#"\"a\\\\\" b"#, #"a\\\\"#),
            (#"\\\"a\\\\\\\"b\\\" c"#, #"a\\\\\\\"b"#),
            (#"\u0022a\u0022 b"#, "a"),
            (#"\u0022a\\\u0022b\u0022"#, #"a\\\u0022b"#),
            (#"\\u0022a\\\\\\u0022b\\u0022"#, #"a\\\\\\u0022b"#),
            (#"'a"b' c"#, #"a"b"#), (#""abc"#, "abc"), (#"""#, ""),
            (#"""""#, ""), (#""a\"#, #"a\"#),
        ]
    )
    func closing(text: String, content: String) throws {
        let bytes = Array(text.utf8)[...]
        let quote = try #require(EscapedQuote(in: bytes, at: 0))
        let end = quote.closing(in: bytes)
        #expect(String(decoding: bytes[quote.endIndex..<end], as: UTF8.self) == content)
    }

    @Test("Other text is none", arguments: ["", "a", "\\", "\\u0023", "u0022", "\\\\/"])
    func others(text: String) {
        #expect(EscapedQuote(in: Array(text.utf8)[...], at: 0) == nil)
    }
}
