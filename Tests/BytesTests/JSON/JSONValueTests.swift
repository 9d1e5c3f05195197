import Bytes
import Testing

@Suite("Values of JSON")
struct JSONValueTests {
    @Test(
        "A document is read as a whole",
        arguments: [
            ("null", .null), (" true ", .boolean(true)), ("-1.50E+2", .number("-1.50E+2")),
            ("\"a\\n\"", .string("a\n")),
            ("[]", .array([])), ("{}", .object([])),
            ("[[],[1,[\"x\"]]]", .array([.array([]), .array([.number("1"), .array([.string("x")])])])),
            (
                #"{"b":1,"a":{"c":[]},"b":2}"#,
                .object([
                    .init(name: "b", value: .number("1")),
                    .init(name: "a", value: .object([.init(name: "c", value: .array([]))])),
                    .init(name: "b", value: .number("2")),
                ])
            ),
        ] as [(String, JSONValue)]
    )
    func documents(text: String, value: JSONValue) {
        #expect(JSONValue(Array(text.utf8)) == value)
    }

    @Test(
        "What is no document has no value",
        arguments: [
            "", " ", "[", "{\"a\"", "[1,]", "nan", "0x1p3", "01", "'a'", "\"a\nb", "\"\\\"", "[] []", "\u{FEFF}[]",
        ]
    )
    func malformed(text: String) {
        #expect(JSONValue(Array(text.utf8)) == nil)
    }

    @Test(
        "Strings may be malformed",
        arguments: [
            ("\"a\nb\tc\"", .string("a\nb\tc")), (#""\'\x""#, .string("'x")), (#""\u12""#, .string("u12")),
            (
                "{\"te\nxt\": \"a\nb\", \"c\": 1}",
                .object([
                    .init(name: "te\nxt", value: .string("a\nb")), .init(name: "c", value: .number("1")),
                ])
            ),
        ] as [(String, JSONValue)]
    )
    func malformedStrings(text: String, value: JSONValue) {
        #expect(JSONValue(Array(text.utf8)) == value)
    }

    @Test("What is not Unicode is replaced")
    func replacement() {
        #expect(JSONValue(Array(#"["\ud83d"]"#.utf8)) == .array([.string("\u{FFFD}")]))
        #expect(
            JSONValue(Array("{\"a".utf8) + [0xE9] + Array("\":1}".utf8))
                == .object([.init(name: "a\u{FFFD}", value: .number("1"))])
        )
    }

    @Test(
        "A strict reading takes neither",
        arguments: [
            ("\"a\nb\"", false), (#""\'""#, false), (#""\ud83d""#, false), (#"{"\ud83d":1}"#, false), ("[1,]", false),
            (#"{"a":["\ud83d\ude00\n",1,true,null]}"#, true),
        ]
    )
    func strict(text: String, isRead: Bool) {
        let (bytes, strict) = (Array(text.utf8), JSONValue(strict: Array(text.utf8)))
        #expect((strict != nil) == isRead)
        if isRead { #expect(strict == JSONValue(bytes)) }
    }

    @Test("Nesting is bounded", arguments: [(32, true), (33, false), (100_000, false)])
    func nesting(levels: Int, isRead: Bool) {
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect((JSONValue(Array(text.utf8)) != nil) == isRead)
    }
}
