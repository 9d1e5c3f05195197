import Credentials
import OAuthSigning
import Testing

@Suite("Ways to a token without a person")
struct TokenExchangeTests {
    private static let login = PasswordCredentials(username: "u", password: Secret("p"))
    private static let api = OAuth1Settings(
        client: ClientCredentials(identifier: "api", sharedSecret: Secret("s"))
    )
    private static let xAuth = TokenSource.xAuth(
        XAuthSettings(accessTokenURL: "https://api.example/access", login: login)
    )
    private static let threeLegged = TokenSource.threeLegged(
        ThreeLeggedSettings(
            requestTokenURL: "https://api.example/r",
            authorizeURL: "https://api.example/a",
            accessTokenURL: "https://api.example/t"
        )
    )

    private func name(_ source: TokenSource, _ scheme: AuthorizationScheme) -> String? {
        TokenExchange(AccountSettings(name: "a", source: source), scheme: scheme, stored: nil)?.kind.name
    }

    @Test("Each source has its exchange, where the API's scheme fits")
    func names() {
        let oauth1 = AuthorizationScheme.oauth1(Self.api)
        let oauth2 = AuthorizationScheme.oauth2(PasswordGrantExchangeScene.standard)
        #expect(name(.reverseAuth(ReverseAuthScene.settings), oauth1) == "reverse auth")
        #expect(name(Self.xAuth, oauth1) == "xAuth")
        #expect(name(.password(Self.login), oauth2) == "password grant")
        for scheme in [oauth1, oauth2, .bearer(.bearer)] {
            #expect(name(.twoLegged, scheme) == nil)
            #expect(name(.bearer(Secret("t")), scheme) == nil)
            #expect(name(.issued(TokenCredentials(token: "t", secret: Secret("s"))), scheme) == nil)
            #expect(name(Self.threeLegged, scheme) == nil)
        }
        #expect(name(Self.xAuth, oauth2) == nil)
        #expect(name(.reverseAuth(ReverseAuthScene.settings), .bearer(.bearer)) == nil)
        #expect(name(.password(Self.login), oauth1) == nil)
    }

    @Test("An account's own client credentials are those that its exchange is signed with")
    func ownClient() throws {
        var account = AccountSettings(name: "a", source: Self.xAuth)
        for identifier in ["api", "own"] {
            if identifier == "own" {
                account.oauth1 = OAuth1Settings(client: ClientCredentials(identifier: "own", sharedSecret: Secret("o")))
            }
            var exchange = try #require(TokenExchange(account, scheme: .oauth1(Self.api), stored: nil))
            guard case .send(let request) = try exchange.start(nonce: "n", timestamp: 1) else {
                Issue.record("nothing is sent")
                return
            }
            let authorization = try #require(request.fields.first { $0.0 == "Authorization" }?.1)
            #expect(authorization.contains("oauth_consumer_key=\"\(identifier)\""))
        }
    }

    @Test("It is driven alike, whatever it is")
    func driving() throws {
        let oauth1 = AuthorizationScheme.oauth1(Self.api)
        let oauth2 = AuthorizationScheme.oauth2(PasswordGrantExchangeScene.standard)
        let token = "oauth_token=t&oauth_token_secret=s"
        let cases: [(TokenSource, AuthorizationScheme, [(step: String, answer: String)])] = [
            (
                .reverseAuth(ReverseAuthScene.settings), oauth1,
                [("reverse auth step 1", "OAuth x"), ("reverse auth step 2", token)]
            ),
            (Self.xAuth, oauth1, [("xAuth", token)]),
            (
                .password(Self.login), oauth2,
                [("refresh", #"{"error":"invalid_grant"}"#), ("password grant", "access_token=a")]
            ),
        ]
        for (source, scheme, script) in cases {
            let account = AccountSettings(name: "a", source: source)
            var exchange = try #require(
                TokenExchange(account, scheme: scheme, stored: PasswordGrantExchangeScene.stored())
            )
            var progress = try exchange.start(nonce: "n", timestamp: 1)
            var credential: StoredCredential?
            for (step, answer) in script {
                guard case .send(let request) = progress else {
                    Issue.record("nothing is sent in \(step)")
                    return
                }
                #expect(request.step == step)
                let response = ExchangeResponse(status: 200, body: Array(answer.utf8))
                progress = exchange.receive(response, nonce: "n", timestamp: 9)
                if case .ended(let outcome) = progress { credential = try outcome.get() }
            }
            #expect(credential?.obtainedAt == 9)
        }
    }
}
