import Bytes
import Credentials
import OAuthSigning
import Testing

@Suite("xAuth")
struct XAuthExchangeTests {
    private static let client = ClientCredentials(identifier: "app", sharedSecret: Secret("App+Secret"))
    private static let login = PasswordCredentials(username: "bob@example.com", password: Secret("pass word&=ä"))

    private func exchange(
        url: String = "https://api.twitter.com/oauth/access_token",
        options: SigningOptions = SigningOptions()
    ) -> XAuthExchange {
        XAuthExchange(
            settings: XAuthSettings(accessTokenURL: url, login: Self.login),
            oauth1: OAuth1Settings(client: Self.client, options: options)
        )
    }

    @Test(
        "One signed form has the mode, the name and the password",
        arguments: [SignatureMethod.hmacSHA1, .hmacSHA256]
    )
    func request(method: SignatureMethod) throws {
        var exchange = exchange(options: SigningOptions(signatureMethod: method, realm: "r"))
        let request = try exchange.start(nonce: "nonce-1", timestamp: 1_000)
        #expect(request.step == "xAuth")
        #expect(request.method == "POST")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "x_auth_mode=client_auth&x_auth_username=bob%40example.com"
                + "&x_auth_password=pass%20word%26%3D%C3%A4"
        )
        let authorization = Array(try #require(request.fields.first { $0.0 == "Authorization" }?.1).utf8)
        let contentType = Array(try #require(request.fields.first { $0.0 == "Content-Type" }?.1).utf8)
        let verified = try SignatureVerification.verify(
            method: Array("POST".utf8).span,
            scheme: .https,
            authority: Array("api.twitter.com".utf8).span,
            target: Array("/oauth/access_token".utf8).span,
            contentType: contentType.span,
            body: request.body.span,
            authorization: authorization.span,
            clientSecret: { $0 == "app" ? Self.client.sharedSecret : nil },
            tokenSecret: { _ in nil }
        ).get()
        #expect(verified.signatureMethod == method)
        #expect(verified.realm == "r")
        #expect(verified.token == nil)
        #expect(verified.baseString.contains("x_auth_password%3Dpass%2520word"))
    }

    @Test("The answer is the token, as a form or in JSON")
    func token() throws {
        let answers = [
            "oauth_token=t&oauth_token_secret=s%2B&user_id=7&screen_name=bob+b&x_auth_expires=0",
            #"{"oauth_token":"t","oauth_token_secret":"s+","user_id":7,"screen_name":"bob b","x_auth_expires":"0"}"#,
        ]
        for answer in answers {
            var exchange = exchange()
            _ = try exchange.start(nonce: "n", timestamp: 1)
            let outcome = exchange.receive(ExchangeResponse(status: 200, body: Array(answer.utf8)), timestamp: 5)
            let credential = try #require(outcome.credential, "\(outcome)")
            #expect(
                credential
                    == StoredCredential(
                        token: .oauth1(TokenCredentials(token: "t", secret: Secret("s+"))),
                        attributes: ["user_id": "7", "screen_name": "bob b", "x_auth_expires": "0"],
                        obtainedAt: 5
                    )
            )
        }
    }

    @Test(
        "What the provider says instead is told, with the remedy and without the password",
        arguments: [
            (401, "Invalid user name or password: ECHO", ExchangeFailure.Cause.loginRefused, "user name"),
            (401, #"{"errors":[{"code":32,"message":"ECHO"}]}"#, .signatureRefused, "password"),
            (403, #"{"errors":[{"code":87,"message":"ECHO"}]}"#, .notPermitted, "xAuth"),
            (200, "oauth_token=ECHO", .unexpectedAnswer, "token endpoint"),
            (500, "oops ECHO", .providerFailed, "Wait"),
        ]
    )
    func failures(status: Int, body: String, cause: ExchangeFailure.Cause, remedy: String) throws {
        var exchange = exchange()
        _ = try exchange.start(nonce: "n", timestamp: 1)
        let echo = body.replacing("ECHO", with: "pass%20word%26%3D%c3%a4")
        let outcome = exchange.receive(ExchangeResponse(status: status, body: Array(echo.utf8)), timestamp: 5)
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.cause == cause)
        #expect(failure.status == status)
        let isTold = cause != .unexpectedAnswer
        #expect(failure.words == (isTold ? body.replacing("ECHO", with: "<secret>") : ""))
        #expect(failure.detail.contains(remedy))
    }

    @Test("Nothing is sent to what is no URL, and nothing is taken that was not asked for")
    func misuse() throws {
        var exchange = exchange(url: "api.twitter.com")
        let failure = #expect(throws: ExchangeFailure.self) { try exchange.start(nonce: "n", timestamp: 1) }
        #expect(failure?.cause == .settings)
        let answer = ExchangeResponse(status: 200, body: Array("oauth_token=t&oauth_token_secret=s".utf8))
        guard case .failed = exchange.receive(answer, timestamp: 1) else {
            Issue.record("taken")
            return
        }
    }

    @Test("What a provider adds is no attribute when it is a secret, or has one in it")
    func secretAttributes() throws {
        var exchange = exchange()
        _ = try exchange.start(nonce: "n", timestamp: 1)
        let answer =
            "oauth_token=token-9&oauth_token_secret=issued&id=App%2BSecret&name=was+pass+word%26%3D%C3%A4.&login=issued"
            + "&new_password=x&refresh_token=y&API_KEY=z&issued=1&mac_key=1&jwt=1&code=1&other=1&User_ID=7&scope=kept"
        let outcome = exchange.receive(ExchangeResponse(status: 200, body: Array(answer.utf8)), timestamp: 5)
        let credential = try #require(outcome.credential, "\(outcome)")
        #expect(credential.attributes == ["User_ID": "7", "scope": "kept"])
    }
}
