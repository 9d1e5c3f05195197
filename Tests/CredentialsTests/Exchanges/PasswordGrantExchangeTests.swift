import Credentials
import OAuthSigning
import Testing

@Suite("The password grant")
struct PasswordGrantExchangeTests {
    typealias Scene = PasswordGrantExchangeScene

    // MARK: Requests

    @Test(
        "The form is what oPRO and RFC 6749 ask for",
        arguments: [
            (Scene.opro, "username=m%26m&password=pass%20word&client_id=client%20id&client_secret=client%2Fsecret"),
            (
                Scene.standard,
                "grant_type=password&username=m%26m&password=pass%20word&client_id=client%20id"
                    + "&client_secret=client%2Fsecret"
            ),
        ]
    )
    func grant(settings: OAuth2Settings, body: String) throws {
        var exchange = Scene(settings: settings).exchange
        let request = try exchange.start()
        #expect(request.step == "password grant")
        #expect(request.method == "POST")
        #expect(request.url == Scene.url)
        #expect(String(decoding: request.body, as: UTF8.self) == body)
        #expect(request.fields.contains { $0 == ("Content-Type", "application/x-www-form-urlencoded") })
        #expect(!request.fields.contains { $0.0 == "Authorization" })
    }

    @Test(
        "With a refresh token at hand it is used first",
        arguments: [
            (Scene.opro, "refresh_token=old-refresh&client_id=client%20id&client_secret=client%2Fsecret"),
            (
                Scene.standard,
                "grant_type=refresh_token&refresh_token=old-refresh&client_id=client%20id&client_secret=client%2Fsecret"
            ),
        ]
    )
    func refresh(settings: OAuth2Settings, body: String) throws {
        var exchange = Scene(settings: settings, stored: Scene.stored()).exchange
        let request = try exchange.start()
        #expect(request.step == "refresh")
        #expect(String(decoding: request.body, as: UTF8.self) == body)
    }

