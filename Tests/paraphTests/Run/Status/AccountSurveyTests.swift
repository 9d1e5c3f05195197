import AdminServer
import CredentialStores
import Credentials
import FoundationEssentials
import ForwardProxy
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings
import TestSupport
import Testing

@testable import paraph

@Suite("The accounts of a configuration and its vault")
struct AccountSurveyTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let yaml = """
        apis:
          x:
            hosts: [x.example]
            oauth1: {consumer_key: k, consumer_secret: s}
            accounts:
              written: {token: canary-token, token_secret: canary-secret}
              alone: {two_legged: true}
              person:
                three_legged:
                  request_token_url: https://x.example/r
                  authorize_url: https://x.example/a
                  access_token_url: https://x.example/t
          members:
            hosts: [members.example]
            oauth2: {token_url: "https://members.example/token", client_id: i, client_secret: canary-client}
            accounts:
              alice: {password: {username: alice, password: canary-password}}
        enrolment:
          access_types:
            0: {api: members}
        """

    private static let person = CredentialName(api: "x", account: "person")
    private static let alice = CredentialName(api: "members", account: "alice")

    private struct Scene {
        let configuration: Configuration
        let vault: Vault

        init(_ directory: TestDirectory) throws {
            let file = try directory.write(AccountSurveyTests.yaml, to: "paraph.yaml")
            configuration = try Configuration.load(path: file, environment: [:])
            vault = try Vault(directory: directory("vault"), key: .generate())
        }

        func store(
            _ token: AccountToken,
            _ name: CredentialName,
            isEnrolled: Bool = false,
            isBound: Bool = true
        ) throws {
            guard let api = configuration.proxy.apis.first(where: { $0.name == name.api }) else { return }
            let account = api.accounts.first { $0.name == name.account }
            let binding =
                account.flatMap { api.binding(of: $0) }
                ?? api.binding(enrolledBy: configuration.proxy.enrolment?.target(of: api.route.index))
            var credential = StoredCredential(
                token: token,
                obtainedAt: 1_700_000_000,
                origin: isEnrolled ? .enrolment : .exchange
            )
            if isBound { credential = credential.bound(to: binding) }
            try vault.store(credential, for: name)
        }

        func accounts(
            preferring preferred: Set<CredentialName> = [],
            uses: [CredentialName: TokenUse] = [:],
            exchanges: [CredentialName: LastExchange] = [:]
        ) async -> [AccountStatus] {
            let stored = (try? vault.listing().names) ?? []
            return await status(
                of: AccountSurvey(configuration, stored: stored, preferring: preferred),
                uses: uses,
                exchanges: exchanges
            )
        }

        func status(
            of survey: AccountSurvey,
            uses: [CredentialName: TokenUse] = [:],
            exchanges: [CredentialName: LastExchange] = [:]
        ) async -> [AccountStatus] {
            var entries: [CredentialName: VaultEntry] = [:]
            for name in survey.keptInVault {
                entries[name] = await VaultEntry(name, in: DirectoryStore(vault), by: configuration)
            }
            return survey.status(
                entries: entries,
                uses: uses,
                exchanges: exchanges,
                now: AccountSurveyTests.now
            )
        }
    }

    private static func access(expiresAt: UInt64?) -> AccountToken {
        .access(AccessToken(Secret("canary-access"), expiresAt: expiresAt))
    }

    private static let failure = LastExchange(
        time: 1_799_999_990,
        failure: ExchangeFailure(step: "password grant", status: 401, words: "", cause: .loginRefused)
    )

    @Test("Before anything is stored")
    func empty() async throws {
        let directory = try TestDirectory()
        let accounts = try await Scene(directory).accounts()
        #expect(accounts.map(\.account) == ["written", "alone", "person", "alice"])
        #expect(accounts.map(\.source) == [.issued, .twoLegged, .threeLegged, .password])
        #expect(accounts.map(\.state) == [.ready, .ready, .needsLogin, .notYet])
    }

    @Test("What the vault holds, and what the proxy has in use besides")
    func stored() async throws {
        let directory = try TestDirectory()
        let scene = try Scene(directory)
        let token = TokenCredentials(token: "canary-token", secret: Secret("canary-secret"))
        try scene.store(.oauth1(token), Self.person)
        try scene.store(Self.access(expiresAt: 1_800_000_060), Self.alice)
        var accounts = await scene.accounts()
        #expect(accounts[2...].map(\.state) == [.ready, .ready])
        #expect(accounts[3].expires == Date(timeIntervalSince1970: 1_800_000_060))
        let stored = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(accounts.map(\.obtained) == [nil, nil, stored, stored])
        let waiter = WaitingClient(name: "bob", address: "192.0.2.7", requests: 2, since: 1_799_999_980)
        accounts = await scene.accounts(
            uses: [Self.alice: TokenUse(hasToken: true, expiresAt: 1_800_000_600, waiting: 3, waiters: [waiter])],
            exchanges: [Self.alice: LastExchange(time: 1_799_999_990)]
        )
        #expect(accounts[3].expires == Date(timeIntervalSince1970: 1_800_000_600))
        #expect(accounts[3].waiting == 3)
        let since = Date(timeIntervalSince1970: 1_799_999_980)
        #expect(accounts[3].waiters == [WaiterStatus(client: "bob", address: "192.0.2.7", requests: 2, since: since)])
        #expect(accounts[3].obtained == Date(timeIntervalSince1970: 1_799_999_990))
        #expect(accounts[3].lastExchange?.result == .succeeded)
        #expect(!"\(accounts)".contains("canary"))
    }

    @Test("A token that is over, with the exchange that should have brought another, and without")
    func expired() async throws {
        let directory = try TestDirectory()
        let scene = try Scene(directory)
        try scene.store(Self.access(expiresAt: 1_800_000_000), Self.alice)
        #expect(await scene.accounts()[3].state == .expired)
        #expect(await scene.accounts(exchanges: [Self.alice: Self.failure])[3].state == .failing)
        #expect(
            await scene.accounts(uses: [Self.alice: TokenUse(hasToken: true)], exchanges: [Self.alice: Self.failure])[3]
                .state
                == .ready
        )
    }

    @Test("What was obtained for other settings is not used, and a file that is damaged neither")
    func unusable() async throws {
        let directory = try TestDirectory()
        let scene = try Scene(directory)
        let token = TokenCredentials(token: "canary-token", secret: Secret("canary-secret"))
        try scene.store(.oauth1(token), Self.person, isBound: false)
        let path = directory("vault/\(Vault.fileName(of: Self.alice))")
        _ = try directory.write("canary damage", to: "vault/\(Vault.fileName(of: Self.alice))")
        let accounts = await scene.accounts()
        #expect(accounts[2].state == .needsLogin)
        #expect(accounts[2].detail?.contains("earlier version") == true)
        #expect(accounts[3].state == .unusable)
        #expect(accounts[3].detail?.contains(path) == true)
    }

    @Test("While the vault is away, what is known without it is told, and of others that it is not known")
    func away() async throws {
        let directory = try TestDirectory()
        let configuration = try Scene(directory).configuration
        let bob = CredentialName(api: "members", account: "bob")
        let survey = AccountSurvey(configuration, stored: [bob], preferring: [])
        let absence = VaultEntry(.etcdUnavailable(etcd: "http://etcd.test:2379", reason: "no answer in time"))
        func accounts(_ exchanges: [CredentialName: LastExchange] = [:]) -> [AccountStatus] {
            survey.status(
                entries: [Self.person: absence, Self.alice: absence, bob: absence],
                uses: [Self.person: TokenUse(hasToken: true), bob: TokenUse(hasToken: true, expiresAt: 1_800_000_060)],
                exchanges: exchanges,
                now: Self.now
            )
        }
        #expect(accounts().map(\.account) == ["written", "alone", "person", "alice", "bob"])
        #expect(accounts().map(\.state) == [.ready, .ready, .ready, .unknown, .ready])
        #expect(accounts()[3].detail == "etcd (http://etcd.test:2379) cannot be reached: no answer in time.")
        #expect(accounts().filter { $0.detail != nil }.count == 1)
        #expect(accounts([Self.alice: Self.failure])[3].state == .failing)
    }

    @Test("A few hundred of the enrolled accounts are shown, those in trouble among them")
    func enrolled() async throws {
        let directory = try TestDirectory()
        let scene = try Scene(directory)
        for number in 0..<258 {
            let name = CredentialName(api: "members", account: "id\(1000 + number)")
            try scene.store(Self.access(expiresAt: nil), name, isEnrolled: true)
        }
        let last = CredentialName(api: "members", account: "id1257")
        let survey = AccountSurvey(scene.configuration, stored: try scene.vault.listing().names, preferring: [last])
        #expect(survey.leftOut == 2)
        #expect(survey.enrolled.count == 256)
        #expect(survey.enrolled.last == last)
        let accounts = await scene.status(of: survey, exchanges: [last: Self.failure])
        #expect(accounts.count == 260)
        #expect(accounts.dropFirst(4).allSatisfy { $0.source == .enrolment && $0.state == .ready })
    }

    @Test(
        "One account is found by its name",
        arguments: [
            ("x", "alone", [AccountStatus.Source.twoLegged]), ("members", "7", [.enrolment]), ("members", "8", []),
        ]
    )
    func one(api: String, account: String, sources: [AccountStatus.Source]) async throws {
        let directory = try TestDirectory()
        let scene = try Scene(directory)
        let enrolled = CredentialName(api: "members", account: "7")
        try scene.store(Self.access(expiresAt: nil), enrolled, isEnrolled: true)
        let survey = AccountSurvey(scene.configuration, account: CredentialName(api: api, account: account))
        #expect(await scene.status(of: survey).map(\.source) == sources)
    }
}
