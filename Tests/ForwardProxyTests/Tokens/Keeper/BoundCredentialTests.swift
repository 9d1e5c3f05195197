import Bytes
import Credentials
import NIOCore
import OAuthSigning
import ProviderSimulator
import Routing
import Settings
import Testing
import TestSupport
import UpstreamTrust

@testable import ForwardProxy

@Suite("Stored credentials and the settings that they were obtained under", .generousLimit, .timed)
struct BoundCredentialTests {
    private let directory: TestDirectory
    private let key = VaultKey.generate()

    init() throws { directory = try TestDirectory() }

    private func with(_ setup: ProxySetup, _ body: (RunningProxy) async throws -> Void) async throws {
        try await RunningProxy.with(setup, vaultDirectory: directory, vaultKey: key, body)
    }

    private static let name = CredentialName(api: "api", account: "default")

    /// The lines of the log that say that a credential is not used.
    private func told(_ proxy: RunningProxy) -> Int {
        proxy.log.text.components(separatedBy: "the stored credential of an account is not used").count - 1
    }

    enum Change: CaseIterable {
        case user, client, tokenEndpoint, hosts, address

        func apply(to setup: inout ProxySetup) {
            guard case .oauth2(var settings) = setup.apis[0].scheme else { return }
            switch self {
            case .user:
                let login = PasswordCredentials(username: "bob", password: Secret("hidden-password"))
                setup.apis[0].accounts = [AccountSettings(name: "default", source: .password(login))]
            case .client: settings.clientID = "other"
            case .tokenEndpoint: settings.tokenURL = "http://api.test:80\(GrantingProvider.path)"
            case .hosts: setup.apis[0].hosts.append("other.test")
            case .address: setup.apis[0].connectHost = "localhost"
            }
            setup.apis[0].scheme = .oauth2(settings)
        }
    }

