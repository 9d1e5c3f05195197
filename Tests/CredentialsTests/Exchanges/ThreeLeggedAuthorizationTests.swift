import Credentials
import OAuthSigning
import Testing

@Suite("Three-legged authorization")
struct ThreeLeggedAuthorizationTests {
    @Test("Each provider gets the requests it verifies, and its token is had", arguments: try AuthorizationScene.all())
    func providers(scene: AuthorizationScene) throws {
        var authorization = try scene.authorization()
        let first = try authorization.start(callback: scene.callback, nonce: "nonce-1", timestamp: 1_000)
        #expect(first.step == "temporary credentials")
        #expect(first.method == "POST")
        #expect(first.url == scene.requestTokenUrl)
        #expect(first.body.isEmpty)
        let temporary = try scene.verified(first) { _ in nil }
        #expect(temporary.signatureMethod.rawValue == scene.signatureMethod)
        #expect(temporary.realm == scene.realm)
        #expect(temporary.token == nil)
        #expect(temporary["oauth_callback"] == scene.callback)
        #expect(temporary["oauth_nonce"] == "nonce-1")
        #expect(temporary["oauth_timestamp"] == "1000")

        let address = try authorization.receiveTemporaryCredentials(AuthorizationScene.page(scene.temporary))
        #expect(address == scene.address)
        let temporaryToken = try #require(authorization.temporaryToken)

        let second = try authorization.finish(
            token: scene.returnedToken,
            verifier: Secret(scene.verifier),
            nonce: "nonce-2",
            timestamp: 2_000
        )
        #expect(second.step == "token credentials")
        #expect(second.url == scene.accessTokenUrl)
        #expect(second.body.isEmpty)
        let temporarySecret = try #require(scene.temporary.firstMatch(of: /oauth_token_secret=([^&]*)/)?.1)
        let exchanged = try scene.verified(second) { token in
            token == temporaryToken ? Secret(String(temporarySecret).replacing("%2F", with: "/")) : nil
        }
        #expect(exchanged.token == temporaryToken)
        #expect(exchanged.realm == scene.realm)
        #expect(exchanged["oauth_verifier"] == scene.verifier)
        #expect(exchanged["oauth_callback"] == nil)

        let credential = try authorization.receiveToken(AuthorizationScene.page(scene.answer), timestamp: 3_000)
        #expect(
            credential
                == StoredCredential(
                    token: .oauth1(TokenCredentials(token: scene.token, secret: Secret(scene.tokenSecret))),
                    attributes: scene.attributes,
                    obtainedAt: 3_000,
                    origin: .login
                )
        )
    }

    @Test(
        "A callback that is not confirmed is OAuth 1.0, and taken only when the settings say so",
        arguments: ["", "&oauth_callback_confirmed=false", "&oauth_callback_confirmed=", "&oauth_callback_confirmed"]
    )
    func unconfirmed(end: String) throws {
        let scene = try AuthorizationScene.discogs()
        let answer = AuthorizationScene.page("oauth_token=t&oauth_token_secret=s" + end)
        var authorization = try scene.authorization()
        _ = try authorization.start(callback: "http://127.0.0.1:1/x?y=z", nonce: "n", timestamp: 1)
        let failure = #expect(throws: ExchangeFailure.self) {
            try authorization.receiveTemporaryCredentials(answer)
        }
        #expect(failure?.cause == .callbackUnconfirmed)
        #expect(failure?.detail.contains("version: 1.0") == true)

        authorization = try scene.authorization(acceptsVersion10: true)
        _ = try authorization.start(callback: "http://127.0.0.1:1/x?y=z", nonce: "n", timestamp: 1)
        let address = try authorization.receiveTemporaryCredentials(answer)
        #expect(
            address == "https://www.discogs.com/oauth/authorize?oauth_token=t"
                + "&oauth_callback=http%3A%2F%2F127.0.0.1%3A1%2Fx%3Fy%3Dz"
        )
        let request = try authorization.finish(token: "t", verifier: nil, nonce: "n", timestamp: 1)
        let verified = try scene.verified(request) { $0 == "t" ? Secret("s") : nil }
        #expect(verified["oauth_verifier"] == nil)
    }

    @Test("A confirmation in capitals is one, and a provider that confirms gets no callback in the address")
    func confirmed() throws {
        let scene = try AuthorizationScene.discogs()
        var authorization = try scene.authorization(acceptsVersion10: true)
        _ = try authorization.start(callback: "http://127.0.0.1:1/", nonce: "n", timestamp: 1)
        let address = try authorization.receiveTemporaryCredentials(
            AuthorizationScene.page("oauth_token=t&oauth_token_secret=s&oauth_callback_confirmed=True")
        )
        #expect(!address.contains("callback"))
    }

    @Test("What comes back for another authorization is refused, and the right one can still come")
    func mismatch() throws {
        let scene = try AuthorizationScene.discogs()
        var authorization = try scene.authorizing()
        for token in ["", "other", "tmpdiscogs"] {
            let failure = #expect(throws: ExchangeFailure.self) {
                try authorization.finish(token: token, verifier: Secret("v"), nonce: "n", timestamp: 1)
            }
            #expect(failure?.cause == .tokenMismatch)
        }
        #expect(authorization.temporaryToken == "tmpDiscogs")
        let request = try authorization.finish(token: "tmpDiscogs", verifier: Secret("v"), nonce: "n", timestamp: 1)
        #expect(request.url == scene.accessTokenUrl)
    }

    @Test("Without a verifier there is no token, unless the settings accept OAuth 1.0", arguments: [nil, ""])
    func verifierMissing(verifier: String?) throws {
        let scene = try AuthorizationScene.discogs()
        var authorization = try scene.authorizing()
        let failure = #expect(throws: ExchangeFailure.self) {
            try authorization.finish(token: nil, verifier: verifier.map { Secret($0) }, nonce: "n", timestamp: 1)
        }
        #expect(failure?.cause == .verifierMissing)
        #expect(failure?.detail.contains("version: 1.0") == true)
    }

    @Test("Steps out of their order are failures")
    func order() throws {
        let scene = try AuthorizationScene.discogs()
        var authorization = try scene.authorization()
        let answer = AuthorizationScene.page(scene.temporary)
        #expect(throws: ExchangeFailure.self) { try authorization.receiveTemporaryCredentials(answer) }
        #expect(throws: ExchangeFailure.self) { try authorization.receiveToken(answer, timestamp: 1) }
        #expect(throws: ExchangeFailure.self) {
            try authorization.finish(token: nil, verifier: Secret("v"), nonce: "n", timestamp: 1)
        }
        authorization = try scene.authorizing()
        _ = try authorization.finish(token: nil, verifier: Secret("v"), nonce: "n", timestamp: 1)
        #expect(authorization.temporaryToken == nil)
        #expect(throws: ExchangeFailure.self) {
            try authorization.finish(token: nil, verifier: Secret("v"), nonce: "n", timestamp: 1)
        }
        _ = try authorization.receiveToken(AuthorizationScene.page(scene.answer), timestamp: 1)
        #expect(throws: ExchangeFailure.self) {
            try authorization.receiveToken(AuthorizationScene.page(scene.answer), timestamp: 1)
        }
    }

    @Test(
        "What the provider says instead of a token is told, with the remedy and without a secret",
        arguments: [
            (401, "oauth_problem=signature_invalid", ExchangeFailure.Cause.signatureRefused),
            (401, "Invalid OAuth request.", .verifierRefused),
            (400, "oauth_problem=verifier_invalid", .verifierRefused),
            (401, "oauth_problem=token_expired", .tokenRefused),
            (401, "oauth_problem=timestamp_refused", .clockRefused),
            (200, "<html><body>Log in</body></html>", .pageAnswered),
            (200, "", .emptyAnswer),
            (200, "oauth_token=t", .unexpectedAnswer),
            (302, "", .redirected),
            (503, "busy", .providerFailed),
            (429, "slow down", .limited),
            (404, "no", .refused),
        ]
    )
    func failures(status: Int, body: String, cause: ExchangeFailure.Cause) throws {
        var authorization = try AuthorizationScene.discogs().authorizing()
        _ = try authorization.finish(token: nil, verifier: Secret("ver/123"), nonce: "n", timestamp: 1)
        let echo = " Client%26Secret%2F1 tmp/Secret ver%2F123"
        let failure = #expect(throws: ExchangeFailure.self) {
            try authorization.receiveToken(
                AuthorizationScene.page(body.isEmpty ? "" : body + echo, status: status),
                timestamp: 1
            )
        }
        #expect(failure?.step == "token credentials")
        #expect(failure?.cause == cause)
        #expect(failure?.status == status)
        // What is no known error may be a token.
        let isTold = !body.isEmpty && cause != .unexpectedAnswer
        #expect(failure?.words == (isTold ? "\(body) <secret> <secret> <secret>" : ""))
    }

    @Test("An authorization address that is no URL is a failure of the settings, as the other two are")
    func badURLs() throws {
        var scene = try AuthorizationScene.discogs()
        scene.authorizeUrl = "javascript:alert(1)"
        var authorization = try scene.authorization()
        _ = try authorization.start(callback: "oob", nonce: "n", timestamp: 1)
        let failure = #expect(throws: ExchangeFailure.self) {
            try authorization.receiveTemporaryCredentials(AuthorizationScene.page(scene.temporary))
        }
        #expect(failure?.cause == .settings)
        #expect(failure?.detail.contains("three_legged") == true)
        scene.requestTokenUrl = "x"
        authorization = try scene.authorization()
        #expect(throws: ExchangeFailure.self) { try authorization.start(callback: "oob", nonce: "n", timestamp: 1) }
    }

    @Test("The protocol parameters go where the account's are placed", arguments: ParameterPlacement.allCases)
    func placement(placement: ParameterPlacement) throws {
        let scene = try AuthorizationScene.discogs()
        var oauth1 = try scene.oauth1()
        oauth1.options.placement = placement
        var authorization = ThreeLeggedAuthorization(settings: scene.settings, oauth1: oauth1)
        let request = try authorization.start(callback: "oob", nonce: "n", timestamp: 1)
        let field = request.fields.first { $0.0 == "Authorization" }
        let type = request.fields.first { $0.0 == "Content-Type" }?.1
        #expect((field != nil) == (placement == .header))
        #expect(request.destination.target.contains("oauth_callback=oob") == (placement == .query))
        #expect(String(decoding: request.body, as: UTF8.self).contains("oauth_callback=oob") == (placement == .body))
        #expect((type == "application/x-www-form-urlencoded") == (placement == .body))
        #expect(request.url == scene.requestTokenUrl)
    }

    @Test("Nothing that is printed of an authorization has a secret")
    func descriptions() throws {
        var authorization = try AuthorizationScene.discogs().authorizing()
        var dumped = ""
        dump(authorization, to: &dumped)
        _ = try authorization.finish(token: nil, verifier: Secret("verifier-canary"), nonce: "n", timestamp: 1)
        dump(authorization, to: &dumped)
        for secret in [AuthorizationScene.clientSecret, "tmp/Secret", "verifier-canary"] {
            #expect(!dumped.contains(secret))
        }
    }
}
