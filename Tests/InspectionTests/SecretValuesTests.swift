import Testing

@testable import Inspection

@Suite("The values of a request that may be secrets")
struct SecretValuesTests {
    @Test(
        "Fields",
        arguments: [
            ("X-Vault-Token", "hvs.abcdef", ["hvs.abcdef"]), ("Cookie", "sid=abcdef; x=ghijkl", ["abcdef", "ghijkl"]),
            ("Authorization", "Bearer abcdef", ["abcdef"]),
            ("Authorization", "Basic dXNlcjpwYXNzd29yZA==", ["password"]),
            (
                "Authorization", "OAuth realm=\"a realm\", oauth_token=\"abc%26def\", oauth_signature=\"ab%2Bcdef%3D\"",
                ["abc&def", "abc%26def", "ab+cdef="]
            ),
            ("X-API-Key", "abcdef", ["abcdef"]),
            ("Referer", "https://a.test/x?access_token=abcdef&b=harmless", ["abcdef"]),
            ("X-Vault-Token", "YWJjZGVmZ2g", ["YWJjZGVmZ2g", "abcdefgh"]),
            ("Accept", "text/html;q=0.9", []), ("X-Forwarded-For", "192.0.2.1", []),
        ] as [(String, String, [String])]
    )
    func fields(name: String, value: String, expected: [String]) {
        var found = SecretValues()
        found.add(field: name, value)
        #expect(found.values.isSuperset(of: expected), "\(found.values)")
        #expect(found.isWhole)
        #expect(!expected.isEmpty || found.values.isEmpty && found.words.isEmpty)
        #expect(!found.values.contains { $0.contains("a realm") || $0.contains("harmless") })
    }

    @Test(
        "Targets, with references within",
        arguments: [
            ("/a?access_token=abcdef&page=twenty", ["abcdef"]), ("/a;token=ghijkl/b?x=1", ["ghijkl"]),
            ("http://a.test/a?next=https%3A%2F%2Fb.test%2F%3Ftoken%3Dabc%252Fdef", ["abc/def"]),
            ("/a?token=abc/def&pin=123", ["abc/def"]), ("/a/b?page=twenty", []),
        ] as [(String, [String])]
    )
    func targets(target: String, expected: [String]) {
        var found = SecretValues()
        found.add(target: target)
        #expect(found.values.isSuperset(of: expected), "\(found.values)")
        #expect(!found.values.contains("twenty"))
        #expect(found.words == (target.contains("pin") ? ["123"] : []))
    }

    @Test(
        "Bodies of forms and of JSON, whole or cut",
        arguments: [
            ("application/x-www-form-urlencoded", "a=b&password=abc%20def&token=gh+%2Bij", ["abc def", "gh +ij"]),
            ("application/x-www-form-urlencoded", "client_secret=a+b%FFsecret", ["a+b%FFsecret", "a b%FFsecret"]),
            ("application/json; charset=utf-8", #"{"user":"harmless","password":"ab\"c\u0064ef","n":1}"#, ["ab\"cdef"]),
            (
                "application/vnd.api+json", #"{"tokens":["abcdef",{"x":"ghijkl"}],"then":"harmless"}"#,
                ["abcdef", "ghijkl"]
            ),
            ("application/json", #"{"a":{"otp":123456},"secret":"abcdef"#, ["123456", "abcdef"]),
            ("application/json", #"{"url":"/x?token=abcdef"}"#, ["abcdef"]),
            ("application/json", #"{"otp": 12:34:56}"#, ["12:34:56"]),
            (
                "multipart/form-data; boundary=x",
                "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nabcdef\r\n--x\r\n"
                    + "Content-Disposition: form-data; name=\"note\"\r\n\r\nharmless\r\n--x--\r\n", ["abcdef"]
            ),
            (
                "multipart/form-data; boundary=x",
                "--x\r\nContent-Disposition: form-data; name=\"password\"; filename=\"a\"\r\n\r\nabcdef\r\n--x\r\n"
                    + "content-disposition: form-data; filename=\"b\"; name=token\r\n\r\nab\r\n--cd\r\n--x\r\n"
                    + "Content-Disposition: form-data; name=\"note\"\r\n\r\nBearer ghijkl\r\n--x\r\n"
                    + "Content-Disposition: form-data; name=\"more\"\r\n\r\n{\"a\":\"harmless\",\"pin\":\"mnopqr\"}\r\n--x--\r\n",
                ["abcdef", "ab\r\n--cd", "ghijkl", "mnopqr"]
            ),
            (
                "application/json", #"{"a":"{\"b\":\"{\\\"token\\\":\\\"abc\\\\\\/def\\\"}\"}","t":"harmless"}"#,
                ["abc/def"]
            ),
            ("application/x-www-form-urlencoded", #"a=x:{\"password\":\"ab\/cd\\\"ef\"}"#, [#"ab/cd"ef"#]),
            ("application/json", #"{"password":"ab\ud83d\ude00cd","secrets":"Bearer ghijkl"}"#, ["ab😀cd", "ghijkl"]),
            ("text/plain", "password=abcdef", []),
        ] as [(String, String, [String])]
    )
    func bodies(type: String, body: String, expected: [String]) {
        var found = SecretValues()
        found.add(body: body, mediaType: type)
        #expect(found.values.isSuperset(of: expected), "\(found.values)")
        #expect(!found.values.contains("harmless"))
        #expect(SecretValues.reads(mediaType: type) == (type != "text/plain"))
    }

    @Test("More than is kept is told, and so is what cannot be read")
    func bounds() {
        var found = SecretValues()
        for number in 0..<300 { found.add(field: "X-Token", "abcdef\(number)") }
        #expect(!found.isWhole && found.values.count == 256)
        var long = SecretValues()
        long.add(field: "X-Token", String(repeating: "x", count: 9_000))
        #expect(!long.isWhole && long.values.isEmpty)
        var deep = SecretValues()
        let text = (0..<5).reduce("{\"token\":\"abcdef\"}") { text, _ in
            "{\"a\":\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"}"
        }
        deep.add(body: text, mediaType: "application/json")
        #expect(!deep.isWhole)
        var missing = SecretValues()
        missing.missPart()
        #expect(!missing.isWhole)
    }
}