    @Test("The client can be authenticated by Basic, encoded as in a form, and the scope asked for")
    func basic() throws {
        var scene = Scene()
        scene.settings.clientAuthentication = .basic
        scene.settings.scope = "read write"
        var exchange = scene.exchange
        let request = try exchange.start()
        // client%20id:client%2Fsecret
        #expect(request.fields.contains { $0 == ("Authorization", "Basic Y2xpZW50JTIwaWQ6Y2xpZW50JTJGc2VjcmV0") })
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "grant_type=password&username=m%26m&password=pass%20word&scope=read%20write"
        )
    }

    @Test("Without a refresh token, or with a token of OAuth 1.0a, the grant is run", arguments: [false, true])
    func nothingToRefresh(isOAuth1: Bool) throws {
        var stored = Scene.stored(refreshToken: nil)
        if isOAuth1 { stored.token = .oauth1(TokenCredentials(token: "t", secret: Secret("s"))) }
        var exchange = Scene(stored: stored).exchange
        #expect(try exchange.start().step == "password grant")
    }

    @Test("Nothing is sent to what is no URL")
    func badURL() throws {
        var scene = Scene()
        scene.settings.tokenURL = "members.example.com"
        var exchange = scene.exchange
        let failure = #expect(throws: ExchangeFailure.self) { try exchange.start() }
        #expect(failure?.cause == .settings)
        #expect(failure?.detail.contains("token_url") == true)
    }

    // MARK: Answers

    @Test("An answer in JSON has the token, whatever its Content-Type", arguments: ["application/json", "text/html"])
    func answer(contentType: String) throws {
        let outcome = try Scene().outcome(
            200,
            """
            {"access_token": "2YotnFZFEjr1zCsicMWpAA", "token_type": "bearer", "expires_in": 3600, \
            "refresh_token": "tGzv3JOkF0XG5Qx2TlKWIA", "scope": "read", "user": {"id": 1}, "id": 12345678901234567890}
            """,
            fields: [("Content-Type", contentType)]
        )
        let credential = try #require(outcome.credential, "\(outcome)")
        #expect(
            credential
                == StoredCredential(
                    token: .access(
                        AccessToken(
                            Secret("2YotnFZFEjr1zCsicMWpAA"),
                            expiresAt: 4_600,
                            refreshToken: Secret("tGzv3JOkF0XG5Qx2TlKWIA")
                        )
                    ),
                    attributes: ["scope": "read", "id": "12345678901234567890"],
                    obtainedAt: 1_000
                )
        )
    }

    @Test(
        "The life time may be a number, a text or missing, and nonsense is as good as missing",
        arguments: [
            (#""expires_in":3600"#, 4_600), (#""expires_in":"3600""#, 4_600), (#""expires_in":3600.9"#, 4_600),
            (#""expires_in":3.6e3"#, 4_600), (#""expires_in":0"#, nil), (#""expires_in":-5"#, nil),
            (#""expires_in":"""#, nil), (#""expires_in":null"#, nil), (#""expires_in":"soon""#, nil),
            (#""expires_in":1e300"#, nil), (#""expires_in":"nan""#, nil), (#""x":1"#, nil),
            (#""expires_in":99999999999999999999"#, nil), (#""expires_in":1,"expires_in":2"#, nil),
        ] as [(String, UInt64?)]
    )
    func lifeTime(member: String, expiresAt: UInt64?) throws {
        let token = try #require(try Scene().token(#"{"access_token":"a",\#(member)}"#))
        #expect(token.expiresAt == expiresAt)
    }

    @Test(
        "Form-encoded answers are taken too",
        arguments: [
            ("access_token=a%2Fb&expires_in=60&refresh_token=r", "a/b", 1_060, "r"),
            ("\r\naccess_token=a+b%3D&token_type=Bearer\r\n", "a+b=", nil, nil),
            ("token_type=bearer&access_token=a&expires_in=60.5&refresh_token=", "a", 1_060, nil),
        ] as [(String, String, UInt64?, String?)]
    )
    func forms(body: String, value: String, expiresAt: UInt64?, refreshToken: String?) throws {
        let token = try #require(try Scene().token(body))
        #expect(
            token
                == AccessToken(Secret(value), expiresAt: expiresAt, refreshToken: refreshToken.map { Secret($0) })
        )
    }

    @Test(
        "Any type of token is taken but those that have to be proved",
        arguments: [
            ("bearer", true), ("BEARER", true), ("Token", true), ("", true), ("mac", false), ("DPoP", false),
        ]
    )
    func tokenType(type: String, isTaken: Bool) throws {
        let outcome = try Scene().outcome(200, #"{"access_token":"a","token_type":"\#(type)"}"#)
        switch outcome {
        case .obtained: #expect(isTaken)
        case .failed(let failure):
            #expect(!isTaken)
            #expect(failure.cause == .tokenTypeUnusable)
        case .send: Issue.record("sent")
        }
    }

    @Test("A refreshed token keeps what was stored, and a new refresh token replaces the old one")
    func rotation() throws {
        let cases: [(String, String, RefreshTokenUse)] = [
            (#","refresh_token":"rotated""#, "rotated", .once), ("", "old-refresh", .repeatable),
            (#","refresh_token":"old-refresh""#, "old-refresh", .repeatable),
        ]
        for (member, refreshToken, use) in cases {
            let outcome = try Scene(stored: Scene.stored())
                .outcome(200, #"{"access_token":"a","expires_in":"60","scope":"new"\#(member)}"#)
            let credential = try #require(outcome.credential, "\(outcome)")
            #expect(
                credential
                    == StoredCredential(
                        token: .access(
                            AccessToken(
                                Secret("a"),
                                expiresAt: 1_060,
                                refreshToken: Secret(refreshToken),
                                refreshTokenUse: use
                            )
                        ),
                        attributes: ["id": "7", "scope": "new"],
                        obtainedAt: 1_000,
                        origin: .enrolment,
                        login: Scene.login
                    )
            )
        }
    }

    // MARK: Refusals

    @Test(
        "When the refresh token is refused the password grant is run",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_grant"}"#),
            (200, #"{"error":"invalid_grant"}"#),
            (401, ""), (400, "Could not find a user that belongs to this application"), (403, "no"), (422, "no"),
            (400, #"{"error":"unsupported_grant_type"}"#), (400, #"{"error":"unauthorized_client"}"#),
        ]
    )
    func refusedRefreshToken(status: Int, body: String) throws {
        var exchange = Scene(stored: Scene.stored()).exchange
        _ = try exchange.start()
        let refusal = ExchangeResponse(status: status, body: Array(body.utf8))
        guard case .send(let request) = exchange.receive(refusal, timestamp: 1) else {
            Issue.record("given up")
            return
        }
        #expect(request.step == "password grant")
        #expect(String(decoding: request.body, as: UTF8.self).hasPrefix("grant_type=password&username=m%26m"))
        // The new grant's refresh token is the only one: the old one is known to be refused.
        let answer = ExchangeResponse(status: 200, body: Array(#"{"access_token":"a"}"#.utf8))
        let outcome = exchange.receive(answer, timestamp: 1)
        let credential = try #require(outcome.credential, "\(outcome)")
        #expect(credential.token == .access(AccessToken(Secret("a"))))
        #expect(credential.attributes == [:])
        #expect(credential.origin == .enrolment)
        #expect(credential.login == Scene.login)
    }

    @Test(
        "The password is not sent when the provider fails, is busy, or does not know the client",
        arguments: [
            (500, "", ExchangeFailure.Cause.providerFailed), (503, "invalid", .providerFailed), (429, "", .limited),
            (401, #"{"error":"invalid_client"}"#, .clientRefused), (302, "", .redirected), (404, "", .refused),
            (400, #"{"error":"temporarily_unavailable"}"#, .providerFailed), (200, "<html>", .pageAnswered),
            (200, "{}", .unexpectedAnswer),
        ]
    )
    func failedRefresh(status: Int, body: String, cause: ExchangeFailure.Cause) throws {
        guard case .failed(let failure) = try Scene(stored: Scene.stored()).outcome(status, body) else {
            Issue.record("went on")
            return
        }
        #expect(failure.step == "refresh")
        #expect(failure.cause == cause)
    }

    @Test(
        "A refused grant is told with the remedy",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, ExchangeFailure.Cause.loginRefused, "password"),
            (401, #"{"error":"invalid_client"}"#, .clientRefused, "client"),
            (400, #"{"error":"unauthorized_client"}"#, .notPermitted, "password grant"),
            (400, #"{"error":"invalid_scope"}"#, .notPermitted, "scope"),
            (401, "", .refused, "client_secret"),
        ]
    )
    func refusedGrant(status: Int, body: String, cause: ExchangeFailure.Cause, remedy: String) throws {
        guard case .failed(let failure) = try Scene().outcome(status, body) else {
            Issue.record("went on")
            return
        }
        #expect(failure.step == "password grant")
        #expect(failure.cause == cause)
        #expect(failure.detail.contains(remedy))
    }

    @Test("No secret that the provider echoes is repeated, be it the client's, the user's or a token")
    func echoes() throws {
        let said =
            "client_secret client/secret, Y2xpZW50JTIwaWQ6Y2xpZW50JTJGc2VjcmV0, pass+word, old-access, old-refresh"
        guard case .failed(let failure) = try Scene(stored: Scene.stored()).outcome(500, said) else {
            Issue.record("went on")
            return
        }
        #expect(failure.words == "client_secret <secret>, <secret>, <secret>, <secret>, <secret>")
        var dumped = ""
        dump(Scene(stored: Scene.stored()).exchange, to: &dumped)
        for secret in ["client/secret", "pass word", "old-access", "old-refresh"] { #expect(!dumped.contains(secret)) }
    }

    @Test("A response that nothing was asked for is a failure")
    func unasked() throws {
        var exchange = Scene().exchange
        let answer = ExchangeResponse(status: 200, body: Array(#"{"access_token":"a"}"#.utf8))
        guard case .failed(let failure) = exchange.receive(answer, timestamp: 1) else {
            Issue.record("taken")
            return
        }
        #expect(failure.step == "password grant")
    }
}
