import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct ReverseAuthTests {
    private let test = TestProvider()

    @Test func `both steps lead to a token for the platform account's user`() throws {
        let step1 = test.send(try .requestToken())
        #expect(step1.status == 200)
        #expect(step1.contentType.hasPrefix("text/html"))
        #expect(step1.text.hasPrefix("OAuth oauth_nonce=\""))
        let step2 = test.send(try .accessToken(parameters: step1.text))
        #expect(step2.status == 200)
        let answer = FormText(step2.text)
        #expect(answer.values["user_id"] == "4711")
        #expect(answer.values["screen_name"] == "ada")
        let token = try #require(answer.token)
        #expect(test.send(try .signed(token: token, nonce: "use")).status == 200)
        #expect(test.provider.ledger.tokensIssued == 1)
    }

    @Test func `a token is the application's and not the platform's`() throws {
        let token = try #require(try test.exchange().token)
        let answer = test.send(try .signed(client: TestProvider.platform, token: token, nonce: "use"))
        #expect(answer.status == 401)
        #expect(answer.text.contains("\"code\":89"))
    }

    @Test func `two exchanges give two tokens`() throws {
        let first = try test.exchange()
        let text = test.send(try .requestToken(nonce: "again-1")).text
        let second = FormText(test.send(try .accessToken(parameters: text, nonce: "again-2")).text)
        #expect(first.values["oauth_token"] != second.values["oauth_token"])
        #expect(test.provider.ledger.requests(for: .requestToken) == 2)
        #expect(test.provider.ledger.requests(for: .accessToken) == 2)
    }

    @Test(arguments: ["", "x_auth_mode=client_auth", "x_auth_mode=reverse_auth&x_auth_mode=reverse_auth"])
    func `step 1 must ask for reverse auth`(body: String) throws {
        #expect(test.send(try .requestToken(body: body)).status == 401)
    }

    @Test func `step 1 is the application's alone`() throws {
        #expect(test.send(try .requestToken(token: TestProvider.userToken)).status == 401)
    }

    @Test func `step 2 needs step 1's text byte for byte`() throws {
        let text = test.send(try .requestToken()).text
        let reordered = text.replacing(", ", with: ",")
        let refused = test.send(try .accessToken(parameters: reordered, nonce: "a"))
        #expect(refused.status == 401)
        #expect(refused.text == "Reverse auth credentials are invalid")
        #expect(test.send(try .accessToken(parameters: text, nonce: "b")).status == 200)
    }

    @Test func `step 1's text is good for one token`() throws {
        let text = test.send(try .requestToken()).text
        #expect(test.send(try .accessToken(parameters: text, nonce: "a")).status == 200)
        #expect(test.send(try .accessToken(parameters: text, nonce: "b")).status == 401)
    }

    @Test func `step 2 names the application of step 1`() throws {
        let text = test.send(try .requestToken()).text
        #expect(test.send(try .accessToken(parameters: text, target: "platform")).status == 401)
    }

    @Test func `step 2 needs a platform account`() throws {
        let text = test.send(try .requestToken()).text
        #expect(test.send(try .accessToken(parameters: text, token: nil)).status == 401)
        #expect(test.provider.ledger.tokensIssued == 0)
    }

    @Test func `a wrong signature of a step is told in Twitter's words`() throws {
        var request = try ReceivedRequest.requestToken()
        request.target += "?tampered=1"
        let answer = test.send(request)
        #expect(answer.status == 401)
        #expect(answer.text == "Failed to validate oauth signature and token")
    }

    @Test(arguments: [ProviderEndpoint.requestToken, .accessToken])
    func `a step fails as it is told to, once for each time`(step: ProviderEndpoint) throws {
        let failure = SimulatedAnswer(status: 503, contentType: "text/plain", body: Array("later".utf8))
        test.provider.fail(step, with: failure)
        let text = test.send(try .requestToken(nonce: "a")).text
        let answer = test.send(try .accessToken(parameters: text, nonce: "b"))
        #expect((step == .requestToken ? text : answer.text) == "later")
        let again = test.send(try .requestToken(nonce: "c")).text
        #expect(test.send(try .accessToken(parameters: again, nonce: "d")).status == 200)
    }
}
