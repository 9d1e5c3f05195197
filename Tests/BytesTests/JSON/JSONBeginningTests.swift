import Bytes
import Testing

@Suite("Beginnings of JSON")
struct JSONBeginningTests {
    private static func beginning(_ text: String) -> JSONBeginning? { JSONBeginning(Array(text.utf8)) }

    @Test(
        "What is whole is kept, what is open is closed",
        arguments: [
            (#"{"a":1,"b":[{"c":"d"},{"e"#, #"{"a":1,"b":[{"c":"d"},{}]}"#), (#"{"a":"x,]}\"","b"#, #"{"a":"x,]}\""}"#),
            ("[[1,[2,3", "[[1,[2]]]"), ("{", "{}"), ("[", "[]"), (#"{"a""#, "{}"), (#"{"a":"#, "{}"),
            (#"{"a":"b"#, "{}"), (#"{"a":"b""#, #"{"a":"b"}"#), (#"{"a":tru"#, "{}"), (#"{"a":true"#, "{}"),
            (#"{"a":true "#, #"{"a":true}"#), ("[1,[2]", "[1,[2]]"), (#"{"a":{"b":1}"#, #"{"a":{"b":1}}"#),
            (#"["a\u00"#, "[]"), (#"["a\"#, "[]"),
        ]
    )
    func cut(text: String, whole: String) {
        let beginning = Self.beginning(text)
        #expect(beginning?.isWhole == false)
        #expect(beginning?.value == JSONValue(Array(whole.utf8)))
    }

    @Test("What is whole is told from what is cut off at any byte")
    func truncation() {
        let document = Array(
            #"{"a":[1,-2.5e+3,"x\"\\\u00e9\ud83d\ude00",{"b":null,"é":false}],"c":true,"d":[{}]}"#.utf8
        )
        #expect(JSONBeginning(document)?.isWhole == true)
        #expect(JSONBeginning(document)?.value == JSONValue(document))
        for count in 1..<document.count {
            let cut = JSONBeginning(Array(document.prefix(count)))
            #expect(cut?.isWhole == false, "\(count) bytes")
        }
    }

    @Test(
        "What is no beginning of an object or array is none",
        arguments: [
            "", " ", "a", "\"", "\"a\"", "1", "null", "text", "{]", "}", "[]x", "[1,]", "[1,]x", #"{"a":}"#,
            #"{"a":tru,"#,
            "<x>[",
        ]
    )
    func others(text: String) {
        #expect(Self.beginning(text) == nil)
    }

    @Test("Strings may be malformed")
    func strings() {
        let value = Self.beginning("{\"a\nb\":\"c\\'d\\ud83d\",\"e\":1")?.value
        #expect(value == .object([.init(name: "a\nb", value: .string("c'd\u{FFFD}"))]))
    }

    @Test("Nesting is bounded", arguments: [(512, true), (513, false), (100_000, false)])
    func nesting(levels: Int, isRead: Bool) {
        let open = String(repeating: "[", count: levels)
        #expect((Self.beginning(open) != nil) == isRead)
        #expect((Self.beginning(open + String(repeating: "]", count: levels)) != nil) == isRead)
    }
}
