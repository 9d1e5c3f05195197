import Credentials
import OAuthSigning
import Testing

@Suite("The reply of the authorization page")
struct CallbackReplyTests {
    @Test(
        "A query has the token, the verifier, or a refusal",
        arguments: [
            ("oauth_token=t%2F1&oauth_verifier=v%2B1", "t/1", "v+1", false),
            ("a=b&oauth_verifier=v&oauth_token=t&c", "t", "v", false),
            ("oauth_token=t", "t", nil, false),
            ("denied=t", "t", nil, true),
            ("denied=t&oauth_token=t&oauth_problem=user_refused", "t", nil, true),
            ("oauth_token=t&error=access_denied", "t", nil, true),
            ("oauth_problem=user_refused", nil, nil, true),
            ("oauth_token=t&oauth_token=u&oauth_verifier=v", nil, "v", false),
            ("oauth_token=t&oauth_verifier=", "t", nil, false),
            ("oauth_token=t&oauth_verifier=v&error=", "t", "v", false),
            ("oauth_token=t&oauth_verifier=v&error=none", "t", "v", false),
            ("oauth_token=%zz&oauth_verifier=v", nil, "v", false),
            ("", nil, nil, false),
            ("code=1", nil, nil, false),
        ] as [(String, String?, String?, Bool)]
    )
    func query(text: String, token: String?, verifier: String?, isDenied: Bool) {
        let reply = CallbackReply(query: text)
        #expect(reply.token == token)
        #expect(reply.verifier == verifier.map { Secret($0) })
        #expect(reply.isDenied == isDenied)
    }

    @Test(
        "A person types the verifier, or pastes the address",
        arguments: [
            (" 1234567 \n", nil, "1234567"),
            ("123-456-789", nil, "123-456-789"),
            ("http://127.0.0.1:1/callback?oauth_token=t&oauth_verifier=v#_=_", "t", "v"),
            ("https://app.example/x?a=b&oauth_verifier=v%3D", nil, "v="),
            ("oauth_token=t&oauth_verifier=v", "t", "v"),
            ("http://127.0.0.1:1/callback?oauth_token=t", "t", nil),
            ("http://127.0.0.1:1/callback?denied=t", "t", nil),
        ] as [(String, String?, String?)]
    )
    func typed(line: String, token: String?, verifier: String?) throws {
        let reply = try #require(CallbackReply(typed: line))
        #expect(reply.token == token)
        #expect(reply.verifier == verifier.map { Secret($0) })
    }

    @Test(
        "Text that is neither a verifier nor an address is nothing",
        arguments: ["", " ", "two words", "https://provider.example/authorize", "http://127.0.0.1:1/callback?code=1"]
    )
    func neither(line: String) {
        #expect(CallbackReply(typed: line) == nil)
    }
}
