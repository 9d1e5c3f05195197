import Credentials
import Foundation
import OAuthSigning
import Testing

@Suite("Failures of reverse auth")
struct ExchangeFailureTests {
    struct Answer: Decodable, CustomTestStringConvertible {
        var title, body, cause, words: String
        var step, status: Int
        var fields: [String: String]?

        var testDescription: String { "step \(step): \(title)" }
    }

    @Test(
        "An answer that is no token is told for what it is",
        arguments: try ExchangeFixture.json(
            "provider-answers",
            as: [Answer].self
        )
    )
    func answers(answer: Answer) throws {
        let response = ExchangeResponse(
            status: answer.status,
            fields: (answer.fields ?? [:]).map { ($0, $1) },
            body: Array(answer.body.utf8)
        )
        let failure = try ReverseAuthScene.failure(step: answer.step, response)
        #expect(failure.step == "reverse auth step \(answer.step)")
        #expect(failure.status == answer.status)
        #expect(failure.label == answer.cause)
        #expect(failure.words == answer.words)
        #expect(failure.detail.contains(failure.step))
        #expect(failure.detail.contains("the provider answered \(answer.status)."))
        #expect(failure.detail.hasSuffix(answer.words))
    }

    @Test("The sentence names the pause when there is one")
    func pause() {
        var failure = ExchangeFailure(step: "s", status: 503, words: "busy", cause: .providerFailed)
        #expect(!failure.detail.contains("tried again"))
        failure.retryAfter = 4
        #expect(failure.detail.hasSuffix("It said: busy. It is tried again in 4 s at the earliest."))
    }

    @Test("An answer too large for a token is refused unread", arguments: [1, 2])
    func oversized(step: Int) throws {
        let text = step == 1 ? "OAuth " : "oauth_token=t&oauth_token_secret=s&x="
        let body = Array((text + String(repeating: "x", count: 65_536)).utf8)
        let failure = try ReverseAuthScene.failure(step: step, ExchangeResponse(status: 200, body: body))
        #expect(failure.cause == .oversizedAnswer)
        #expect(failure.words == "")
    }

    // MARK: Secrets

    static let secrets = ["App&Secret/1 ä", "Platform<Secret>\"2\\", "TokenSecret=3"]
    /// Each secret in the forms in which it comes back, made by other code than the one under test.
    static let echoes: [String] = secrets.flatMap { secret -> [String] in
        let unreserved = CharacterSet(charactersIn: "A"..."Z").union(.init(charactersIn: "a"..."z"))
            .union(.init(charactersIn: "0"..."9")).union(.init(charactersIn: "-._~"))
        let encoded = secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        let array = (try? JSONEncoder().encode([secret])).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let json = String(array.dropFirst(2).dropLast(2))
        let html = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
            .reduce(secret) { $0.replacing($1.0, with: $1.1) }
        return [
            secret, encoded, encoded.replacing("%20", with: "+"), html, json, json.replacing("\\/", with: "/"),
            encoded.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "",
            encoded.replacing(/%../) { String($0.output).lowercased() },
        ]
    }

    @Test("No configured secret that a provider echoes is repeated, however it encodes it", arguments: echoes)
    func echoedSecrets(echo: String) throws {
        for step in [1, 2] {
            let body = Array("bad \(echo)\(echo)&, was \(echo)".utf8)
            let failure = try ReverseAuthScene.failure(step: step, ExchangeResponse(status: 401, body: body))
            #expect(failure.words == "bad <secret><secret>&, was <secret>")
        }
    }

    @Test("Step 1's text is not repeated when step 2's answer has it, plain or encoded as it was sent")
    func echoedParameters() throws {
        let plain = ReverseAuthScene.parameters
        var scene = ReverseAuthScene()
        let body = try scene.startStep2().body
        let encoded = body.split(separator: UInt8(ascii: "=")).last.map(Array.init) ?? []
        for echo in [plain, encoded] {
            let response = ExchangeResponse(status: 401, body: Array("no: ".utf8) + echo + Array(" end".utf8))
            #expect(try ReverseAuthScene.failure(step: 2, response).words == "no: <secret> end")
        }
    }

    @Test(
        "Values by the names of secrets are not repeated, though nobody here knew them",
        arguments: [
            ("oauth_token_secret=unknown&x=1", "oauth_token_secret=<secret>&x=1"),
            (#"{"oauth_token_secret": "unknown", "x": 1}"#, #"{"oauth_token_secret": "<secret>", "x": 1}"#),
            (#"OAuth OAuth_Signature="unknown%3D", b"#, #"OAuth OAuth_Signature="<secret>", b"#),
            ("oauth_token_secret%3Dunknown", "oauth_token_secret%3D<secret>"),
            ("<consumer_secret>unknown</consumer_secret>", "<consumer_secret><secret></consumer_secret>"),
            ("oauth_signature_method=HMAC-SHA1", "oauth_signature_method=HMAC-SHA1"),
            ("oauth_signature is not valid", "oauth_signature is not valid"),
        ]
    )
    func namedSecrets(body: String, words: String) throws {
        let failure = try ReverseAuthScene.failure(step: 2, ExchangeResponse(status: 401, body: Array(body.utf8)))
        #expect(failure.words == words)
    }

    @Test("Secrets do not escape by control characters put inside them, nor at the cut")
    func hiddenSecrets() throws {
        for body in ["Token\u{0}Secret=3", "Token\u{200B}Sec\u{202E}ret=3", "Token\r\n Secret=3", "TokenSecret=3"] {
            let failure = try ReverseAuthScene.failure(step: 1, ExchangeResponse(status: 401, body: Array(body.utf8)))
            #expect(failure.words == "<secret>")
        }
        for count in 180...200 {
            let body = String(repeating: "x", count: count) + "TokenSecret=3"
            let failure = try ReverseAuthScene.failure(step: 1, ExchangeResponse(status: 401, body: Array(body.utf8)))
            #expect(!failure.words.contains("xT"))
        }
    }

    @Test("Words are printable, in one line, and at most 200 characters")
    func printableWords() throws {
        let bodies: [[UInt8]] = [
            Array("a\r\nb\u{1B}[31mc\u{7}d\t\t e\u{2028}f\u{202E}g\u{200D}h\u{FEFF}".utf8),
            [0x61, 0xFF, 0xFE, 0x62],
            Array(String(repeating: "ä", count: 500).utf8),
            Array(("z" + String(repeating: "\u{301}", count: 5_000)).utf8),
        ]
        let words = try bodies.map {
            try ReverseAuthScene.failure(step: 1, ExchangeResponse(status: 400, body: $0)).words
        }
        #expect(words[0] == "a b[31mcd e fgh")
        #expect(words[1] == "a\u{FFFD}\u{FFFD}b")
        #expect(words[2] == String(repeating: "ä", count: 199) + "…")
        #expect(words[3].unicodeScalars.count == 200)
    }

    @Test("No description of a failure, a setting or a credential shows a secret")
    func descriptions() throws {
        var dumped = ""
        dump(ReverseAuthScene.settings, to: &dumped)
        dump(ReverseAuthScene().exchange, to: &dumped)
        dump(AccountSettings(name: "alice", source: .reverseAuth(ReverseAuthScene.settings)), to: &dumped)
        for secret in Self.secrets { #expect(!dumped.contains(secret)) }
    }
}
