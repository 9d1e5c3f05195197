import Bytes
import Credentials
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Accounts of every kind", .generousLimit, .timed)
struct AccountSourceTests {
    private func with(
        _ source: TokenSource,
        scheme: AuthorizationScheme = .oauth1(OAuth1Settings(client: ProxySetup.Secrets.client)),
        name: String = "default",
        answer: @escaping ScriptedProvider.Answer,
        _ body: (RunningProxy, ScriptedProvider) async throws -> Void
    ) async throws {
        try await ScriptedProvider.with(answer: answer) { provider in
            var setup = ProxySetup(apis: [ProxySetup.API(port: provider.upstream.port)])
            setup.apis[0].scheme = scheme
            setup.apis[0].accounts = [AccountSettings(name: name, source: source)]
            try await RunningProxy.with(setup) { try await body($0, provider) }
        }
    }

    // MARK: Tokens that the configuration has

    @Test("A static access token is sent as it is, and its refusal says where to put another")
    func sendsBearer() async throws {
        let answer: ScriptedProvider.Answer = { request, count in
            count == 1
                ? ScriptedProvider.answer("200 OK", request["Authorization"] ?? "")
                : ScriptedProvider.answer("401 No", fields: "WWW-Authenticate: Bearer error=\"invalid_token\"\n")
        }
        try await with(.bearer(Secret("hidden-static")), scheme: .bearer(.bearer), answer: answer) { proxy, provider in
            #expect(try await proxy.get().body == "Bearer hidden-static")
            let refused = try await proxy.get()
            #expect(refused.status == 401)
            let remedy = "Put a new one in the configuration of api/default."
            #expect(refused.refusal?.details.hasPrefix("Token refused") == true)
            #expect(refused.refusal?.details.contains(remedy) == true)
            #expect(provider.count("/") == 2)
            try await proxy.expectNoSecrets(requests: 2)
        }
    }

    @Test(
        "A static access token that no field may have is not sent",
        arguments: ["hidden token", "hidden\r\nX: y", ""]
    )
    func refusesUnsendable(token: String) async throws {
        let answer: ScriptedProvider.Answer = { _, _ in ScriptedProvider.answer("200 OK") }
        try await with(.bearer(Secret(token)), scheme: .bearer(.bearer), answer: answer) { proxy, provider in
            let answer = try await proxy.get()
            #expect(answer.status == 502)
            #expect(answer.body.contains("no header field may have"))
            #expect(provider.count("/") == 0)
            try await proxy.expectNoSecrets()
        }
    }

    @Test("A two-legged request is signed with the client credentials alone")
    func signsTwoLegged() async throws {
        let answer: ScriptedProvider.Answer = { request, _ in
            guard let verified = try? verify(request, scheme: .http), verified.token ?? "" == "" else {
                return ScriptedProvider.answer("401 No", "oauth_problem=signature_invalid")
            }
            return ScriptedProvider.answer("200 OK", "\(verified["oauth_token"] ?? "no token")")
        }
        try await with(.twoLegged, answer: answer) { proxy, _ in
            let answer = try await proxy.answer(
                to: RunningProxy.request(
                    "POST",
                    "/?q=%20",
                    fields: "Content-Type: application/x-www-form-urlencoded\n",
                    body: "a=+"
                )
            )
            #expect(answer.status == 200)
            #expect(answer.body == "no token")
            try await proxy.expectNoSecrets()
        }
    }

    // MARK: xAuth

    private static let xAuth = TokenSource.xAuth(
        XAuthSettings(
            accessTokenURL: "http://api.test/access_token",
            login: PasswordCredentials(username: "alice", password: Secret("hidden-password"))
        )
    )
    private static let form =
        "x_auth_username=alice&x_auth_password=hidden-password&x_auth_mode=client_auth"

