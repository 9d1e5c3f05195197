import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct BearerResourceTests {
    private let test = TestProvider(
        settings: .bearer(
            accessTokens: [
                AcceptedAccessToken(token: Secret("token-of-ada"), user: TestProvider.user),
                AcceptedAccessToken(token: Secret("other"), user: ProviderUser(id: "a-1", screenName: "b")),
            ]
        )
    )

    private func get(_ target: String, _ authorizations: String...) -> SimulatedAnswer {
        let fields = authorizations.map { (name: "Authorization", value: $0) }
        return test.send(ReceivedRequest(method: "GET", target: target, authority: "api.test", fields: fields))
    }

    @Test func `it tells whose token it is`() {
        let expected = #"{"id":4711,"id_str":"4711","name":"ada","screen_name":"ada"}"#
        #expect(get("/me", "Bearer token-of-ada").text == expected)
        #expect(get("/me?fields=id", "bearer other").text.hasPrefix(#"{"id":"a-1","id_str":"a-1""#))
        #expect(get("/feed", "Bearer token-of-ada").text.contains("\"user\":\"4711\""))
    }

    @Test func `a challenge without an error goes to whoever brings no token`() {
        for answer in [get("/me"), get("/me", "Basic abc"), get("/me", "Bearer "), get("/me", "Bearer a", "Bearer b")] {
            #expect(answer.status == 401)
            #expect(answer.value(of: "WWW-Authenticate") == "Bearer realm=\"graph\"")
        }
    }

    @Test func `a token that is not good is an invalid one`() {
        test.provider.revoke(token: "other")
        for (token, why) in [("no", "is not known"), ("other", "was revoked")] {
            let challenge = get("/me", "Bearer \(token)").value(of: "WWW-Authenticate")
            #expect(
                challenge
                    == "Bearer realm=\"graph\", error=\"invalid_token\", error_description=\"The access token \(why).\""
            )
        }
    }
}
