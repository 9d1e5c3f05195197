import Credentials
import OAuthSigning
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("Access tokens by the password grant", .generousLimit, .timed)
struct PasswordGrantTests {
    private func with(
        _ granting: GrantingProvider,
        _ configure: (inout ProxySetup) -> Void = { _ in },
        _ body: (RunningProxy, ScriptedProvider) async throws -> Void
    ) async throws {
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            var setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            configure(&setup)
            try await RunningProxy.with(setup) { try await body($0, provider) }
        }
    }

    @Test("Fifty requests at once on two loops cost one grant, and all carry its token")
    func grantsOnce() async throws {
        let granting = GrantingProvider()
        try await with(granting, { $0.isTwoLooped = true }) { proxy, provider in
            let answers = try await proxy.gets(50)
            #expect(answers.allSatisfy { $0.status == 200 && $0.body == "Bearer hidden-access-1" })
            #expect(
                granting.forms == [
                    "grant_type=password&username=alice&password=hidden-password&client_id=app"
                        + "&client_secret=hidden-app-secret"
                ]
            )
            #expect(provider.count("/") == 50)
            try await proxy.expectNoSecrets(requests: 50)
        }
    }

    @Test("oPRO's header template is filled, and its requests say no grant_type")
    func fillsTemplate() async throws {
        let header = #"Token token="{token}""#
        let granting = GrantingProvider(header: header)
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = ProxySetup.passwordGrant(
                port: provider.upstream.port,
                header: try #require(HeaderTemplate(header)),
                sendsGrantType: false
            )
            try await RunningProxy.with(setup) { proxy in
                let first = try await proxy.get()
                #expect(first.body == #"Token token="hidden-access-1""#)
                granting.expireAccessTokens()
                let second = try await proxy.get()
                #expect(second.body == #"Token token="hidden-access-2""#)
                #expect(granting.grants == ["password", "refresh"])
                #expect(granting.forms.allSatisfy { !$0.contains("grant_type") })
            }
        }
    }

    @Test("The client's own Authorization is replaced, and its other fields stay")
    func replacesAuthorization() async throws {
        try await with(GrantingProvider()) { proxy, _ in
            let request = RunningProxy.request(fields: "Authorization: Bearer mine\nX: y\n")
            let first = try await proxy.answer(to: request)
            #expect(first.body == "Bearer hidden-access-1")
        }
    }

    @Test("A token that is refused is refreshed once for everyone, and the requests are repeated")
    func refreshesOnRefusal() async throws {
        let granting = GrantingProvider()
        try await with(granting, { $0.isTwoLooped = true }) { proxy, _ in
            #expect(try await proxy.get().status == 200)
            granting.expireAccessTokens()
            let answers = try await proxy.gets(20)
            #expect(answers.allSatisfy { $0.status == 200 && $0.body == "Bearer hidden-access-2" })
            #expect(answers.allSatisfy { $0["Proxy-Status"] == nil })
            #expect(granting.grants == ["password", "refresh"])
            try await proxy.expectNoSecrets(requests: 21)
        }
    }

    @Test("A streamed body that is small is repeated with the new token, chunked as it came")
    func repeatsBody() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(
            answer: { request, count in
                let answer = granting.answer(request)
                return request.target == "/second" && count == 2
                    ? ScriptedProvider.answer("200 OK", request.body) : answer
            }
        ) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                _ = try await proxy.get("/first")
                granting.expireAccessTokens()
                let answer = try await proxy.answer(
                    to: "POST http://api.test/second HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\n\n"
                        + "3\nabc\n2\nde\n0\n\n"
                )
                #expect(answer.status == 200)
                #expect(answer.body == "abcde")
                #expect(provider.count("/second") == 2)
            }
        }
    }

    @Test("When the refresh token is refused too, the password grant runs again")
    func grantsAgain() async throws {
        let granting = GrantingProvider()
        try await with(granting) { proxy, _ in
            #expect(try await proxy.get().status == 200)
            granting.expireAccessTokens()
            granting.revokeRefreshTokens()
            let first = try await proxy.get()
            #expect(first.body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "refresh", "password"])
            try await proxy.expectNoSecrets(requests: 2)
        }
    }

    @Test("A refresh token that was rotated is in the vault, and used after a restart")
    func keepsRotatedToken() async throws {
        let granting = GrantingProvider()
        let directory = try TestDirectory()
        let key = VaultKey.generate()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            for run in 1...3 {
                try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key) { proxy in
                    let first = try await proxy.get()
                    #expect(first.body == "Bearer hidden-access-\(run)")
                    granting.expireAccessTokens()
                    let second = try await proxy.get()
                    #expect(second.body == "Bearer hidden-access-\(run + 1)")
                }
            }
            #expect(granting.grants == ["password", "refresh", "refresh", "refresh"])
        }
    }

    @Test("A token that expired while the proxy was down is refreshed before it is sent")
    func refreshesExpired() async throws {
        let granting = GrantingProvider()
        let directory = try TestDirectory()
        let key = VaultKey.generate()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key) { proxy in
                _ = try await proxy.get()
                let name = CredentialName(api: "api", account: "default")
                var stored = try #require(try proxy.vault.load(name))
                guard case .access(var token) = stored.token else {
                    Issue.record("\(stored)")
                    return
                }
                let expiresAt = try #require(token.expiresAt)
                #expect(expiresAt > stored.obtainedAt)
                token.expiresAt = stored.obtainedAt - 1
                stored.token = .access(token)
                try proxy.vault.store(stored, for: name)
            }
            try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key) { proxy in
                let first = try await proxy.get()
                #expect(first.body == "Bearer hidden-access-2")
            }
            #expect(granting.grants == ["password", "refresh"])
            #expect(provider.count("/") == 2)
        }
    }

    @Test("A token that is due is refreshed while requests go on with it, and none is refused")
    func refreshesAhead() async throws {
        // What lives for one second is due at once.
        let granting = GrantingProvider(life: 1)
        try await with(granting) { proxy, _ in
            #expect(try await proxy.get().status == 200)
            #expect(try await proxy.get().status == 200)
            try await granting.received(2)
            #expect(granting.grants.prefix(2) == ["password", "refresh"])
            // The old ones are still good to the provider: nobody saw a 401.
            #expect(try await proxy.get().status == 200)
            #expect(try await proxy.get()["Proxy-Status"] == nil)
        }
    }
}
