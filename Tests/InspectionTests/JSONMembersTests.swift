import Testing

@testable import Inspection

@Suite("Members of JSON that may be cut or malformed")
struct JSONMembersTests {
    /// Returns the values, each behind its name, or behind `-`.
    private static func members(_ text: some StringProtocol) -> [String] {
        var members: [String] = []
        JSONMembers.read(Array(text.utf8)) { name, value in members.append("\(name ?? "-")=\(value)") }
        return members
    }

    @Test(
        "What looks like a member is one",
        arguments: [
            (#"{"a":"b","c" : -1.5,"d":[1,"x"],"e":{"f":null,"g":true}}"#, ["a=b", "c=-1.5", "-=1", "-=x"]),
            (#"["a",{"b":"c"},"d"]"#, ["-=a", "b=c", "-=d"]), (#""a""#, ["-=a"]), ("", []),
            (#"{"a\"\u0062\n":"\ud83d\ude00\/"}"#, ["a\"b\n=\u{1F600}/"]),
            // Within the value of a secret's name, names are its own.
            (#"{"tokens":{"a":"b","c":[1]},"d":"e"}"#, ["tokens=b", "tokens=1", "d=e"]),
            (#"{"token":[["a"],"b"],"c":["d"]}"#, ["token=a", "token=b", "-=d"]),
            // Cut.
            (#"{"a":"b"#, ["a=b"]), (#"{"a":12"#, ["a=12"]), (#"{"a"#, ["-=a"]), (#"{"a":"b\"#, ["a=b\\"]),
            (#"{"a":"b\u00"#, ["a=bu00"]), (#"{"a":"b\ud83d"#, ["a=b\u{FFFD}"]), (#"{"tokens":["a","#, ["tokens=a"]),
            // Malformed.
            ("{\"a\":\"b\nc\\x\\'\"}", ["a=b\ncx'"]), (#"{"a":12:34,"b":5"#, ["a=12", "a=12:34", "a=34", "b=5"]),
            (#"{"otp": 12:34:56}"#, ["otp=12", "otp=12:34:56", "otp=34", "otp=56"]),
            (#"{"a":null:1 2:[3"#, ["a=null:1", "a=1", "a=2", "a=2:[3", "-=3"]),
            (#"{"a":1"b"c]"#, ["a=1", "a=1\"b\"c", "a=b", "a=c"]),
            (#"{"a":b1c}"#, ["a=b1c"]), (#"{"a":"b" "c"]"#, ["a=b", "a=c"]), (#"}]"a":"b"}"c""#, ["a=b", "-=c"]),
            (#"{"a":"\u12","token":"b"}"#, ["a=u12", "token=b"]),
            (#"{"a":x"token":"b"}"#, ["a=x", #"a=x"token":"b""#, "token=b"]),
        ] as [(String, [String])]
    )
    func members(text: String, expected: [String]) {
        #expect(Self.members(text) == expected)
    }

    @Test("A text that is cut at any byte is read up to there")
    func truncation() {
        let text = #"{"a":{"b":[1,"x\"y"]},"token":{"c":"\u0064ef","g":[{"h":"ij"}]},"k":"l"}"#
        let whole = Self.members(text)
        #expect(whole == ["-=1", "-=x\"y", "token=def", "token=ij", "k=l"])
        for count in 0...text.utf8.count {
            let cut = Self.members(text.prefix(count))
            #expect(whole.starts(with: cut.dropLast()), "\(count) bytes")
        }
    }
}
