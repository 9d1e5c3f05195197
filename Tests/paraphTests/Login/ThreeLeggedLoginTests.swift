import Credentials
import OAuthSigning
import ProviderSimulator
import TestSupport
import Testing

@testable import paraph

@Suite("Logging in with a person", .generousLimit, .timed)
struct ThreeLeggedLoginTests {
    /// A provider, and what an account there says.
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var provider: ProviderSettings
        var method = SignatureMethod.hmacSHA1
        var realm: String?
        var authorizeParameters: [(name: String, value: String)] = []
        var acceptsVersion10 = false

        func login(
            _ scene: LoginScene,
            callback: ThreeLeggedSettings.Callback,
            person: ThreeLeggedLogin.Person
        ) -> ThreeLeggedLogin {
            ThreeLeggedLogin(
                settings: ThreeLeggedSettings(
                    requestTokenURL: "https://\(scene.host)\(provider.paths.requestToken)",
                    authorizeURL: "https://\(scene.host)\(provider.paths.authorize)",
                    accessTokenURL: "https://\(scene.host)\(provider.paths.accessToken)",
                    callback: callback,
                    authorizeParameters: authorizeParameters,
                    acceptsVersion10: acceptsVersion10
                ),
                oauth1: OAuth1Settings(
                    client: LoginScene.client,
                    options: SigningOptions(signatureMethod: method, realm: realm)
                ),
                person: person
            )
        }
    }

    static let x: Case = Case(
        testDescription: "X",
        provider: ProviderSettings(realm: "x", clients: LoginScene.clients, users: [LoginScene.bob])
    )
    static let cases: [Case] = [
        x,
        Case(
            testDescription: "Discogs",
            provider: .discogs(clients: LoginScene.clients, users: [LoginScene.bob]),
            method: .plaintext
        ),
        Case(testDescription: "Tumblr", provider: .tumblr(clients: LoginScene.clients, users: [LoginScene.bob])),
        Case(testDescription: "Flickr", provider: .flickr(clients: LoginScene.clients, users: [LoginScene.bob])),
        Case(
            testDescription: "Trello",
            provider: .trello(clients: LoginScene.clients, users: [LoginScene.bob]),
            authorizeParameters: [("name", "My app"), ("expiration", "never"), ("scope", "read,write")]
        ),
        Case(
            testDescription: "NetSuite",
            provider: .netSuite(account: "1234567_SB1", clients: LoginScene.clients, users: [LoginScene.bob]),
            method: .hmacSHA256,
            realm: "1234567_SB1"
        ),
        Case(testDescription: "SmugMug", provider: .smugMug(clients: LoginScene.clients, users: [LoginScene.bob])),
        version10,
    ]
    static var version10: Case {
        var provider = ProviderSettings(realm: "x", clients: LoginScene.clients, users: [LoginScene.bob])
        provider.threeLegged.version = .oauth1_0
        return Case(testDescription: "OAuth 1.0", provider: provider, acceptsVersion10: true)
    }

    private func token(_ credential: StoredCredential) -> TokenCredentials? {
        if case .oauth1(let token) = credential.token { token } else { nil }
    }

    @Test("The browser comes back to the listener, and the token is one that the provider issued", arguments: cases)
    func loopback(provider: Case) async throws {
        let scene = LoginScene(provider.provider)
        let person = scene.person { scene, address in
            let page = try await TestBrowser.send("GET", try scene.redirect(address))
            #expect(page.status == 200)
        }
        let login = provider.login(scene, callback: .loopback, person: person)
        let credential = try await login.run(scene.conversation())
        #expect(credential.origin == .login)
        #expect(scene.provider.ledger.tokensIssued == 1)
        let issued = scene.provider.ledger.events.compactMap { event -> AcceptedToken? in
            if case .accessTokenGranted(_, let token, _) = event.outcome { token } else { nil }
        }
        #expect(issued.map(\.credentials) == [token(credential)])
        #expect(scene.transcript.contains("https://\(scene.host)\(provider.provider.paths.authorize)?oauth_token="))
        #expect(!scene.transcript.contains(token(credential)?.secret.revealed() ?? ""))
    }

    @Test("What is said of the user is kept", arguments: [x])
    func attributes(provider: Case) async throws {
        let scene = LoginScene(provider.provider)
        let person = scene.person { scene, address in scene.type(try scene.shownVerifier(address)) }
        let credential = try await provider.login(scene, callback: .outOfBand, person: person)
            .run(scene.conversation())
        #expect(credential.attributes == ["user_id": "7", "screen_name": "bob"])
    }

    @Test("Out of band the person types the verifier", arguments: cases.filter { $0.testDescription != "NetSuite" })
    func outOfBand(provider: Case) async throws {
        let scene = LoginScene(provider.provider)
        let person = scene.person { scene, address in
            if provider.acceptsVersion10 {
                _ = try scene.browse(address)
                scene.type("")
            } else {
                scene.type("")
                scene.type("two words")
                scene.type("  \(try scene.shownVerifier(address)) ")
            }
            scene.endInput()
        }
        let login = provider.login(scene, callback: .outOfBand, person: person)
        let credential = try await login.run(scene.conversation())
        #expect(token(credential) != nil)
        #expect(scene.transcript.contains("neither a verifier") == !provider.acceptsVersion10)
    }

    @Test("The person pastes the address of a callback elsewhere; a wrong one is told, and the right one taken")
    func pasted() async throws {
        let scene = LoginScene(Self.x.provider)
        let person = scene.person { scene, address in
            let back = try scene.redirect(address)
            #expect(back.hasPrefix("https://app.example/callback?oauth_token="))
            scene.type("https://app.example/callback?oauth_token=other&oauth_verifier=1")
            scene.type(back)
        }
        let login = Self.x.login(scene, callback: .address("https://app.example/callback"), person: person)
        #expect(token(try await login.run(scene.conversation())) != nil)
        #expect(scene.transcript.contains("another authorization"))
    }

    @Test("The address can be pasted while a listener waits, and the end of input does not end the waiting")
    func pastedBesideListener() async throws {
        for pastes in [true, false] {
            let scene = LoginScene(Self.x.provider)
            let person = scene.person { scene, address in
                let back = try scene.redirect(address)
                if pastes { scene.type(back) }
                scene.endInput()
                if !pastes { _ = try await TestBrowser.send("GET", back) }
            }
            let login = Self.x.login(scene, callback: .loopback, person: person)
            #expect(token(try await login.run(scene.conversation())) != nil)
        }
    }

    @Test("Strangers and favicons do not end the waiting")
    func strangers() async throws {
        let scene = LoginScene(Self.x.provider)
        let person = scene.person { scene, address in
            let back = try scene.redirect(address)
            let base = try #require(back.firstMatch(of: /http:\/\/127.0.0.1:\d+/)?.output)
            #expect(try await TestBrowser.send("GET", "\(base)/favicon.ico").status == 404)
            #expect(try await TestBrowser.send("GET", "\(base)/callback?oauth_token=x&oauth_verifier=1").status == 400)
            #expect(try await TestBrowser.send("GET", back).status == 200)
        }
        let login = Self.x.login(scene, callback: .loopback, person: person)
        #expect(token(try await login.run(scene.conversation())) != nil)
    }

    // MARK: In vain

    @Test("A refusal ends it", arguments: ["listener", "terminal"])
    func denied(way: String) async throws {
        let scene = LoginScene(Self.x.provider)
        let person = scene.person { scene, address in
            let back = try scene.redirect(address, deciding: "deny=1")
            if way == "listener" { _ = try await TestBrowser.send("GET", back) } else { scene.type(back) }
        }
        let login = Self.x.login(scene, callback: .loopback, person: person)
        await #expect(throws: LoginError.denied) { try await login.run(scene.conversation()) }
        #expect(scene.provider.ledger.tokensIssued == 0)
    }

    @Test("A wrong verifier is the provider's to refuse")
    func wrongVerifier() async throws {
        let scene = LoginScene(Self.x.provider)
        let person = scene.person { scene, address in
            _ = try scene.shownVerifier(address)
            scene.type("0")
        }
        let login = Self.x.login(scene, callback: .outOfBand, person: person)
        let failure = await #expect(throws: ExchangeFailure.self) { try await login.run(scene.conversation()) }
        #expect(failure?.step == "token credentials")
        #expect(failure?.exitCode == .refused)
    }

    @Test("Input that ends without a verifier is told")
    func noVerifier() async throws {
        let scene = LoginScene(Self.x.provider)
        let login = Self.x.login(scene, callback: .outOfBand, person: scene.person { scene, _ in scene.endInput() })
        await #expect(throws: LoginError.noVerifier) { try await login.run(scene.conversation()) }
    }

    @Test("A provider of OAuth 1.0 is refused when the configuration does not accept it")
    func version10() async throws {
        var provider = Self.version10
        provider.acceptsVersion10 = false
        let scene = LoginScene(provider.provider)
        let login = provider.login(scene, callback: .loopback, person: scene.person { _, _ in Issue.record("asked") })
        let failure = await #expect(throws: ExchangeFailure.self) { try await login.run(scene.conversation()) }
        #expect(failure?.cause == .callbackUnconfirmed)
        #expect(failure?.exitCode == .badData)
    }

    @Test("A clock that the provider refuses is corrected once, where that is wanted", arguments: [true, false])
    func clock(isCorrected: Bool) async throws {
        var provider = Self.x
        provider.provider.clockOffset = -4_000
        let scene = LoginScene(provider.provider)
        let person = scene.person { scene, address in scene.type(try scene.shownVerifier(address)) }
        let login = provider.login(scene, callback: .outOfBand, person: person)
        if isCorrected {
            #expect(token(try await login.run(scene.conversation(readsClock: true))) != nil)
            #expect(scene.provider.ledger.refusals(because: "timestamp_refused") == 1)
        } else {
            let failure = await #expect(throws: ExchangeFailure.self) { try await login.run(scene.conversation()) }
            #expect(failure?.cause == .clockRefused)
        }
    }

    @Test("Cancelled while it waits, it ends and has stored nothing", arguments: [true, false])
    func cancelled(isListening: Bool) async throws {
        let scene = LoginScene(Self.x.provider)
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let person = scene.person { _, _ in ask.finish() }
        let login = Self.x.login(scene, callback: isListening ? .loopback : .outOfBand, person: person)
        let task = Task { try await login.run(scene.conversation()) }
        for await _ in asked {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(scene.provider.ledger.tokensIssued == 0)
    }
}
