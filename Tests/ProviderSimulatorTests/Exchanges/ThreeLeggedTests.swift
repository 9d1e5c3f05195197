import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct ThreeLeggedTests {
    private let test = TestProvider()
    private var scene: ThreeLeggedScene { ThreeLeggedScene(test: test) }

    @Test func `a PIN leads to a token for the user who approved`() throws {
        let answer = FormText(try scene.temporary().text)
        #expect(answer.values["oauth_callback_confirmed"] == "true")
        let temporary = try #require(answer.token)
        let page = scene.authorize("oauth_token=\(temporary.token)")
        #expect(page.status == 200)
        #expect(page.contentType.hasPrefix("text/html"))
        #expect(page.text.contains("<form method=\"post\""))
        let shown = scene.authorize("oauth_token=\(temporary.token)", method: "POST", form: "approve=1&user=grace").text
        let pin = try #require(shown.split(separator: "<code>").last?.prefix(7))
        #expect(pin.allSatisfy { "0"..."9" ~= $0 })
        #expect(shown.contains("<code>\(pin)</code>"))
        let granted = FormText(try scene.access(temporary, verifier: String(pin)).text)
        #expect(granted.values["user_id"] == "12")
        #expect(granted.values["screen_name"] == "grace")
        let report = test.send(try .signed(token: granted.token, nonce: "use"))
        #expect(report.status == 200)
        #expect(test.provider.ledger.tokensIssued(by: .threeLegged) == 1)
    }

    @Test(arguments: [
        ("http://127.0.0.1:4711/callback", "http://127.0.0.1:4711/callback?oauth_token="),
        ("https://a.test/?state=1#top", "https://a.test/?state=1&oauth_token="),
    ])
    func `the browser is sent to the callback`(callback: String, expected: String) throws {
        let temporary = try #require(FormText(scene.temporary(callback: callback).text).token)
        let redirect = scene.authorize("oauth_token=\(temporary.token)&approve=1")
        #expect(redirect.status == 302)
        let location = try #require(redirect.value(of: "Location"))
        #expect(location.hasPrefix(expected + temporary.token + "&oauth_verifier="))
        #expect(location.hasSuffix("#top") == callback.hasSuffix("#top"))
        let verifier = try #require(location.split(separator: "oauth_verifier=").last?.prefix(7))
        let granted = FormText(try scene.access(temporary, verifier: String(verifier)).text)
        // Nobody was named: the first user there is.
        #expect(granted.values["user_id"] == "4711")
    }

    @Test func `a user can deny`() throws {
        let temporary = try #require(FormText(scene.temporary(callback: "http://127.0.0.1:1/").text).token)
        let redirect = scene.authorize("oauth_token=\(temporary.token)&deny=1")
        #expect(
            redirect.value(of: "Location")
                == "http://127.0.0.1:1/?denied=\(temporary.token)&oauth_token=\(temporary.token)&oauth_problem=user_refused"
        )
        #expect(try scene.access(temporary, verifier: "1").status == 401)
        #expect(test.provider.ledger.refusals(because: "permission_denied") == 1)
        #expect(test.provider.ledger.tokensIssued == 0)
    }

    @Test func `a wrong verifier ends the authorization`() throws {
        let (temporary, verifier) = try scene.approved()
        #expect(try scene.access(temporary, verifier: verifier + "0", nonce: "a").status == 401)
        #expect(test.provider.ledger.refusals(because: "verifier_invalid") == 1)
        #expect(try scene.access(temporary, verifier: verifier, nonce: "b").status == 401)
        #expect(test.provider.ledger.refusals(because: "token_used") == 1)
    }

    @Test func `a verifier is good once`() throws {
        let (temporary, verifier) = try scene.approved()
        #expect(try scene.access(temporary, verifier: verifier, nonce: "a").status == 200)
        #expect(try scene.access(temporary, verifier: verifier, nonce: "b").status == 401)
        #expect(test.provider.ledger.tokensIssued == 1)
    }

    @Test func `a verifier left out is not a wrong one`() throws {
        let (temporary, verifier) = try scene.approved()
        #expect(try scene.access(temporary, verifier: nil, nonce: "a").status == 401)
        #expect(test.provider.ledger.refusals(because: "parameter_absent") == 1)
        #expect(try scene.access(temporary, verifier: verifier, nonce: "b").status == 200)
    }

    @Test func `nothing is granted before a user approves`() throws {
        let temporary = try #require(FormText(scene.temporary().text).token)
        #expect(try scene.access(temporary, verifier: "1").status == 401)
        #expect(test.provider.ledger.refusals(because: "permission_unknown") == 1)
    }

    @Test func `temporary credentials are one client's, for one endpoint, for a time`() throws {
        let (temporary, verifier) = try scene.approved()
        #expect(try scene.access(temporary, verifier: verifier, client: TestProvider.platform).status == 401)
        #expect(test.send(try .signed(token: temporary)).status == 401)
        test.provider.setClock(offset: 899)
        let late = try ReceivedRequest.signed(
            "POST",
            "/oauth/access_token",
            token: temporary,
            nonce: "late",
            timestamp: TestProvider.now + 900,
            parameters: [("oauth_verifier", verifier)]
        )
        #expect(test.send(late, at: TestProvider.now + 1).status == 401)
        #expect(test.provider.ledger.refusals(because: "token_expired") == 1)
    }

    @Test(arguments: [nil, "", "oob2", "/path", "ftp://a.test/"])
    func `a callback has to be oob or an address`(callback: String?) throws {
        #expect(try scene.temporary(callback: callback).status == 401)
    }

    @Test func `the page needs temporary credentials that nobody has decided on`() throws {
        #expect(scene.authorize("").status == 400)
        #expect(scene.authorize("oauth_token=unknown").status == 400)
        let (temporary, _) = try scene.approved()
        #expect(scene.authorize("oauth_token=\(temporary.token)&approve=1").status == 400)
        let other = try #require(FormText(scene.temporary(nonce: "other").text).token)
        #expect(scene.authorize("oauth_token=\(other.token)&approve=1&user=nobody").status == 400)
    }

    @Test func `OAuth 1.0 has neither confirmation nor verifier`() throws {
        let test = TestProvider { $0.threeLegged.version = .oauth1_0 }
        let scene = ThreeLeggedScene(test: test)
        let answer = FormText(try scene.temporary(callback: nil).text)
        #expect(answer.values["oauth_callback_confirmed"] == nil)
        let temporary = try #require(answer.token)
        let redirect = scene.authorize("oauth_token=\(temporary.token)&approve=1&oauth_callback=http%3A%2F%2Fa.test%2F")
        #expect(redirect.value(of: "Location") == "http://a.test/?oauth_token=\(temporary.token)")
        #expect(FormText(try scene.access(temporary, verifier: nil).text).token != nil)
    }
}
