import Credentials
import OAuthSigning
import ProviderSimulator
import Testing
import TestSupport

@testable import paraph

@Suite("Logging in without a person", .generousLimit, .timed)
struct UnattendedLoginTests {
    private static let login = PasswordCredentials(
        username: LoginScene.bob.user.screenName,
        password: LoginScene.bob.password
    )
    private static let xAuth = AccountSettings(
        name: "bob",
        source: .xAuth(XAuthSettings(accessTokenURL: "https://provider.example/oauth/access_token", login: login))
    )
    private static let oauth1 = AuthorizationScheme.oauth1(OAuth1Settings(client: LoginScene.client))

    @Test("xAuth brings a token that the provider issued")
    func xAuth() async throws {
        let scene = LoginScene(ThreeLeggedLoginTests.x.provider)
        let conversation = scene.conversation()
        let exchange = try #require(TokenExchange(Self.xAuth, scheme: Self.oauth1, stored: nil))
        let credential = try await conversation.run(exchange).get()
        #expect(credential.attributes["screen_name"] == "bob")
        #expect(scene.provider.ledger.tokensIssued == 1)
    }

    @Test("The password grant brings a token that the provider issued", arguments: [true, false])
    func passwordGrant(isOPRO: Bool) async throws {
        let secret = Secret("grant secret")
        let provider: ProviderSettings =
            isOPRO
            ? .oPRO(clientID: "id", clientSecret: secret, users: [LoginScene.bob])
            : .rfc6749(clientID: "id", clientSecret: secret, users: [LoginScene.bob])
        let scene = LoginScene(provider)
        let settings = OAuth2Settings(
            tokenURL: "https://provider.example\(provider.paths.token)",
            clientID: "id",
            clientSecret: secret,
            sendsGrantType: !isOPRO
        )
        let conversation = scene.conversation()
        let account = AccountSettings(name: "bob", source: .password(Self.login))
        let exchange = try #require(TokenExchange(account, scheme: .oauth2(settings), stored: nil))
        let credential = try await conversation.run(exchange).get()
        guard case .access(let token) = credential.token else {
            Issue.record("no access token")
            return
        }
        #expect(token.refreshToken != nil)
        #expect(token.expiresAt == credential.obtainedAt + 3_600)
        #expect(scene.provider.ledger.tokensIssued == 1)
    }

    @Test("A clock that the provider refuses is corrected once")
    func clock() async throws {
        var provider = ThreeLeggedLoginTests.x.provider
        provider.clockOffset = 4_000
        let scene = LoginScene(provider)
        let exchange = try #require(TokenExchange(Self.xAuth, scheme: Self.oauth1, stored: nil))
        let corrected = scene.conversation(readsClock: true)
        _ = try await corrected.run(exchange).get()
        #expect(scene.provider.ledger.requests(for: .accessToken) == 2)
        let uncorrected = scene.conversation()
        await #expect(throws: ExchangeFailure.self) { try await uncorrected.run(exchange).get() }
        #expect(scene.provider.ledger.requests(for: .accessToken) == 3)
    }

    @Test("A clock that is refused though it is the provider's own is not tried again")
    func wrongClock() async throws {
        var provider = ThreeLeggedLoginTests.x.provider
        provider.clockOffset = 4_000
        let scene = LoginScene(provider)
        let exchange = try #require(TokenExchange(Self.xAuth, scheme: Self.oauth1, stored: nil))
        scene.provider.setClock(offset: 9_000)
        let conversation = scene.conversation(readsClock: true)
        let failure = await #expect(throws: ExchangeFailure.self) { try await conversation.run(exchange).get() }
        #expect(failure?.cause == .clockRefused)
        #expect(scene.provider.ledger.requests(for: .accessToken) == 2)
    }
}
