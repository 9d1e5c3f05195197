import Credentials
import NIOCore
import OAuthSigning
import Settings
import Synchronization
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A reload while the store is away", .generousLimit, .timed)
struct ReloadWithoutStoreTests {
    private static let name = CredentialName(api: "api", account: "default")

    private func with(
        _ setup: (Int) -> ProxySetup = { .passwordGrant(port: $0) },
        _ body: (RunningProxy, ProxySetup, GrantingProvider) async throws -> Void
    ) async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = setup(provider.upstream.port)
            try await RunningProxy.with(setup) { try await body($0, setup, granting) }
        }
    }

    @Test("Tokens that are known are used on, also after a second reload before which no request came")
    func keepsTokens() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            try await proxy.reload(setup)
            for answer in try await proxy.gets(5) { #expect(answer.body == "Bearer hidden-access-1") }
            try await proxy.reload(setup)
            try await proxy.reload(setup)
            let use = try #require(proxy.server.tokenUses(enrolled: [], isStoreAway: true)[Self.name])
            #expect(use.hasToken)
            #expect(proxy.server.accountsWithTokens == [Self.name])
            for answer in try await proxy.gets(5) { #expect(answer.body == "Bearer hidden-access-1") }
            #expect(granting.grants == ["password"])
        }
    }

    @Test("Tokens that are known are used on when it goes away after a reload, though nobody has used them since")
    func goesAwayAfterwards() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            for _ in 0..<2 {
                let count = proxy.store.doubtCount
                try await proxy.reload(setup)
                try await proxy.store.doubted(moreOftenThan: count)
            }
            proxy.store.goAway()
            for answer in try await proxy.gets(5) { #expect(answer.body == "Bearer hidden-access-1") }
            #expect(granting.grants == ["password"])
        }
    }

    @Test("What was removed meanwhile is not used on")
    func removedMeanwhile() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            let count = proxy.store.doubtCount
            try await proxy.reload(setup)
            try await proxy.store.doubted(moreOftenThan: count)
            _ = try proxy.vault.remove(Self.name)
            while !proxy.server.accountsWithTokens.isEmpty {
                try Task.checkCancellation()
                await Task.yield()
            }
            proxy.store.goAway()
            #expect(try await proxy.get().body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "password"])
        }
    }

    @Test("No request whose token is known waits for a store that is silent")
    func waitsForNothing() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.fallSilent()
            defer { proxy.store.comeBack() }
            try await proxy.reload(setup)
            try await proxy.reload(setup)
            for answer in try await proxy.gets(5) { #expect(answer.body == "Bearer hidden-access-1") }
            #expect(granting.grants == ["password"])
        }
    }

    @Test("A token that is over, or refused, is exchanged for another one")
    func exchanges() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            try await proxy.reload(setup)
            granting.expireAccessTokens()
            #expect(try await proxy.get().body == "Bearer hidden-access-2")
            try await proxy.reload(setup)
            await proxy.clock.advance(by: .seconds(3600))
            #expect(try await proxy.get().body == "Bearer hidden-access-3")
            #expect(granting.grants == ["password", "password", "password"])
            proxy.store.comeBack()
            // The first was stored before.
            try await proxy.store.changed(2)
            let stored = try #require(try proxy.vault.load(Self.name))
            #expect(stored.token.authorizes(as: .access(AccessToken(Secret("hidden-access-3")))))
        }
    }

    @Test("A token is not used for another user than the one it was obtained for")
    func bound() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            var other = setup
            let login = PasswordCredentials(username: "bob", password: Secret("hidden-password"))
            other.apis[0].accounts = [AccountSettings(name: "default", source: .password(login))]
            try await proxy.reload(other)
            #expect(try await proxy.get().body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "password"])
        }
    }

    @Test("What others have changed in the store holds as soon as it is back")
    func followsStore() async throws {
        try await with { proxy, setup, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            try await proxy.reload(setup)
            #expect(try await proxy.get().body == "Bearer hidden-access-1")
            _ = try proxy.vault.remove(Self.name)
            proxy.store.comeBack()
            while try await proxy.get().body != "Bearer hidden-access-2" { try Task.checkCancellation() }
            #expect(granting.grants == ["password", "password"])
        }
    }

    @Test("Accounts that were enrolled are served on")
    func enrolled() async throws {
        let name = CredentialName(api: "api", account: "alice")
        let login = PasswordCredentials(username: "alice", password: Secret("hidden-password"))
        try await with({ .enrolling(.password, port: $0) }) { proxy, setup, granting in
            let enrolled = StoredCredential(
                token: .access(AccessToken(Secret("hidden-old"), expiresAt: 1)),
                obtainedAt: 1,
                origin: .enrolment,
                login: login
            )
            try await proxy.store.doubted(moreOftenThan: 0)
            try proxy.vault.store(enrolled.bound(to: proxy.bindingOfEnrolled), for: name)
            #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-1")
            try await proxy.store.told(of: name, having: Secret("hidden-access-1"))
            proxy.store.goAway()
            try await proxy.reload(setup)
            #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-1")
            await proxy.clock.advance(by: .seconds(3600))
            #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "password"])
        }
    }

    @Test("Where the reload names another store, accounts that were enrolled are those of that one alone")
    func otherStore() async throws {
        try await with({ .enrolling(.password, port: $0) }) { proxy, setup, granting in
            let alice = EnrolmentClaim.valid(.password).name
            #expect(await proxy.enroller.register(.valid(.password)) == .created(alice))
            #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-1")
            #expect(try await proxy.get(account: "configured").body == "Bearer hidden-access-2")
            let other = InterruptibleStore(proxy.vault)
            other.goAway()
            try await proxy.reload(setup, vault: other)
            #expect(try await proxy.get(account: "configured").body == "Bearer hidden-access-2")
            #expect(try await proxy.get(account: "alice").status == 503)
            #expect(granting.grants == ["password", "password"])
            other.comeBack()
            while try await proxy.get(account: "alice").status != 200 { try Task.checkCancellation() }
        }
    }

    @Test("What an exchange from before the reload brings afterwards is stored when the store is back")
    func storesLater() async throws {
        let gate = Gate()
        let granting = GrantingProvider()
        let answer: ScriptedProvider.Answer = { request, _ in
            if request.body.contains("refresh_token") { await gate.wait() }
            return granting.answer(request)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            try await RunningProxy.with(setup) { proxy in
                #expect(try await proxy.get().status == 200)
                // It is due for refreshing, for which no request waits.
                await proxy.clock.advance(by: .seconds(3590))
                #expect(try await proxy.get().body == "Bearer hidden-access-1")
                try await provider.received(2, at: GrantingProvider.path)
                let keeper = proxy.server.generation.keeper
                try await proxy.reload(setup)
                try await proxy.wait { keeper.state.withLock { $0.isFinishing } }
                proxy.store.goAwayAtChange()
                gate.open()
                try await proxy.wait { keeper.hasStopped }
                proxy.store.comeBack()
                // The first token was stored, and then that its refresh token is used.
                try await proxy.store.changed(3)
                let stored = try #require(try proxy.vault.load(Self.name))
                #expect(stored.token.authorizes(as: .access(AccessToken(Secret("hidden-access-2")))))
            }
        }
    }
}
