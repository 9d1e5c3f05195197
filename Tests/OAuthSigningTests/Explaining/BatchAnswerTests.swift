import Bytes
import Foundation
import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Batch")
struct BatchAnswerTests {
    struct Answer: Decodable, Equatable {
        var normalizedParameters: String?
        var baseString: String?
        var signature: String?
        var authorization: String?
        var error: String?
    }

    private static func answer(_ line: String) throws -> Answer {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let text = BatchAnswer.answer(to: Array(line.utf8))
        #expect(!text.contains("\n"))
        return try decoder.decode(Answer.self, from: Data(text.utf8))
    }

    @Test(
        "A published request is explained as published",
        arguments: VectorFile.of(.request).filter { $0.canSign && $0.transmission == "header" }
    )
    func vectors(_ vector: Vector) throws {
        let answer = try Self.answer(vector.batchLine)
        #expect(answer.normalizedParameters == vector.expected.normalizedParams)
        #expect(answer.baseString == vector.expected.baseString)
        #expect(answer.signature == vector.expected.signature)
        #expect(answer.authorization == vector.expected.authorizationHeader)
        #expect(answer.error == nil)
    }

    @Test("The answer is one line with its keys in order, and slashes as they are")
    func form() {
        let line = """
            {"method":"GET","url":"http://h/é","consumer_key":"k","consumer_secret":"s","signature_method":"PLAINTEXT",\
            "realm":"é\\"","include_version":false}
            """
        #expect(
            BatchAnswer.answer(to: Array(line.utf8)) == """
                {"normalized_parameters":"oauth_consumer_key=k&oauth_signature_method=PLAINTEXT",\
                "base_string":"GET&http%3A%2F%2Fh%2F%C3%A9&oauth_consumer_key%3Dk%26oauth_signature_method%3DPLAINTEXT",\
                "signature":"s&","authorization":"OAuth realm=\\"é\\\\\\"\\", oauth_consumer_key=\\"k\\", \
                oauth_signature=\\"s%26\\", oauth_signature_method=\\"PLAINTEXT\\""}
                """
        )
    }

    @Test(
        "An input that cannot be signed is answered with a sentence",
        arguments: [
            ("", "The line is not a JSON object."), ("{", "The line is not a JSON object."),
            ("[]", "The line is not a JSON object."), ("null", "The line is not a JSON object."),
            ("{}", "The key method is missing."), (#"{"method":"GET"}"#, "The key url is missing."),
            (#"{"method":1,"url":""}"#, "The value of method must be a text."),
            (#"{"method":null,"url":""}"#, "The key method is missing."),
            (#"{"method":"GET","url":"\ud83d"}"#, "The line is not a JSON object."),
            (#"{"method":"GET","method":"GET","url":""}"#, "The key method is given twice; give it once."),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","extra":{"a":"1","a":"2"}}"#,
                "The key extra.a is given twice; give it once."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","extra":{"a":null}}"#,
                "The value of extra.a must be a text."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","timestamp":1.5}"#,
                "The value of timestamp must be a text."
            ),
            (#"{"method":"GET","url":"/a","consumer_key":"k"}"#, "The URL has no scheme"),
            (#"{"method":"","url":"http://h","consumer_key":"k"}"#, "The method is empty"),
            (#"{"method":"GET","url":"http://h"}"#, "There is nothing to sign with"),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","extra":{"a":1}}"#,
                "The value of extra.a must be a text."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","extra":[]}"#,
                "The value of extra must be an object."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","body_hash":1}"#,
                "The value of body_hash must be true or false."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","timestamp":{}}"#,
                "The value of timestamp must be a text."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","body":"","body_base64":""}"#,
                "The body is given twice"
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","body_base64":"?"}"#,
                "The value of body_base64 must be Base64."
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","signature_method":"MD5"}"#,
                "The value of signature_method must be one of HMAC-SHA1, "
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","signature_method":"RSA-SHA1"}"#,
                "This signature method needs"
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","signature_method":"RSA-SHA1","private_key":"x"}"#,
                "The RSA private key cannot be read"
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","realm":"a\nb"}"#,
                "The realm contains a control character"
            ),
            (
                #"{"method":"GET","url":"http://h","consumerKey":"k"}"#,
                "The key consumerKey is not known; did you mean consumer_key?"
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","colour":[1]}"#,
                "The key colour is not known; the keys are method, url, host, body, "
            ),
            (
                #"{"method":"GET","url":"http://h","consumer_key":"k","nonce":"n","extra":{"oauth_nonce":"m"}}"#,
                "oauth_nonce would be sent twice"
            ),
        ]
    )
    func errors(_ line: String, _ sentence: String) throws {
        let answer = try Self.answer(line)
        #expect(answer.error?.hasPrefix(sentence) == true, "\(answer)")
        #expect(answer.signature == nil)
    }

    @Test("A line that is not UTF-8 is answered with a sentence")
    func invalidUTF8() {
        #expect(BatchAnswer.answer(to: [0x7b, 0xff, 0x7d]) == #"{"error":"The line is not a JSON object."}"#)
    }

    @Test("A byte order mark before a line is no part of it")
    func byteOrderMark() {
        let line = Array(#"{"method":"GET","url":"http://h/","consumer_key":"k"}"#.utf8)
        #expect(BatchAnswer.answer(to: [0xEF, 0xBB, 0xBF] + line) == BatchAnswer.answer(to: line))
    }

    @Test("Optional keys mean what the contract says")
    func keys() throws {
        func header(_ rest: String) throws -> String {
            let line = #"{"method":"POST","url":"http://h","consumer_key":"k","consumer_secret":"s""# + rest + "}"
            return try #require(Self.answer(line).authorization)
        }
        #expect(try header(#","timestamp":12,"nonce":"n""#).contains(#"oauth_timestamp="12""#))
        #expect(try header(#","timestamp":"12""#).contains(#"oauth_timestamp="12""#))
        #expect(try header(#","timestamp":1.2e1"#).contains(#"oauth_timestamp="12""#))
        #expect(try !header("").contains("oauth_nonce") && !header("").contains("oauth_token"))
        #expect(try header(#","token":"""#).contains(#"oauth_token="""#))
        #expect(try header(#","token":null"#).hasSuffix(#"oauth_version="1.0""#))
        #expect(try header(#","extra":{"oauth_version":"1.0A"}"#).hasSuffix(#"oauth_version="1.0A""#))
        #expect(try header(#","extra":{"x_auth_mode":"reverse_auth"}"#).hasSuffix(#", x_auth_mode="reverse_auth""#))
        // SHA-1 of nothing, and of "Hello World!".
        #expect(try header(#","body_hash":true"#).contains("2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D"))
        #expect(try header(#","body_hash":true,"body":"Hello World!""#).contains("Lve95gjOVATpfV8EL5X4nxwjKHE%3D"))
        let form = #","body":"a=b","content_type":"application/x-www-form-urlencoded""#
        #expect(try !header(#","body_hash":true"# + form).contains("oauth_body_hash"))
        #expect(
            try header(form) == header(#","body_base64":"YT1i","content_type":"Application/X-WWW-form-urlencoded;a=b""#)
        )
        #expect(try header(form) != header(""))
        let host = #"{"method":"GET","url":"http://h/","host":"Other:80","consumer_key":"k"}"#
        #expect(try Self.answer(host).baseString?.hasPrefix("GET&http%3A%2F%2Fother%2F&") == true)
    }
}

extension Vector {
    /// The input line that describes the request.
    fileprivate var batchLine: String {
        let own = ["oauth_consumer_key", "oauth_token", "oauth_nonce", "oauth_timestamp", "oauth_signature_method"]
        var members: [(String, JSONText)] = []
        func add(_ key: String, _ value: String?) {
            if let value { members.append((key, .string(value))) }
        }
        add("method", request?.method)
        add("url", request?.url)
        add("host", request?.hostHeader)
        add("content_type", request?.contentType)
        add(request?.bodyB64 == nil ? "body" : "body_base64", request?.bodyB64 ?? request?.body)
        add("consumer_key", parameter("oauth_consumer_key"))
        add("consumer_secret", credentials?.consumerSecret)
        add("token", parameter("oauth_token"))
        add("token_secret", credentials?.tokenSecret)
        add("nonce", parameter("oauth_nonce"))
        add("timestamp", parameter("oauth_timestamp"))
        add("signature_method", signatureMethod)
        add("private_key", credentials?.rsaPrivateKeyPem)
        add("realm", realm)
        let extra = (oauthParams ?? []).filter { !own.contains($0[0]) && $0 != ["oauth_version", "1.0"] }
        members.append(("extra", .object(extra.map { ($0[0], .string($0[1])) })))
        let object = JSONText.object(members.map { (key: $0.0, value: $0.1) }).line
        let version = "\"include_version\":\(parameter("oauth_version") == "1.0")"
        return object.dropLast() + ",\(version)}"
    }
}
