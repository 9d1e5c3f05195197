import Credentials
import OAuthSigning
import Testing

@Suite("The scrubber")
struct ScrubberTests {
    let scrubber = Scrubber(secrets: [Secret("p&ss w/rd?>"), Secret("")])

    @Test(
        "Values by the names of secrets are taken out, however the name is written",
        arguments: [
            (#"{"access_token":"a.b","x":1}"#, #"{"access_token":"<secret>","x":1}"#),
            (#"{"refresh_token" : "r"}"#, #"{"refresh_token" : "<secret>"}"#),
            (#"{"accessToken":"a","clientSecret":"b"}"#, #"{"accessToken":"<secret>","clientSecret":"<secret>"}"#),
            ("oauth_verifier=123456&x=1", "oauth_verifier=<secret>&x=1"),
            ("verifier: 123456", "verifier: <secret>"),
            ("x_auth_password=p%20q", "x_auth_password=<secret>"),
            ("Refresh-Token: r", "Refresh-Token: <secret>"),
            ("oauth_session_handle=h;passcode=p", "oauth_session_handle=<secret>;passcode=<secret>"),
            ("the access token is not valid", "the access token is not valid"),
            ("invalid refresh_token", "invalid refresh_token"),
            ("token_type=bearer", "token_type=bearer"),
            (#"{"password":"a, b\"c","x":1}"#, #"{"password":"<secret>","x":1}"#),
            (#"{"access_token":"","x":1}"#, #"{"access_token":"","x":1}"#), ("password=a\\nb", "password=<secret>\\nb"),
            (#"{"access_token":"a\/b+c","x":1}"#, #"{"access_token":"<secret>","x":1}"#),
            (#"said "access_token=a\/b\u002Bc\u0026x=1""#, #"said "access_token=<secret>\u0026x=1""#),
            (#""{\"access_token\":\"a\\\/b\\\"c\",\"x\":1}""#, #""{\"access_token\":\"<secret>\",\"x\":1}""#),
            (#""{\u0022apiKey\u0022:\u0022a\\\/b\u0022,1}""#, #""{\u0022apiKey\u0022:\u0022<secret>\u0022,1}""#),
            (#"{"error":"the verifier: 12\/3","x":1}"#, #"{"error":"the verifier: <secret>","x":1}"#),
            (#"{"password":"cut \" he"#, #"{"password":"<secret>"#),
        ]
    )
    func names(text: String, words: String) {
        #expect(Scrubber(secrets: []).words(of: Array(text.utf8)) == words)
    }

    @Test(
        "A known secret is found in every form",
        arguments: [
            "p&ss w/rd?>", "p%26ss%20w%2Frd%3F%3E", "p%26ss+w%2Frd%3F%3E", "cCZzcyB3L3JkPz4=", "cCZzcyB3L3JkPz4",
            "p&amp;ss w/rd?&gt;", "p&#38;ss w&#x2F;rd?&gt;", "\\u0070\\u0026ss w\\u002Frd?\\u003E",
            "p%2526ss%2520w%252Frd%253f%253E",
            "p\\u0026ss w\\/rd?\\u003e", "p&ss\nw/rd?>", "p-&-s-s- -w-/-r-d-?->", "p:&:s:s: :w:/:r:d:?:>",
            "p & s s   w / r d ? >", "70267373 20772f72643f3e",
            "702673732077 2F72643F3E", "70:26:73:73:20:77:2f:72:64:3f:3e", ">?dr/w ss&p",
        ]
    )
    func forms(form: String) {
        #expect(scrubber.finds(in: "so: \(form)."))
        #expect(scrubber.words(of: Array("so: \(form).".utf8)).hasPrefix("so: <secret>"))
    }

    @Test("A secret in a string of JSON is found in JSON within JSON, as far as four deep", arguments: 1...4)
    func nested(depth: Int) throws {
        let secret = "a/b\"c\\d+😀e"
        let scrubber = Scrubber(secrets: [Secret(secret)])
        func nested(_ escaped: String, _ escape: (String) -> String) -> String {
            (1..<depth).reduce(escaped) { text, _ in escape(text) }
        }
        // What escapes as little as it has to, and what escapes a solidus too, or all that is not alphanumeric.
        let least = { (text: String) in text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
        let solidus = { (text: String) in least(text).replacing("/", with: "\\/") }
        let numbers = { (text: String) in
            text.utf16.map { unit in
                let isPlain = unit < 0x80 && (0x30...0x39 ~= unit || 0x41...0x7A ~= unit && unit != 0x5C)
                let digits = String(unit, radix: 16)
                return isPlain
                    ? String(UnicodeScalar(UInt8(unit)))
                    : unit == 0x5C ? "\\\\" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
        for form in [
            nested(least(secret), least), nested(solidus(secret), solidus), nested(solidus(secret), least),
            nested(numbers(secret), least), nested(numbers(secret), numbers),
        ] {
            #expect(scrubber.finds(in: "{\"x\":\"\(form)\"}"), "\(form)")
            #expect(scrubber.words(of: Array("so: \(form).".utf8)) == "so: <secret>.", "\(form)")
        }
    }

    @Test("Backslashes without end take time that grows with their number")
    func backslashes() {
        let text = String(repeating: "\\", count: 4 * 1024)
        let scrubber = Scrubber(secrets: [Secret("\\\\a/b\"cdefghi"), Secret("a\\/b/c/d/e")])
        #expect(!scrubber.finds(in: text))
        #expect(!scrubber.finds(in: String(repeating: "a\\\\\\/", count: 1024)))
    }

    @Test(
        "A secret that looks encoded is found as it is and encoded",
        arguments: ["a%25b", "a%2525b", "a%252525b", "ä\"😀", "%C3%a4\\\"\\ud83d\\uDE00", "\\u00e4%22%F0%9F%98%80"]
    )
    func ambiguous(form: String) {
        let scrubber = Scrubber(secrets: [Secret("a%25b"), Secret("ä\"😀")])
        #expect(scrubber.words(of: Array("<\(form)>".utf8)) == "<<secret>>")
    }

    @Test(
        "A part of a known secret is found in every form",
        arguments: [
            "bcdefghijk", "abcdefghijklm+n", "jklm n/op&qrst", "bcdefghij%6B", "jklm%2Bn%2Fop%26",
            "\\u0062cdefghijk", "jklm+n&#47;op&amp;", "ZGVmZ2hpamtsb", "Y2RlZmdoaWprbG0r", "YmNkZWZnaGlqa2xt",
        ]
    )
    func parts(part: String) {
        let scrubber = Scrubber(secrets: [Secret("abcdefghijklm+n/op&qrst")])
        #expect(scrubber.finds(in: "so: \(part)."))
        #expect(scrubber.words(of: Array("so: \(part).".utf8)) == "so: <secret>.")
    }

    @Test("Parts of a secret count whatever words it has, and those of a text with secrets in it do not")
    func texts() {
        let secret = "oauth_Zq7xKp93LmWtRb55Yh"
        let part = "is auth_Zq7xKp93LmWtRb55Yh."
        #expect(Scrubber(secrets: [Secret(secret)]).words(of: Array(part.utf8)) == "is <secret>.")
        let scrubber = Scrubber(secrets: [], texts: [Secret(secret)])
        #expect(scrubber.words(of: Array(part.utf8)) == part)
        #expect(scrubber.words(of: Array("so: \(secret).".utf8)) == "so: <secret>.")
    }

    @Test("A short secret is not found backwards or in hexadecimal, which could be a word or a number")
    func short() {
        let scrubber = Scrubber(secrets: [Secret("drow1")])
        #expect(scrubber.words(of: Array("1word 64726f7731 d-r-o-w-1".utf8)) == "1word 64726f7731 <secret>")
    }

    @Test("Other text is left as it is")
    func others() {
        #expect(!scrubber.finds(in: "p&ss"))
        #expect(!scrubber.finds(in: ""))
        #expect(scrubber.words(of: Array("p&ss <b>".utf8)) == "p&ss <b>")
    }

    @Test("A text is cut at the limit, and not before what fits")
    func limit() {
        let secrets = String(repeating: "p&ss w/rd?> ", count: 500)
        #expect(scrubber.words(of: Array(secrets.utf8), limit: 17) == "<secret> <secret…")
        #expect(scrubber.words(of: Array("abc".utf8), limit: 3) == "abc")
        #expect(scrubber.words(of: Array("abcd".utf8), limit: 3) == "ab…")
        #expect(scrubber.words(of: Array("ääää".utf8), limit: 4) == "ääää")
    }

    @Test("The longer one of two secrets that begin alike is taken out whole", arguments: [false, true])
    func overlapping(isReversed: Bool) {
        let secrets = [Secret("0123456789"), Secret("0123456789-tail")]
        let scrubber = Scrubber(secrets: isReversed ? secrets.reversed() : secrets)
        #expect(scrubber.words(of: Array("so: 0123456789-tail.".utf8)) == "so: <secret>.")
    }

    @Test("Short secrets count where they stand by themselves")
    func words() {
        let scrubber = Scrubber(secrets: [], words: [Secret("123"), Secret("abc")])
        let words = scrubber.words(of: Array("pin 123, 1234 x123 abc_ \"abc\" and %61bc".utf8))
        #expect(words == "pin <secret>, 1234 x123 abc_ \"<secret>\" and <secret>")
        #expect(scrubber.finds(in: "the 123.") && !scrubber.finds(in: "the 1234."))
    }

    @Test("A secret is found in the base64 of URLs as well")
    func urlSafe() {
        // In base64 "fn5+Pz8/Pj4+fn5+Pz8/Pj4+": no ten of its characters in a row are the same in that of URLs.
        let scrubber = Scrubber(secrets: [Secret("~~~???>>>~~~???>>>")])
        #expect(scrubber.words(of: Array("so: fn5-Pz8_Pj4-fn5-Pz8_Pj4-.".utf8)) == "so: <secret>.")
    }
}