    @Test("xAuth is done once on first use, for all who wait, and again when its token is refused")
    func exchangesPassword() async throws {
        let answer: ScriptedProvider.Answer = { request, count in
            if request.target == "/access_token" {
                guard (try? verify(request, scheme: .http)) != nil,
                    Set(request.body.split(separator: "&")) == Set(Self.form.split(separator: "&"))
                else { return ScriptedProvider.answer("401 No", "Failed to validate oauth signature and token") }
                let token = count == 1 ? "revoked" : ProxySetup.Secrets.token.token
                return ScriptedProvider.answer("200 OK", "oauth_token=\(token)&oauth_token_secret=hidden-token-secret")
            }
            guard (try? verify(request, scheme: .http))?.token == ProxySetup.Secrets.token.token else {
                return ScriptedProvider.answer("401 No", #"{"errors":[{"code":89,"message":"Invalid token"}]}"#)
            }
            return ScriptedProvider.answer("200 OK", "signed")
        }
        try await with(Self.xAuth, answer: answer) { proxy, provider in
            let answers = try await proxy.gets(10)
            #expect(answers.allSatisfy { $0.status == 200 && $0.body == "signed" })
            #expect(provider.count("/access_token") == 2)
            let stored = try proxy.vault.load(CredentialName(api: "api", account: "default"))
            #expect(stored?.origin == .exchange)
            #expect(stored?.login == nil)
            try await proxy.expectNoSecrets(requests: 10)
        }
    }

    @Test("A login that xAuth refuses is a bad gateway that says so, and is not tried again at once")
    func tellsRefusedLogin() async throws {
        let refusal = ScriptedProvider.answer("401 Unauthorized", "Invalid user name or password: hidden-password")
        try await with(Self.xAuth, answer: { _, _ in refusal }) { proxy, provider in
            for _ in 0..<2 {
                let answer = try await proxy.get()
                #expect(answer.status == 502)
                #expect(answer.proxyError == "http_request_denied")
                #expect(answer.body.contains("xAuth"))
                #expect(!answer.body.contains("hidden"))
            }
            #expect(provider.count("/access_token") == 1)
            #expect(provider.count("/") == 0)
            try await proxy.expectNoSecrets(requests: 2)
        }
    }

    // MARK: Three-legged

    private static let threeLegged = TokenSource.threeLegged(
        ThreeLeggedSettings(
            requestTokenURL: "http://api.test/request_token",
            authorizeURL: "http://api.test/authorize",
            accessTokenURL: "http://api.test/access_token"
        )
    )

    @Test(
        "An account that nobody has logged in as is refused with the command to run",
        arguments: [("default", "paraph login api"), ("Ann O'Neil", #"paraph login api --account 'Ann O'\''Neil'"#)]
    )
    func tellsLogin(name: String, command: String) async throws {
        let answer: ScriptedProvider.Answer = { _, _ in ScriptedProvider.answer("200 OK") }
        try await with(Self.threeLegged, name: name, answer: answer) { proxy, provider in
            let answer = try await proxy.get(account: name)
            #expect(answer.status == 403)
            #expect(answer.proxyError == "http_request_denied")
            #expect(answer.body.contains("Run: \(command.replacing(#"\"#, with: #"\\"#))"), "\(answer.body)")
            #expect(provider.upstream.connectionCount == 0)
        }
    }

    @Test("A log-in by another process is used at once; a refused token, and one that is gone, name the command")
    func followsLogin() async throws {
        let answer: ScriptedProvider.Answer = { request, _ in
            (try? verify(request, scheme: .http))?.token == ProxySetup.Secrets.token.token
                ? ScriptedProvider.answer("200 OK", "signed")
                : ScriptedProvider.answer("401 No", "oauth_problem=token_revoked")
        }
        try await with(Self.threeLegged, answer: answer) { proxy, provider in
            #expect(try await proxy.get().status == 403)
            let name = CredentialName(api: "api", account: "default")
            func logIn(_ token: TokenCredentials) throws {
                let stored = StoredCredential(token: .oauth1(token), obtainedAt: 1, origin: .login)
                try proxy.vault.store(stored.bound(to: #require(proxy.bindingOfConfigured)), for: name)
            }
            try logIn(TokenCredentials(token: "old", secret: Secret("hidden-old")))
            let refused = try await proxy.get()
            #expect(refused.status == 401)
            #expect(refused.body == "oauth_problem=token_revoked")
            #expect(refused.refusal?.details.contains("Run `paraph login api`") == true)
            #expect(provider.count("/") == 1)
            try logIn(ProxySetup.Secrets.token)
            // It is told of a moment later.
            while try await proxy.get().status != 200 { try Task.checkCancellation() }
            #expect(try proxy.vault.remove(name))
            while try await proxy.get().status != 403 { try Task.checkCancellation() }
            try await proxy.expectNoSecrets(requests: 4)
        }
    }
}
