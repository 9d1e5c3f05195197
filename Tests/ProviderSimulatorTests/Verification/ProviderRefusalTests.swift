import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct ProviderRefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: Int
        let problem: String
        let request: @Sendable () throws -> ReceivedRequest
    }

    private let test = TestProvider()

    static let cases: [Case] = [
        Case(testDescription: "not signed", code: 215, problem: "parameter_absent") {
            ReceivedRequest(method: "GET", target: "/", authority: "api.test")
        },
        Case(testDescription: "another scheme", code: 215, problem: "parameter_absent") {
            ReceivedRequest(
                method: "GET",
                target: "/",
                authority: "api.test",
                fields: [("authorization", "Bearer abc")]
            )
        },
        Case(testDescription: "another query", code: 32, problem: "signature_invalid") {
            var request = try ReceivedRequest.signed()
            request.target += "&more=1"
            return request
        },
        Case(testDescription: "another host", code: 32, problem: "signature_invalid") {
            var request = try ReceivedRequest.signed()
            request.authority = "api.example"
            return request
        },
        Case(testDescription: "another form", code: 32, problem: "signature_invalid") {
            var request = try ReceivedRequest.signed("POST", "/", contentType: ReceivedRequest.form, body: "a=1")
            request.body = Array("a=2".utf8)
            return request
        },
        Case(testDescription: "two Authorization fields", code: 32, problem: "parameter_rejected") {
            var request = try ReceivedRequest.signed()
            request.fields += request.fields
            return request
        },
        Case(testDescription: "unknown client", code: 32, problem: "consumer_key_unknown") {
            try .signed(client: ClientCredentials(identifier: "?", sharedSecret: Secret("s"), privateKey: nil))
        },
        Case(testDescription: "wrong client secret", code: 32, problem: "signature_invalid") {
            try .signed(client: ClientCredentials(identifier: "app", sharedSecret: Secret("no"), privateKey: nil))
        },
        Case(testDescription: "unknown token", code: 89, problem: "token_rejected") {
            try .signed(token: TokenCredentials(token: "?", secret: Secret("s")))
        },
        Case(testDescription: "token of another client", code: 89, problem: "token_rejected") {
            try .signed(token: TestProvider.platformToken)
        },
        Case(testDescription: "too old", code: 135, problem: "timestamp_refused") {
            try .signed(timestamp: TestProvider.now - 301)
        },
        Case(testDescription: "too new", code: 135, problem: "timestamp_refused") {
            try .signed(timestamp: TestProvider.now + 301)
        },
    ]

    @Test(arguments: cases)
    func `a request is refused with X's code and the problem`(_ refused: Case) throws {
        let answer = test.send(try refused.request())
        #expect(answer.status == 401)
        #expect(answer.text.hasPrefix("{\"errors\":[{\"code\":\(refused.code),"), "\(answer.text)")
        let challenge = try #require(answer.fields.first { $0.name == "WWW-Authenticate" })
        #expect(challenge.value.hasPrefix("OAuth realm=\"https://api.test\", oauth_problem=\"\(refused.problem)\""))
        #expect(test.provider.ledger.events.first?.verified == nil)
    }

    @Test(arguments: [TestProvider.now - 300, TestProvider.now + 300])
    func `a clock may be five minutes off`(timestamp: UInt64) throws {
        #expect(test.send(try .signed(timestamp: timestamp)).status == 200)
    }

    @Test func `a refused timestamp is told what would do`() throws {
        let answer = test.send(try .signed(timestamp: 1))
        #expect(answer.fields[0].value.hasSuffix("oauth_acceptable_timestamps=\"1699999700-1700000300\""))
    }

    @Test func `a nonce is good once for its timestamp`() throws {
        #expect(test.send(try .signed()).status == 200)
        let again = test.send(try .signed())
        #expect(again.status == 401)
        #expect(again.fields[0].value.contains("nonce_used"))
        #expect(test.send(try .signed(timestamp: TestProvider.now + 1)).status == 200)
        #expect(test.send(try .signed(nonce: "other")).status == 200)
    }

    @Test func `a nonce of a request that was refused is not used up`() throws {
        var tampered = try ReceivedRequest.signed()
        tampered.target = "/other"
        #expect(test.send(tampered).status == 401)
        #expect(test.send(try .signed()).status == 200)
    }

    @Test func `a revoked token is refused`() throws {
        #expect(test.send(try .signed(nonce: "a")).status == 200)
        test.provider.revoke(token: "user-token")
        let answer = test.send(try .signed(nonce: "b"))
        #expect(answer.status == 401)
        #expect(answer.text.contains("\"code\":89"))
    }
}
