import Credentials
import OAuthSigning
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The use of tokens and exchanges", .generousLimit, .timed)
struct TokenUseTests {
    private let name = CredentialName(api: "api", account: "default")

    private func setup(_ provider: ScriptedProvider) -> ProxySetup {
        var setup = ProxySetup(apis: [ProxySetup.API(port: provider.upstream.port)])
        let settings = XAuthSettings(
            accessTokenURL: "http://api.test/access_token",
            login: PasswordCredentials(username: "alice", password: Secret("hidden-password"))
        )
        setup.apis[0].accounts = [AccountSettings(name: "default", source: .xAuth(settings))]
        return setup
    }

    @Test("An account whose token was exchanged has one, also after a reload")
    func succeeded() async throws {
        let token = ScriptedProvider.answer("200 OK", "oauth_token=issued&oauth_token_secret=hidden-secret")
        let answer: ScriptedProvider.Answer = { request, _ in
            request.target == "/access_token" ? token : ScriptedProvider.answer("200 OK")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            let setup = setup(provider)
            try await RunningProxy.with(setup) { proxy in
                #expect(proxy.server.tokenUses(enrolled: []) == [:])
                #expect(proxy.server.lastExchanges == [:])
                #expect(try await proxy.answer(to: plainGet).status == 200)
                #expect(proxy.server.tokenUses(enrolled: []) == [name: TokenUse(hasToken: true)])
                let last = try #require(proxy.server.lastExchanges[name])
                #expect(last == LastExchange(time: proxy.clock.coarseWallSeconds, kind: .xAuth))
                try await proxy.reload(setup)
                #expect(proxy.server.tokenUses(enrolled: []) == [:])
                #expect(proxy.server.lastExchanges == [name: last])
            }
        }
    }

    @Test("A failed exchange is told with its sentences, and without a secret")
    func failed() async throws {
        let answer: ScriptedProvider.Answer = { _, _ in
            ScriptedProvider.answer("401 Unauthorized", "no such password: hidden-password")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(setup(provider)) { proxy in
                #expect(try await proxy.answer(to: plainGet).status == 502)
                #expect(proxy.server.tokenUses(enrolled: []) == [name: TokenUse(hasToken: false)])
                let failure = try #require(proxy.server.lastExchanges[name]?.failure)
                #expect(failure.detail.contains("401"))
                #expect(!failure.detail.contains("hidden"))
            }
        }
    }
}