    @Test("Another user, client, endpoint, host or address means another token, after a reload and after a restart")
    func grantsAnew() async throws {
        for change in Change.allCases {
            for isReloaded in [true, false] {
                let granting = GrantingProvider()
                try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
                    let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
                    var changed = setup
                    change.apply(to: &changed)
                    try await with(setup) { proxy in
                        let first = try await proxy.get()
                        #expect(first.body == "Bearer hidden-access-1")
                        if isReloaded {
                            try await proxy.reload(changed)
                            try await expectSecondGrant(proxy, granting, change, earlier: 1)
                        }
                    }
                    if !isReloaded {
                        try await with(changed) { try await expectSecondGrant($0, granting, change) }
                    }
                    try await with(changed) { proxy in
                        let kept = try await proxy.get()
                        #expect(kept.body == "Bearer hidden-access-2")
                        try proxy.vault.remove(Self.name)
                    }
                }
            }
        }
    }

    @Test("Two proxies whose hosts differ keep their tokens until those are over, whatever the other one stores")
    func rollingUpdate() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            var updated = setup
            Change.hosts.apply(to: &updated)
            try await with(setup) { [updated] earlier in
                try await with(updated) { later in
                    func expect(_ tokens: (String, String)) async throws {
                        for (proxy, token) in [(earlier, tokens.0), (later, tokens.1)] {
                            // As a watch does, once the other one's token is stored.
                            await proxy.server.generation.invalidation.forgetAccount(Self.name)
                            let answers = try await proxy.gets(3)
                            #expect(answers.map(\.body) == Array(repeating: "Bearer hidden-access-\(token)", count: 3))
                        }
                    }
                    try await expect(("1", "2"))
                    try await expect(("1", "2"))
                    await earlier.clock.advance(by: .seconds(3600))
                    try await expect(("3", "2"))
                    try await expect(("3", "2"))
                    #expect(granting.grants == ["password", "password", "password"])
                }
            }
        }
    }

    @Test("An address counts where no public authority vouches for the server's name, and nowhere else")
    func bindsAddress() throws {
        let root = try ServerIdentity.shared.get().root
        let hosts = [try HostPattern("api.test")]
        let login = PasswordCredentials(username: "alice", password: Secret("hidden-password"))
        let account = AccountSettings(name: "default", source: .password(login))
        let ways: [(URIScheme, TLSPolicy, counts: Bool)] = [
            (.https, TLSPolicy(), false), (.http, TLSPolicy(), true),
            (.https, TLSPolicy(verifiesHostname: false), true), (.https, TLSPolicy(trust: .certificates([root])), true),
        ]
        for (scheme, tls, counts) in ways {
            let bindings = try [nil, "10.0.0.1:443", "10.0.0.2:443"].map { address in
                let api = APISettings(
                    route: APIRoute(
                        index: 0,
                        name: "api",
                        hosts: hosts,
                        accounts: [account.name],
                        upstreamScheme: scheme
                    ),
                    connectTo: try address.map { try Authority(parsing: $0, defaultPort: nil) },
                    scheme: .bearer(.bearer),
                    accounts: [account],
                    tls: tls
                )
                return [api.binding(of: account), api.binding(enrolledBy: nil)]
            }
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                for kind in 0...1 {
                    #expect((bindings[one][kind] != bindings[other][kind]) == counts, "\(scheme) \(tls)")
                }
            }
        }
    }

    private func expectSecondGrant(
        _ proxy: RunningProxy,
        _ granting: GrantingProvider,
        _ change: Change,
        earlier: Int = 0
    ) async throws {
        for _ in 0..<2 {
            let second = try await proxy.get()
            #expect(second.body == "Bearer hidden-access-2", "\(change)")
        }
        #expect(granting.grants == ["password", "password"], "\(change)")
        if change == .user { #expect(granting.forms.last?.contains("username=bob") == true) }
        #expect(told(proxy) == 1)
        #expect(proxy.log.text.contains("obtained for other settings"))
        try await proxy.expectNoSecrets(requests: earlier + 2)
    }

    @Test("A password or a client secret that has changed leaves the token as it is")
    func keepsToken() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            var setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            try await with(setup) { _ = try await $0.get() }
            let login = PasswordCredentials(username: "alice", password: Secret("hidden-new"))
            setup.apis[0].accounts = [AccountSettings(name: "default", source: .password(login))]
            try await with(setup) { proxy in
                let second = try await proxy.get()
                #expect(second.body == "Bearer hidden-access-1")
                #expect(told(proxy) == 0)
            }
        }
    }

    @Test("An account of the configuration does not use what was enrolled under its name, and leaves it there")
    func leavesEnrolled() async throws {
        let granting = GrantingProvider()
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            var setup = ProxySetup.enrolling(.password, port: provider.upstream.port)
            try await with(setup) { proxy in
                let claim = EnrolmentClaim.valid(.password)
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
                let first = try await proxy.get(account: "alice")
                #expect(first.body == "Bearer hidden-access-1")
            }
            let enrolled = try Vault(directory: directory.path, key: key).load(EnrolmentClaim.valid(.password).name)
            let login = PasswordCredentials(username: "somebody", password: Secret("hidden-password"))
            setup.apis[0].accounts = [AccountSettings(name: "alice", source: .password(login))]
            try await with(setup) { proxy in
                for _ in 0..<2 {
                    let second = try await proxy.get(account: "alice")
                    #expect(second.body == "Bearer hidden-access-2")
                }
                #expect(granting.forms.last?.contains("username=somebody") == true)
                granting.expireAccessTokens()
                let renewed = try await proxy.get(account: "alice")
                #expect(renewed.body == "Bearer hidden-access-3")
                #expect(told(proxy) == 1)
                #expect(proxy.log.text.contains("the configuration names the account now"))
                let kept = try proxy.vault.load(EnrolmentClaim.valid(.password).name)
                #expect(kept == enrolled)
            }
        }
    }

    @Test("What was enrolled under the name of an account with a token of its own stays, and is told")
    func tellsEnrolled() async throws {
        let verifying = VerifyingProvider(type: .bearer)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            var setup = ProxySetup.enrolling(.bearer, port: provider.upstream.port)
            let claim = EnrolmentClaim.valid(.bearer)
            try await with(setup) { proxy in
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
            }
            setup.apis[0].accounts = [AccountSettings(name: "alice", source: .bearer(Secret("hidden-static")))]
            try await with(setup) { proxy in
                for _ in 0..<2 {
                    let answer = try await proxy.get(account: "alice")
                    #expect(answer.status == 401)
                }
                // The vault is read beside the request.
                while told(proxy) == 0 { await Task.yield() }
                #expect(told(proxy) == 1)
                #expect(proxy.log.text.contains("the configuration says now how the account is authorized"))
                let isKept = try proxy.vault.load(claim.name) != nil
                #expect(isKept)
            }
        }
    }

    @Test("A credential that was not enrolled makes no account, and is told")
    func tellsUnnamed() async throws {
        let verifying = VerifyingProvider(type: .bearer)
        try await ScriptedProvider.with(answer: { request, _ in verifying.answer(request) }) { provider in
            let name = EnrolmentClaim.valid(.bearer).name
            let stored = StoredCredential(token: .access(AccessToken(Secret("hidden-bearer"))), obtainedAt: 1)
            try Vault(directory: directory.path, key: key).store(stored, for: name)
            try await with(.enrolling(.bearer, port: provider.upstream.port)) { proxy in
                for _ in 0..<2 {
                    let answer = try await proxy.get(account: "alice")
                    #expect(answer.status == 403)
                }
                #expect(told(proxy) == 1)
                #expect(proxy.log.text.contains("it was not enrolled"))
                let isKept = try proxy.vault.load(name) != nil
                #expect(isKept)
                #expect(provider.count("/") == 0)
            }
        }
    }

    enum Move: CaseIterable {
        case hosts, verifyURL, idMember

        func apply(to setup: inout ProxySetup) {
            switch self {
            case .hosts: setup.apis[0].hosts.append("other.test")
            case .verifyURL: setup.enrolment?.targets[.bearer]?.verifyURL = "http://api.test\(EnrolmentClaim.path)?v=2"
            case .idMember: setup.enrolment?.targets[.bearer]?.idMember = "name"
            }
        }
    }

    @Test(
        "An enrolled account whose API has moved, or is asked elsewhere who it is, is none until it is enrolled again",
        arguments: Move.allCases
    )
    func movesEnrolled(move: Move) async throws {
        var verifying = VerifyingProvider(type: .bearer)
        verifying.me = ScriptedProvider.answer("200 OK", #"{"id":"alice","name":"alice"}"#)
        let answer = verifying.answer
        try await ScriptedProvider.with(answer: { request, _ in answer(request) }) { provider in
            var setup = ProxySetup.enrolling(.bearer, port: provider.upstream.port)
            let claim = EnrolmentClaim.valid(.bearer)
            try await with(setup) { proxy in
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
            }
            move.apply(to: &setup)
            try await with(setup) { proxy in
                let refused = try await proxy.get(account: "alice")
                #expect(refused.status == 403)
                #expect(provider.count("/") == 0)
                #expect(proxy.log.text.contains("it has to be enrolled again"))
                let names = try await proxy.enroller.accounts().names
                #expect(names == [claim.name])
                #expect(await proxy.enroller.register(claim) == .created(claim.name))
                let accepted = try await proxy.get(account: "alice")
                #expect(accepted.status == 200)
                #expect(await proxy.enroller.register(claim) == .existed(claim.name))
            }
        }
    }

    @Test("What an earlier version stored is kept, and used by nobody: it does not say what it was obtained under")
    func refusesUnbound() async throws {
        let threeLegged = TokenSource.threeLegged(
            ThreeLeggedSettings(
                requestTokenURL: "http://api.test/request_token",
                authorizeURL: "http://api.test/authorize",
                accessTokenURL: "http://api.test/access_token"
            )
        )
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].accounts = [AccountSettings(name: "default", source: threeLegged)]
        // Before the proxy looks: what comes into the vault later is news.
        let stored = StoredCredential(token: .oauth1(ProxySetup.Secrets.token), obtainedAt: 1, origin: .login)
        try Vault(directory: directory.path, key: key).store(stored, for: Self.name)
        try await with(setup) { proxy in
            for _ in 0..<2 {
                let answer = try await proxy.get()
                #expect(answer.status == 403)
                #expect(answer.body.contains("paraph login api"))
            }
            #expect(told(proxy) == 1)
            #expect(proxy.log.text.contains("stored by an earlier version"))
            #expect(upstream.connectionCount == 0)
            #expect(try proxy.vault.load(Self.name) == stored)
            try await proxy.expectNoSecrets(requests: 2)
        }
        await upstream.stop()
    }
}
