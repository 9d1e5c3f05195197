import Bytes
import Foundation
import Testing

@Suite("JSON objects")
struct JSONObjectTests {
    @Test(
        "Values are told apart, and read as they were written",
        arguments: [
            ("\"a\"", .text("a")), ("\"\"", .text("")), (#""\"\\\/\b\f\n\r\t\u00e9""#, .text("\"\\/\u{8}\u{C}\n\r\té")),
            ("\"ä\u{1F600}\"", .text("ä\u{1F600}")), (#""\uD83D\uDE00""#, .text("\u{1F600}")),
            ("0", .number("0")), ("-0", .number("-0")), ("12e+3", .number("12e+3")), ("1.50E-2", .number("1.50E-2")),
            ("null", .null), ("true", .other), ("false", .other), ("[]", .other), ("{}", .other),
            (#"[1,{"x":[null]}]"#, .other), (#""\ud83d""#, .other), (#""\ude00x""#, .other),
            (#""\ud83d\u0041""#, .other),
        ] as [(String, JSONObject.Value)]
    )
    func values(text: String, value: JSONObject.Value) {
        let object = JSONObject(Array(" {\t\"a\" : 1 ,\r\n\"x\":\(text) , \"z\":2} \n".utf8))
        #expect(object?["x"] == value)
        #expect(object?["z"] == .number("2"))
        #expect(object?["y"] == nil)
    }

    @Test(
        "What is no JSON object is none",
        arguments: [
            "", " ", "{", "}", "{}}", "{},", "[]", "1", "\"x\"", "null", "{x:1}", "{'x':1}", #"{"x"}"#, #"{"x":}"#,
            #"{"x":1,}"#, #"{,"x":1}"#, #"{"x":1 "y":2}"#, #"{"x":01}"#, #"{"x":+1}"#, #"{"x":1.}"#, #"{"x":.5}"#,
            #"{"x":1e}"#, #"{"x":-}"#, #"{"x":NaN}"#, #"{"x":nul}"#, #"{"x":tru}"#, #"{"x":[1,]}"#, #"{"x":[1}"#,
            #"{"x":"a}"#, #"{"x":"\x"}"#, #"{"x":"\u12"}"#, #"{"x":"\u12g4"}"#, "{\"x\":\"a\nb\"}", "{\"x\":\"\u{0}\"}",
            "\u{FEFF}{}", #"{"x":1}{"#, "// c\n{}",
        ]
    )
    func malformed(text: String) {
        #expect(JSONObject(Array(text.utf8)) == nil)
    }

    @Test(
        "The place of what makes it none is told",
        arguments: [("{", 1), ("{}", nil), ("{} x", 3), ("{\"x\":\n }", 7), ("[", 0), ("", 0), (#"{"x":1,}"#, 7)]
    )
    func position(text: String, position: Int?) {
        #expect(JSONObject.position(ofFaultIn: Array(text.utf8)) == position)
    }

    @Test("Bytes that are not UTF-8 are no JSON")
    func otherEncodings() {
        #expect(JSONObject(Array("{\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8)) == nil)
        #expect(JSONObject(Array("{\"x\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8)) == nil)
    }

    @Test("Nesting is bounded", arguments: [(63, true), (64, false), (30_000, false)])
    func nesting(levels: Int, isRead: Bool) {
        let text = "{\"x\":" + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}"
        #expect((JSONObject(Array(text.utf8)) != nil) == isRead)
    }

    @Test("A name that occurs again has no value, and names are equal when their bytes are")
    func names() {
        let object = JSONObject(Array("{\"a\":1,\"\\u0061\":1,\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(object?["a"] == .repeated)
        #expect(object?["\u{E9}"] == .number("1"))
        #expect(object?["e\u{301}"] == .number("2"))
    }

    @Test("What Foundation writes is read")
    func foundation() throws {
        let texts = ["plain", "q\"uo\\te/", "\u{1}\u{1F}\u{7F}", "ä\u{1F600}\u{2028}", ""]
        for text in texts {
            let data = try JSONEncoder().encode(["x": text])
            #expect(JSONObject(Array(data))?["x"] == .text(text))
        }
    }
}
