import Bytes
import Testing

@testable import Credentials

@Suite("JSON of errors")
struct ErrorJSONTests {
    static func value(_ text: String) -> ErrorJSON? {
        JSONBeginning(Array(text.utf8)).map { ErrorJSON($0.value) }
    }

    @Test("Members are found whatever their capitals, numbers also in texts")
    func members() {
        let value = Self.value(#"{"Errors":{"ERROR":[{"ReasonCode":"X","code":"32","other":1}]},"message":null}"#)
        let error = value?["errors"]?["error"]?.elements.first
        #expect(error?["reasoncode"]?.text == "X")
        #expect(error?["code"]?.number == 32)
        #expect(error?["other"] == nil)
        #expect(value?["message"] == .other)
        #expect(value?["message"]?.text == nil)
    }

    @Test("Numbers and texts of any size are read")
    func sizes() {
        #expect(Self.value(#"{"code":1e999}"#)?["code"] == .other)
        #expect(Self.value(#"{"code":123456789012345678901234567890}"#)?["code"] == .other)
        #expect(Self.value(#"{"code":-1.5}"#)?["code"] == .other)
        #expect(Self.value(#"{"code":89.0}"#)?["code"]?.number == 89)
        #expect(Self.value(#"{"code":8.9e1}"#)?["code"]?.number == 89)
        #expect(Self.value(#"{"message":"\ud83d\ude00\u0000"}"#)?["message"]?.text == "\u{1F600}\u{0}")
    }

    @Test("The first member counts where names are the same but for capitals")
    func repeated() {
        #expect(Self.value(#"{"Code":1,"code":2,"CODE":"3"}"#)?["code"] == .number(1))
    }

    @Test("Long arrays are read at their beginning, deep ones at their top")
    func bounds() {
        let long = Self.value("[" + String(repeating: "{},", count: 10_000) + "{}]")
        #expect(long?.elements.count == 8)
        let deep = String(repeating: "{\"error\":", count: 100) + "1" + String(repeating: "}", count: 100)
        var value = Self.value(deep)
        var depth = 0
        while let inner = value?["error"] {
            value = inner
            depth += 1
        }
        #expect(depth == 6)
    }

    @Test("Texts for people are found in the order of how far out they are")
    func messages() {
        let value = Self.value(
            #"{"errors":[{"detail":"c","title":"d"}],"error":{"message":"b"},"title":"a","data":{"message":"not"}}"#
        )
        #expect(value?.messages == ["a", "b", "c", "d"])
        #expect(Self.value(#"["x",["y"]]"#)?.messages == ["x", "y"])
    }
}
