import Testing

@testable import Credentials

@Suite("Challenges")
struct ChallengeTests {
    static func challenges(_ values: String...) -> [Challenge] {
        Challenge.all(in: values.map { ("WWW-Authenticate", $0) } + [("Proxy-Authenticate", "Basic realm=p")])
    }

    @Test("Several challenges, in one field or in more, are told apart")
    func several() {
        let basic = Challenge(scheme: "basic", parameters: ["realm": "simple, \"quoted\""])
        let newAuth = Challenge(
            scheme: "newauth",
            parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]
        )
        let oauth = Challenge(scheme: "oauth", parameters: [:])
        // The example of RFC 9110, section 11.6.1, and more.
        let first = #"Basic realm="simple, \"quoted\"", Newauth realm="apps", type=1, title="Login to \"apps\"""#
        #expect(Self.challenges(first, "OAuth") == [basic, newAuth, oauth])
        #expect(Self.challenges("OAuth", first) == [oauth, basic, newAuth])
    }

    @Test(
        "Quotes may be missing, blanks anywhere, and the scheme too",
        arguments: [
            (#"OAuth a="1",b="2 3""#, "oauth"), ("OAuth a=1, b=2 3", "oauth"), ("OAuth  a = 1 ,\tb =\t2 3 ", "oauth"),
            (#"a=1, b="2 3""#, ""), ("OAuth a=1, b=\"2 3", "oauth"), ("OAuth a=1,b=2 3,a=4", "oauth"),
        ]
    )
    func tolerance(value: String, scheme: String) {
        #expect(Self.challenges(value) == [Challenge(scheme: scheme, parameters: ["a": "1", "b": "2 3"])])
    }

    @Test("What is no challenge is passed over", arguments: ["", " ", ",,", "=", "\"", "=\"\"", "\\"])
    func nothing(value: String) {
        #expect(Self.challenges(value).allSatisfy { $0.parameters.isEmpty })
    }

    @Test("No more than 8 KiB are read")
    func limited() {
        let long = String(repeating: "x", count: 8_192)
        #expect(Self.challenges("OAuth a=\(long)", "Bearer error=invalid_token").map(\.scheme) == ["oauth"])
    }
}
