import Credentials
import NIOCore
import OAuthSigning
import Synchronization
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A store that is away", .generousLimit, .timed)
struct AbsentStoreTests {
    private static let name = CredentialName(api: "api", account: "default")

    private func with(
        _ granting: GrantingProvider = GrantingProvider(),
        _ body: (RunningProxy, GrantingProvider) async throws -> Void
    ) async throws {
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { try await body($0, granting) }
        }
    }

    @Test("Requests whose token is known go on")
    func goesOn() async throws {
        try await with { proxy, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            for answer in try await proxy.gets(10) { #expect(answer.status == 200) }
            #expect(granting.grants == ["password"])
        }
    }

    @Test("What may be repeated is exchanged all the same, and stored when the store is back")
    func repeatable() async throws {
        try await with { proxy, granting in
            proxy.store.goAway()
            for answer in try await proxy.gets(5) { #expect(answer.body == "Bearer hidden-access-1") }
            #expect(granting.grants == ["password"])
            #expect(try proxy.vault.load(Self.name) == nil)
            proxy.store.comeBack()
            try await proxy.store.changed(1)
            guard case .access(let access) = try #require(try proxy.vault.load(Self.name)).token else {
                Issue.record("another kind of token")
                return
            }
            #expect(access.value == Secret("hidden-access-1"))
            try await proxy.expectNoSecrets(requests: 5)
        }
    }

    @Test("What could not be stored is used on, and not what is stored from before, when the store is back")
    func newest() async throws {
        try await with(GrantingProvider(life: nil)) { proxy, granting in
            let old = StoredCredential(token: .access(AccessToken(Secret("hidden-old"))), obtainedAt: 1)
            try proxy.vault.store(old.bound(to: #require(proxy.bindingOfConfigured)), for: Self.name)
            // The provider refuses the old one, which has no refresh token.
            proxy.store.goAwayAtChange()
            #expect(try await proxy.get().body == "Bearer hidden-access-1")
            proxy.store.comeBack()
            // As when a watch begins anew.
            await proxy.server.generation.invalidation.forget(.any)
            #expect(try await proxy.get().body == "Bearer hidden-access-1")
            #expect(granting.grants == ["password"])
            let stored = try #require(try proxy.vault.load(Self.name))
            #expect(stored.token.authorizes(as: .access(AccessToken(Secret("hidden-access-1")))))
        }
    }

    @Test("What is stored while an exchange runs, by whoever was without the store, stays")
    func storedMeanwhile() async throws {
        let (gate, granting) = (Gate(), GrantingProvider(life: nil))
        let answer: ScriptedProvider.Answer = { request, _ in
            if request.target == GrantingProvider.path { await gate.wait() }
            return granting.answer(request)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request())
                try await provider.received(1, at: GrantingProvider.path)
                let other = StoredCredential(
                    token: .access(AccessToken(Secret(granting.newAccessToken()))),
                    obtainedAt: 1
                )
                let bound = try other.bound(to: #require(proxy.bindingOfConfigured))
                try proxy.vault.store(bound, for: Self.name)
                gate.open()
                #expect(try await client.message().body == "Bearer hidden-access-1")
                #expect(granting.grants == ["password"])
                #expect(try proxy.vault.load(Self.name) == bound)
            }
        }
    }

    @Test("What others store is used when the store is back, if it was away as it was to be read")
    func readLater() async throws {
        let granting = GrantingProvider(life: nil)
        try await ScriptedProvider.with(answer: { request, _ in
            guard request.target != GrantingProvider.path else { return granting.answer(request) }
            return ScriptedProvider.answer("200 OK", request["Authorization"] ?? "")
        }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                #expect(try await proxy.get().body == "Bearer hidden-access-1")
                proxy.store.goAway()
                let other = StoredCredential(token: .access(AccessToken(Secret("hidden-other"))), obtainedAt: 1)
                try proxy.vault.store(other.bound(to: #require(proxy.bindingOfConfigured)), for: Self.name)
                try await proxy.store.failed()
                #expect(try await proxy.get().body == "Bearer hidden-access-1")
                proxy.store.comeBack()
                while try await proxy.get().body != "Bearer hidden-other" { await Task.yield() }
            }
        }
    }

    @Test("What could not be stored before the turn was lost gives way to what somebody else has stored")
    func lostAtStoring() async throws {
        try await with(GrantingProvider(life: nil)) { proxy, granting in
            let binding = try #require(proxy.bindingOfConfigured)
            // The provider refuses it, and it has no refresh token.
            let old = StoredCredential(token: .access(AccessToken(Secret("hidden-old"))), obtainedAt: 1)
            try proxy.vault.store(old.bound(to: binding), for: Self.name)
            let newcomer = StoredCredential(
                token: .access(AccessToken(Secret(granting.newAccessToken()))),
                obtainedAt: 2
            )
            proxy.store.loseTurnAtChange(to: newcomer.bound(to: binding))
            #expect(try await proxy.get().body == "Bearer hidden-access-1")
            #expect(granting.grants == ["password"])
        }
    }

    @Test("What was exchanged meanwhile gives way to what is stored from before, which it was not exchanged for")
    func givesWay() async throws {
        let granting = GrantingProvider()
        // The resources take any token.
        let answer: ScriptedProvider.Answer = { request, _ in
            guard request.target != GrantingProvider.path else { return granting.answer(request) }
            return ScriptedProvider.answer("200 OK", request["Authorization"] ?? "")
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                proxy.store.goAway()
                let old = StoredCredential(token: .access(AccessToken(Secret("hidden-old"))), obtainedAt: 1)
                try proxy.vault.store(old.bound(to: #require(proxy.bindingOfConfigured)), for: Self.name)
                #expect(try await proxy.get().body == "Bearer hidden-access-1")
                proxy.store.comeBack()
                try await proxy.wait { proxy.log.text.contains("goes on with the token that is stored") }
                #expect(try await proxy.get().body == "Bearer hidden-old")
                #expect(granting.grants == ["password"])
            }
        }
    }

    @Test("At its token's end an account gets another one by its password, and its refresh token is not sent")
    func onceOnly() async throws {
        try await with { proxy, granting in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            await proxy.clock.advance(by: .seconds(3600))
            for answer in try await proxy.gets(5) { #expect(answer.body == "Bearer hidden-access-2") }
            #expect(granting.grants == ["password", "password"])
            proxy.store.comeBack()
            // The first was what the account was exchanged for before.
            try await proxy.store.changed(2)
            let stored = try #require(try proxy.vault.load(Self.name))
            #expect(stored.token.authorizes(as: .access(AccessToken(Secret("hidden-access-2")))))
            await proxy.clock.advance(by: .seconds(3600))
            #expect(try await proxy.get().body == "Bearer hidden-access-3")
            #expect(granting.grants == ["password", "password", "refresh"])
            try await proxy.expectNoSecrets(requests: 7)
        }
    }

    @Test("An account gets one, too, when the store goes away as the use of the refresh token is to be noted")
    func goneAtNote() async throws {
        try await with { proxy, granting in
            #expect(try await proxy.get().status == 200)
            await proxy.clock.advance(by: .seconds(3600))
            proxy.store.goAwayAtChange()
            let answer = try await proxy.get()
            #expect(answer.body == "Bearer hidden-access-2")
            #expect(granting.grants == ["password", "password"])
        }
    }

    @Test("What was removed while the store was away is not written again")
    func removedMeanwhile() async throws {
        try await with { proxy, _ in
            #expect(try await proxy.get().status == 200)
            proxy.store.goAway()
            await proxy.clock.advance(by: .seconds(3600))
            #expect(try await proxy.get().body == "Bearer hidden-access-2")
            _ = try proxy.vault.remove(Self.name)
            proxy.store.comeBack()
            try await proxy.wait { proxy.log.text.contains("what was stored before was removed meanwhile") }
            #expect(try proxy.vault.load(Self.name) == nil)
        }
    }

    @Test("A refresh token that was refused is not sent again when the grant that follows is not sent")
    func refusedOnce() async throws {
        let granting = GrantingProvider()
        let upstream = Mutex<ScriptedUpstream?>(nil)
        let answer: ScriptedProvider.Answer = { request, _ in
            let answer = granting.answer(request)
            // The provider goes away behind its refusal.
            if request.body.contains("refresh_token") { await upstream.withLock { $0 }?.refuse() }
            return answer
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            upstream.withLock { $0 = provider.upstream }
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                #expect(try await proxy.get().status == 200)
                granting.expireAccessTokens()
                granting.revokeRefreshTokens()
                #expect(try await proxy.get().status != 200)
                #expect(granting.grants == ["password", "refresh"])
                guard case .access(let access)? = try proxy.vault.load(Self.name)?.token else {
                    Issue.record("nothing is stored")
                    return
                }
                #expect(access.refreshToken == nil && access.refreshTokenUse == .begun)
            }
        }
    }

    @Test("A refresh token that was sent is not sent again when its answer did not come")
    func sentOnce() async throws {
        let gate = Gate()
        let granting = GrantingProvider()
        let answer: ScriptedProvider.Answer = { request, _ in
            guard request.body.contains("refresh_token") else { return granting.answer(request) }
            await gate.wait()
            return granting.answer(request)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                #expect(try await proxy.get().status == 200)
                granting.expireAccessTokens()
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request())
                try await provider.received(2, at: GrantingProvider.path)
                // As it is found by whoever comes after a process that died here.
                guard case .access(let access)? = try proxy.vault.load(Self.name)?.token else {
                    Issue.record("nothing is stored")
                    return
                }
                #expect(access.value == Secret("hidden-access-1"))
                #expect(access.refreshToken == nil)
                #expect(access.refreshTokenUse == .begun)
                gate.open()
                #expect(try await client.message().body == "Bearer hidden-access-2")
                #expect(granting.grants == ["password", "refresh"])
            }
        }
    }

    @Test("After a process that died while it refreshed, the account falls back to its grant, and the log says why")
    func fallsBack() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                let access = AccessToken(Secret("hidden-old"), expiresAt: 1, refreshTokenUse: .begun)
                let stored = StoredCredential(token: .access(access), obtainedAt: 1)
                try proxy.vault.store(stored.bound(to: #require(proxy.bindingOfConfigured)), for: Self.name)
                #expect(try await proxy.get().status == 200)
                #expect(granting.grants == ["password"])
                #expect(proxy.log.text.contains("the refresh token may have been used before"))
            }
        }
    }

    @Test("The provider is not asked about accounts that could not be stored", arguments: EnrolmentAccessType.allCases)
    func enrolment(type: EnrolmentAccessType) async throws {
        let verifying = VerifyingProvider(type: type)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(type, port: provider.upstream.port)) { proxy in
                proxy.store.goAway()
                guard case .storeUnavailable(let detail) = await proxy.enroller.register(.valid(type)) else {
                    Issue.record("another result")
                    return
                }
                #expect(detail.contains("http://etcd.test:2379"))
                #expect(detail.contains("Nothing was asked of the provider"))
                #expect(provider.count(EnrolmentClaim.path) == 0)
                #expect(provider.count(GrantingProvider.path) == 0)
                proxy.store.comeBack()
                #expect(await proxy.enroller.register(.valid(type)) == .created(EnrolmentClaim.valid(type).name))
            }
        }
    }

    @Test("An account that could not be stored once it was verified is reported with what may be lost")
    func enrolmentLost() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.password, port: provider.upstream.port)) { proxy in
                proxy.store.goAwayAtChange()
                guard case .storeUnavailable(let detail) = await proxy.enroller.register(.valid(.password)) else {
                    Issue.record("another result")
                    return
                }
                #expect(detail.contains("it is not known whether it was stored"))
                #expect(!detail.contains("hidden"))
                #expect(granting.grants == ["password"])
            }
        }
    }

    @Test("An account that was enrolled gets another token by its password")
    func enrolled() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.password, port: provider.upstream.port)) { proxy in
                try await proxy.store.doubted(moreOftenThan: 0)
                guard case .created = await proxy.enroller.register(.valid(.password)) else {
                    Issue.record("not enrolled")
                    return
                }
                #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-1")
                await proxy.clock.advance(by: .seconds(3600))
                #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-2")
                let alice = EnrolmentClaim.valid(.password).name
                try await proxy.store.told(of: alice, having: Secret("hidden-access-2"))
                proxy.store.goAway()
                #expect(proxy.server.accountsWithTokens == [alice])
                #expect(proxy.server.tokenUses(enrolled: [alice], isStoreAway: true)[alice]?.hasToken == true)
                await proxy.clock.advance(by: .seconds(3600))
                #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-3")
                #expect(granting.grants == ["password", "refresh", "password"])
            }
        }
    }

    @Test("An enrolled account gets one, too, when it was told to have changed while it was read first")
    func changedAsRead() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.password, port: provider.upstream.port)) { proxy in
                let alice = AccountReference.enrolled(api: 0, name: "alice")
                try await proxy.store.doubted(moreOftenThan: 0)
                guard case .created = await proxy.enroller.register(.valid(.password)) else {
                    Issue.record("not enrolled")
                    return
                }
                let name = EnrolmentClaim.valid(.password).name
                try await proxy.store.told(of: name, having: Secret("hidden-access-1"))
                proxy.store.fallSilent()
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request(account: "alice"))
                try await proxy.store.asked()
                await proxy.server.generation.invalidation.forget([alice])
                proxy.store.comeBack()
                #expect(try await client.message().body == "Bearer hidden-access-1")
                let held = proxy.held.credential(of: alice)
                #expect(held?.login != nil)
            }
        }
    }

    @Test("An account that only the store knows cannot be served, and the client is told why")
    func unknownAccount() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.password, port: provider.upstream.port)) { proxy in
                proxy.store.goAway()
                let answer = try await proxy.get(account: "alice")
                #expect(answer.status == 503)
                #expect(answer["Retry-After"] == "1")
                #expect(answer.body.contains("The store of credentials does not answer"))
            }
        }
    }
}
