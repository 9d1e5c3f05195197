import Credentials
import OAuthSigning
import Testing

@Suite("A provider's answer to a claim")
struct EnrolmentAnswerTests {
    @Test("The id that the passkey names makes the claim true")
    func verifiedPair() throws {
        let body = #"{"id":7,"id_str":"7","name":"Ann"}"#
        let credential = try #require(try EnrolmentScene.answer(EnrolmentScene.signed(), 200, body).verified)
        #expect(credential.token == .oauth1(TokenCredentials(token: "7-Token", secret: Secret("Token:Secret="))))
        #expect(credential.attributes == ["id_str": "7"])
        #expect(credential.origin == .enrolment)
        #expect(credential.obtainedAt == 1_000)
        #expect(credential.login == nil)
    }

    @Test("An access token is stored as it is")
    func verifiedToken() throws {
        let credential = try #require(
            try EnrolmentScene.answer(EnrolmentScene.bearer(), 200, #"{"id":"7"}"#).verified
        )
        #expect(credential.token == .access(AccessToken(Secret("Access-Token-9"))))
        #expect(credential.attributes == ["id": "7"])
        #expect(credential.origin == .enrolment)
    }

    @Test(
        "Numbers are compared digit for digit, texts byte for byte",
        arguments: [
            ("18446744073709551615", "18446744073709551615", true),
            ("9007199254740993", "9007199254740993", true),
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740993", "\"9007199254740993\"", true),
            ("123456789012345678901234567890", "123456789012345678901234567890", true),
            ("1000", "1e3", false),
            ("7", "7.0", false),
            ("7", "\"\\u0037\"", true),
            ("7", "\"07\"", false),
            ("7", "\"7 \"", false),
            ("\u{E9}", "\"e\\u0301\"", false),
            ("\u{1F600}", "\"\\ud83d\\uDE00\"", true),
            ("A", "\"a\"", false),
        ]
    )
    func comparison(passkey: String, value: String, isEqual: Bool) throws {
        let body = "{\"id_str\": \(value)}"
        let outcome = try EnrolmentScene.answer(EnrolmentScene.signed(passkey: passkey), 200, body)
        #expect((outcome.verified != nil) == isEqual)
        #expect((outcome.refusal != nil) == !isEqual)
    }

    @Test("Whose token it really is, is not told")
    func otherID() throws {
        let outcome = try EnrolmentScene.answer(EnrolmentScene.signed(), 200, #"{"id_str":"4711","x":"y"}"#)
        #expect(outcome.refusal?.contains("another account") == true)
        #expect(outcome.refusal?.contains("4711") == false)
    }

    @Test(
        "An answer that does not say whose token it is proves nothing",
        arguments: [
            (200, ""), (200, "7"), (200, "\"7\""), (200, "[]"), (200, "<html>7</html>"), (200, "id_str=7"),
            (200, #"{"id_str":"7""#), (200, #"{"id_str":"7"} x"#), (200, #"{"id":"7"}"#), (200, "{}"), (204, ""),
            (200, #"{"user":{"id_str":"7"}}"#), (200, #"[{"id_str":"7"}]"#), (200, #"{"id_str":null}"#),
            (200, #"{"id_str":true}"#), (200, #"{"id_str":["7"]}"#), (200, #"{"id_str":{"id_str":"7"}}"#),
            (200, #"{"id_str":"7","id_str":"8"}"#), (200, #"{"id_str":"8","id\u005fstr":"7"}"#),
            (200, #"{"ID_STR":"7"}"#), (200, #"{"id_str":"\ud800"}"#),
            (301, #"{"id_str":"7"}"#), (302, ""), (304, ""), (404, #"{"id_str":"7"}"#), (410, ""), (429, "slow down"),
            (500, #"{"id_str":"7"}"#), (502, ""), (503, ""), (599, ""),
        ]
    )
    func noProof(status: Int, body: String) throws {
        let detail = try EnrolmentScene.answer(EnrolmentScene.signed(), status, body).unavailability
        #expect(detail?.contains("GET \(EnrolmentScene.verifyURL) was answered \(status)") == true)
        #expect(detail?.contains("Token:Secret") == false)
    }

    @Test("An answer too large to be one is not read")
    func oversized() throws {
        let body = #"{"id_str":"7","x":""# + String(repeating: "x", count: 65_536) + "\"}"
        let detail = try EnrolmentScene.answer(EnrolmentScene.signed(), 200, body).unavailability
        #expect(detail?.contains("64 KiB") == true)
    }

    @Test("A provider's no is a refusal", arguments: [400, 401, 403])
    func refused(status: Int) throws {
        let body = #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#
        let detail = try EnrolmentScene.answer(EnrolmentScene.signed(), status, body).refusal
        #expect(detail?.contains("was answered \(status)") == true)
        #expect(detail?.contains("Invalid or expired token.") == true)
    }

    @Test(
        "A no that comes with a success is a refusal too, and not nonsense",
        arguments: [#"{"stat":"fail","code":98,"message":"Invalid auth token"}"#]
    )
    func refusedWithSuccess(body: String) throws {
        let outcome = try EnrolmentScene.answer(EnrolmentScene.signed(), 200, body)
        #expect(outcome.refusal?.contains("Invalid auth token") == true)
    }

    @Test(
        "A no to the way of asking says nothing of the claim",
        arguments: [
            (401, #"{"errors":[{"code":135,"message":"Timestamp out of bounds."}]}"#, "clock"),
            (401, "oauth_problem=timestamp_refused&oauth_acceptable_timestamps=1-2", "clock"),
            (401, "oauth_problem=consumer_key_unknown", "consumer_key"),
            (401, "oauth_problem=nonce_used", "timestamp"),
            (400, "oauth_problem=signature_method_rejected", "signature_method"),
            (403, #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#, "wait"),
        ]
    )
    func refusedOtherwise(status: Int, body: String, remedy: String) throws {
        let detail = try EnrolmentScene.answer(EnrolmentScene.signed(), status, body).unavailability
        #expect(detail?.contains("was answered \(status), for no fault of the claim.") == true)
        #expect(detail?.contains(remedy) == true)
    }

    @Test("No secret that a provider echoes is repeated", arguments: [401, 404, 429, 503])
    func echoes(status: Int) throws {
        for secret in ["7-Token", "Token:Secret=", EnrolmentScene.passcode, "Consumer&Secret/1", "Token%3ASecret%3D"] {
            let outcome = try EnrolmentScene.answer(EnrolmentScene.signed(), status, "was \(secret), no")
            let detail = outcome.refusal ?? outcome.unavailability
            #expect(detail?.hasSuffix("It said: was <secret>, no") == true)
        }
        let outcome = try EnrolmentScene.answer(EnrolmentScene.bearer(), status, "bad Access-Token-9")
        #expect((outcome.refusal ?? outcome.unavailability)?.hasSuffix("It said: bad <secret>") == true)
    }

    @Test("A response that nothing was asked for proves nothing")
    func unasked() throws {
        let response = ExchangeResponse(status: 200, body: Array(#"{"id_str":"7"}"#.utf8))
        var unstarted = EnrolmentScene.signed()
        #expect(unstarted.receive(response, nonce: "n", timestamp: 1).unavailability != nil)
        var ended = EnrolmentScene.signed()
        _ = try EnrolmentScene.start(&ended)
        #expect(ended.receive(response, nonce: "n", timestamp: 1).verified != nil)
        #expect(ended.receive(response, nonce: "n", timestamp: 1).unavailability != nil)
    }

    @Test("No description of a claim or a check shows a secret")
    func descriptions() throws {
        var dumped = ""
        var check = EnrolmentScene.signed()
        _ = try EnrolmentScene.start(&check)
        dump(check, to: &dumped)
        #expect(!dumped.contains("Token:Secret"))
        #expect(!dumped.contains("Consumer&Secret"))
    }
}
