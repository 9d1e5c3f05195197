import Credentials
import OAuthSigning
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("Accounts that are enrolled while the proxy runs", .generousLimit, .timed)
struct EnrolledAccountTests {
    private func with(
        _ type: EnrolmentAccessType,
        isTwoLooped: Bool = false,
        _ body: (RunningProxy, VerifyingProvider, ScriptedProvider) async throws -> Void
    ) async throws {
        let verifying = VerifyingProvider(type: type)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            var setup = ProxySetup.enrolling(type, port: provider.upstream.port)
            setup.isTwoLooped = isTwoLooped
            try await RunningProxy.with(setup) { try await body($0, verifying, provider) }
        }
    }

    /// Runs something while a client waits for an account whose renewal the provider answers when the gate is opened.
    private func withRenewal(
        of claim: EnrolmentClaim,
        _ body: (RunningProxy, Wire, Gate, GrantingProvider) async throws -> Void
    ) async throws {
        let gate = Gate()
        let granting = GrantingProvider()
        let answer: ScriptedProvider.Answer = { request, _ in
            if request.body.contains("refresh_token") { await gate.wait() }
            return granting.answer(request)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(.enrolling(.password, port: provider.upstream.port)) { proxy in
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
                #expect(try await proxy.get(account: "alice").status == 200)
                granting.expireAccessTokens()
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request(account: "alice"))
                try await provider.received(2, at: GrantingProvider.path)
                try await body(proxy, client, gate, granting)
            }
        }
    }

    private func expectUnknown(_ answer: Message) {
        #expect(answer.status == 403)
        #expect(answer.proxyError == "http_request_denied")
        #expect(answer.body.contains("has no account 'alice'"), "\(answer.body)")
    }

    @Test(
        "Requests are authorized as it from then on, and refused after it is removed",
        arguments: EnrolmentAccessType.allCases
    )
    func enrols(type: EnrolmentAccessType) async throws {
        let claim = EnrolmentClaim.valid(type)
        try await with(type, isTwoLooped: true) { proxy, verifying, provider in
            for _ in 0..<2 {
                let asked = provider.count("/")
                for answer in try await proxy.gets(4, account: "alice") { expectUnknown(answer) }
                #expect(provider.count("/") == asked)
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
                let answers = try await proxy.gets(10, account: "alice")
                #expect(answers.allSatisfy { $0.status == 200 }, "\(answers)")
                #expect(try await proxy.enroller.accounts().names == [claim.name])
                #expect(try await proxy.enroller.remove(claim.name))
                #expect(try await !proxy.enroller.remove(claim.name))
                for answer in try await proxy.gets(4, account: "alice") { expectUnknown(answer) }
            }
            #expect(verifying.granting.grants == (type == .password ? ["password", "password"] : []))
            try await proxy.expectNoSecrets(requests: 36)
        }
    }

    @Test(
        "The same claim again is known, and another passcode takes its place",
        arguments: EnrolmentAccessType.allCases
    )
    func enrolsAgain(type: EnrolmentAccessType) async throws {
        let claim = EnrolmentClaim.valid(type)
        try await with(type) { proxy, _, _ in
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            let first = try await proxy.get(account: "alice")
            #expect(await proxy.enroller.register(claim) == .existed(claim.name))
            let second = try await proxy.get(account: "alice")
            #expect(second.body == first.body)
            // As an earlier claim left it.
            var stored = try #require(try proxy.vault.load(claim.name))
            switch type {
            case .oauth1: stored.token = .oauth1(TokenCredentials(token: "token", secret: Secret("hidden-old")))
            case .bearer: stored.token = .access(AccessToken(Secret("hidden-old")))
            case .password: stored.login?.password = Secret("hidden-old")
            }
            try proxy.vault.store(stored, for: claim.name)
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            #expect(try await proxy.get(account: "alice").status == 200)
        }
    }

    @Test("It is there after a restart, and a password's tokens are renewed as a configured account's")
    func survivesRestart() async throws {
        let directory = try TestDirectory()
        let key = VaultKey.generate()
        let granting = GrantingProvider()
        let claim = EnrolmentClaim.valid(.password)
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = ProxySetup.enrolling(.password, port: provider.upstream.port)
            try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key) { proxy in
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
            }
            try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key) { proxy in
                let first = try await proxy.get(account: "alice")
                #expect(first.body == "Bearer hidden-access-1")
                granting.expireAccessTokens()
                granting.revokeRefreshTokens()
                let answers = try await proxy.gets(5, account: "alice")
                #expect(answers.allSatisfy { $0.body == "Bearer hidden-access-2" })
                #expect(granting.grants == ["password", "refresh", "password"])
                let stored = try proxy.vault.load(claim.name)
                #expect(stored?.origin == .enrolment)
                #expect(stored?.login?.password == Secret("hidden-password"))
                try await proxy.expectNoSecrets(requests: 6)
            }
        }
    }

    @Test("A renewal that is under way does not bring a removed account back, nor keep it from enrolling again")
    func staysRemoved() async throws {
        let claim = EnrolmentClaim.valid(.password)
        try await withRenewal(of: claim) { proxy, client, gate, _ in
            #expect(try await proxy.enroller.remove(claim.name))
            gate.open()
            let answer = try await client.message()
            #expect(answer.status == 401)
            #expect(answer.refusal?.details.contains("the account was removed") == true, "\(answer)")
            expectUnknown(try await proxy.get(account: "alice"))
            #expect(try await proxy.enroller.accounts().names.isEmpty)
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-3")
        }
    }

    @Test("A renewal that is under way does not undo that the account is enrolled anew with the same password")
    func keepsNewToken() async throws {
        let claim = EnrolmentClaim.valid(.password)
        try await withRenewal(of: claim) { proxy, client, gate, granting in
            #expect(try await proxy.enroller.remove(claim.name))
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            gate.open()
            #expect(try await client.message().body == "Bearer hidden-access-2")
            let stored = try #require(try proxy.vault.load(claim.name))
            #expect(stored.token.authorizes(as: .access(AccessToken(Secret("hidden-access-2")))))
            #expect(granting.grants == ["password", "password", "refresh"])
        }
    }

    @Test("A renewal that is under way does not undo that the account is enrolled with another password")
    func keepsNewPassword() async throws {
        let claim = EnrolmentClaim.valid(.password)
        try await withRenewal(of: claim) { proxy, client, gate, _ in
            var stored = try #require(try proxy.vault.load(claim.name))
            stored.login?.password = Secret("hidden-new")
            try proxy.vault.store(stored, for: claim.name)
            gate.open()
            _ = try await client.message()
            #expect(try proxy.vault.load(claim.name)?.login?.password == Secret("hidden-new"))
        }
    }

    @Test(
        "Names that merely look alike are other accounts",
        arguments: [("jos\u{E9}", "jose\u{301}"), ("K", "\u{212A}")]
    )
    func tellsNamesApart(one: String, other: String) async throws {
        let verifying = VerifyingProvider(type: .bearer)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            try await RunningProxy.with(.enrolling(.bearer, port: provider.upstream.port)) { proxy in
                for (name, token) in [(one, "hidden-bearer"), (other, "hidden-other")] {
                    let credential = StoredCredential(
                        token: .access(AccessToken(Secret(token))),
                        obtainedAt: 0,
                        origin: .enrolment
                    )
                    try proxy.vault.store(
                        credential.bound(to: proxy.bindingOfEnrolled),
                        for: CredentialName(api: "api", account: name)
                    )
                }
                for _ in 0..<2 {
                    #expect(try await proxy.get(account: one).status == 200)
                    #expect(try await proxy.get(account: other).status == 401)
                }
                #expect(try await proxy.enroller.remove(CredentialName(api: "api", account: one)))
                #expect(try await proxy.get(account: one).status == 403)
                #expect(try await proxy.get(account: other).status == 401)
            }
        }
    }

    @Test("A password that was changed is enrolled anew, and no back-off is waited for")
    func enrolsNewPassword() async throws {
        try await with(.password) { proxy, verifying, _ in
            let claim = EnrolmentClaim.valid(.password)
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            var stored = try #require(try proxy.vault.load(claim.name))
            stored.login?.password = Secret("hidden-old")
            try proxy.vault.store(stored, for: claim.name)
            verifying.granting.expireAccessTokens()
            verifying.granting.revokeRefreshTokens()
            let refused = try await proxy.get(account: "alice")
            #expect(refused.status == 401)
            #expect(refused.refusal?.details.contains("password grant") == true)
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            #expect(try await proxy.get(account: "alice").body == "Bearer hidden-access-2")
        }
    }

    @Test("A token is renewed with what the vault holds, when that is not at hand any more")
    func renewsFromVault() async throws {
        try await with(.password) { proxy, verifying, _ in
            let claim = EnrolmentClaim.valid(.password)
            #expect(await proxy.enroller.register(claim) == .created(claim.name))
            let first = try await proxy.get(account: "alice")
            #expect(first.body == "Bearer hidden-access-1")
            verifying.granting.expireAccessTokens()
            proxy.held.forget(nil)
            let second = try await proxy.get(account: "alice")
            #expect(second.body == "Bearer hidden-access-2")
            #expect(verifying.granting.grants == ["password", "refresh"])
        }
    }

    @Test("Many enrol at once, and each is itself")
    func enrolsMany() async throws {
        try await with(.password, isTwoLooped: true) { proxy, verifying, _ in
            let names = (0..<12).map { "user-\($0)" }
            try await withThrowingTaskGroup(of: (EnrolmentResult, String, String).self) { tasks in
                for name in names {
                    tasks.addTask {
                        let claim = EnrolmentClaim.valid(.password, passkey: name)
                        let result = await proxy.enroller.register(claim)
                        let first = try await proxy.get(account: name)
                        let second = try await proxy.get(account: name)
                        #expect(result == .created(claim.name))
                        #expect(first.status == 200)
                        return (result, first.body, second.body)
                    }
                }
                var tokens: Set<String> = []
                for try await (_, first, second) in tasks {
                    #expect(first == second)
                    tokens.insert(first)
                }
                #expect(tokens.count == names.count)
            }
            #expect(verifying.granting.forms.count == names.count)
            #expect(try await proxy.enroller.accounts().names.count == names.count)
        }
    }

    @Test("An entry of the vault that enrolment did not make is no account")
    func needsEnrolment() async throws {
        try await with(.bearer) { proxy, _, provider in
            let name = EnrolmentClaim.valid(.bearer).name
            for origin in [CredentialOrigin.login, .exchange] {
                let token = AccountToken.access(AccessToken(Secret("hidden-bearer")))
                let stored = StoredCredential(token: token, obtainedAt: 1, origin: origin)
                try proxy.vault.store(stored.bound(to: proxy.bindingOfEnrolled), for: name)
                expectUnknown(try await proxy.get(account: "alice"))
            }
            // A token of another kind than the API's is not used either.
            let token = AccountToken.oauth1(TokenCredentials(token: "token", secret: Secret("hidden")))
            let stored = StoredCredential(token: token, obtainedAt: 1, origin: .enrolment)
            try proxy.vault.store(stored.bound(to: proxy.bindingOfEnrolled), for: name)
            expectUnknown(try await proxy.get(account: "alice"))
            #expect(provider.count("/") == 0)
        }
    }

    @Test(
        "What another process enrols and removes is noticed, also where the file's name does not say whose it is",
        arguments: ["alice", String(repeating: "\u{FC}", count: 64)]
    )
    func followsVault(account: String) async throws {
        let directory = try TestDirectory()
        let key = VaultKey.generate()
        let claim = EnrolmentClaim.valid(.bearer, passkey: account)
        let verifying = VerifyingProvider(type: .bearer)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            let setup = ProxySetup.enrolling(.bearer, port: provider.upstream.port)
            try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key) { proxy in
                let other = try Vault(directory: directory.path, key: key)
                let token = AccountToken.access(AccessToken(Secret("hidden-bearer")))
                let stored = StoredCredential(token: token, obtainedAt: 1, origin: .enrolment)
                    .bound(to: proxy.bindingOfEnrolled)
                try other.store(stored, for: claim.name)
                #expect(try await proxy.get(account: account).status == 200)
                #expect(try other.remove(claim.name))
                // It is told of a moment later.
                while try await proxy.get(account: account).status != 403 { try Task.checkCancellation() }
                try other.store(stored, for: claim.name)
                #expect(try await proxy.get(account: account).status == 200)
            }
        }
    }
}
