import AdminServer
import Credentials
import NIOCore
import OAuthSigning
import Settings
import TestSupport
import Testing

@Suite("Access to the admin listener", .generousLimit, .timed)
struct AccessTests {
    private static let closed = [
        ("POST", "/register"), ("GET", "/accounts"), ("DELETE", "/accounts/a/7"), ("GET", "/unknown"),
        ("HEAD", "/accounts"), ("HEAD", "/unknown"), ("POST", "/reload"), ("POST", "/quit"),
        ("GET", "/status"), ("GET", "/accounts/a/7"), ("HEAD", "/status"),
        ("POST", "/doctor"), ("HEAD", "/doctor"),
    ]

    @Test("With a token, only requests that carry it reach what is not public", arguments: closed)
    func tokenDue(method: String, target: String) async throws {
        let wrong: [[(String, String)]] = [
            [], [("Authorization", "Bearer wrong")], [("Authorization", "Bearer tokenX")],
            [("Authorization", "Bearer toke")],
            [("Authorization", "Bearer")], [("Authorization", "Bearer ")], [("Authorization", "token")],
            [("Authorization", "Basic dG9rZW4=")], [("Authorization", "Token token")],
            [("Authorization", "Bearer TOKEN")],
            [("Authorization", "Bearer token"), ("Authorization", "Bearer token")],
            [("X-Authorization", "Bearer token")],
        ]
        for fields in wrong {
            let accounts = MemoryAccounts()
            let reply = try await AdminScene.withListener(token: "token", accounts: accounts) {
                try await $0.send(method, target, fields: fields)
            }
            #expect(reply.status == 401)
            #expect(reply["WWW-Authenticate"] == "Bearer realm=\"paraph\"")
            #expect(reply["Cache-Control"] == "no-store")
            #expect(!reply.body.contains("tokenX"))
            #expect(accounts.claims.isEmpty)
        }
    }

    @Test(
        "A request with the token is served, from any host and page",
        arguments: ["Bearer token", "bearer token", "BEARER  token"]
    )
    func token(authorization: String) async throws {
        let reply = try await AdminScene.withListener(token: "token") { client in
            try await client.send(
                "GET",
                "/accounts",
                fields: [
                    ("Authorization", authorization), ("Host", "paraph.example"), ("Origin", "https://console.example"),
                ]
            )
        }
        #expect(reply.status == 200)
    }

    /// Lets nobody guess, and one token through.
    private struct SternGuard: TokenGuard {
        func check(
            _ token: Secret,
            from address: String?,
            isRight: @Sendable () -> Bool
        ) async throws(TooManyGuesses) -> Bool {
            guard address == "127.0.0.1", isRight() else { throw TooManyGuesses(retryAfter: 7) }
            return true
        }
    }

    @Test("What is not public is refused while too many tokens were wrong", arguments: closed)
    func guesses(method: String, target: String) async throws {
        try await AdminScene.withListener(token: "token", tokenGuard: SternGuard()) { client in
            let wrong = try await client.send(method, target, fields: [("Authorization", "Bearer wrong")])
            #expect(wrong.status == 429)
            #expect(wrong["Retry-After"] == "7")
            #expect(try await client.send(method, target).status == 401)
            #expect(try await client.send("GET", "/metrics").status == 200)
            let right = try await client.send("GET", "/accounts", fields: [("Authorization", "Bearer token")])
            #expect(right.status == 200)
        }
    }

    @Test(
        "Health, readiness, metrics and the certificate are public, on loopback under its names alone",
        arguments: ["/healthz", "/readyz", "/metrics", "/ca.pem"],
        [nil, "token"] as [String?]
    )
    func isPublic(target: String, token: String?) async throws {
        let served = target == "/readyz" ? 503 : 200
        let names = [
            ("127.0.0.1", true, served), ("localhost:8081", true, served), ("paraph.example", true, 403),
            ("127.0.0.1.evil.example", true, 403), ("", true, 403), ("paraph.example", false, served),
        ]
        for (host, isLoopback, status) in names {
            let reply = try await AdminScene.withListener(token: token, isLoopback: isLoopback) { client in
                try await client.send("GET", target, fields: [("Host", host), ("Origin", "https://o.example")])
            }
            #expect(reply.status == status, "\(host)")
            if status == 403 { #expect(reply.body.contains("The Host field names another host")) }
        }
    }

    @Test("Where others reach the listener, what is not public is closed even if there is no token", arguments: closed)
    func closedElsewhere(method: String, target: String) async throws {
        let accounts = MemoryAccounts()
        let reply = try await AdminScene.withListener(isLoopback: false, accounts: accounts) {
            try await $0.send(method, target, fields: [("Host", "127.0.0.1")])
        }
        #expect(reply.status == 401)
        #expect(accounts.claims.isEmpty)
    }

    @Test(
        "Without a token, requests are served that come by an address or as localhost",
        arguments: [
            ("127.0.0.1", true), ("127.0.0.1:8081", true), ("localhost", true), ("LocalHost:1", true),
            ("[::1]:8081", true),
            ("192.0.2.7", true), ("[fe80::1]", true),
            ("evil.example", false), ("evil.example:8081", false), ("localhost.evil.example", false),
            ("evil-localhost", false), ("xlocalhost", false), ("xlocalhost:8081", false), ("evil.localhost", false),
            ("localhostx", false),
            ("127.0.0.1.evil.example", false), ("127.0.0.1@evil.example", false), ("evil.example#127.0.0.1", false),
            ("", false), ("::1", false), ("[::1", false), ("[127.0.0.1]", false), ("127.0.0.1:80x", false),
            (":80", false),
            ("2130706433", false), ("0x7f.1", false),
        ]
    )
    func hosts(host: String, isServed: Bool) async throws {
        for (method, target) in Self.closed {
            let accounts = MemoryAccounts()
            let reply = try await AdminScene.withListener(accounts: accounts) {
                try await $0.send(method, target, fields: [("Host", host)])
            }
            #expect((reply.status == 403) == !isServed)
        }
    }

    @Test(
        "Without a token, pages of other sites are not served",
        arguments: [
            ("Origin", "http://HOST", true), ("Sec-Fetch-Site", "same-origin", true), ("Sec-Fetch-Site", "none", true),
            ("Origin", "null", false), ("Origin", "https://evil.example", false), ("Origin", "https://HOST", false),
            ("Origin", "http://127.0.0.1", false), ("Origin", "http://localhost:3000", false), ("Origin", "", false),
            ("Origin", "http://HOST.evil.example", false),
            ("Sec-Fetch-Site", "cross-site", false), ("Sec-Fetch-Site", "same-site", false),
        ]
    )
    func sites(name: String, value: String, isServed: Bool) async throws {
        for (method, target) in Self.closed {
            let accounts = MemoryAccounts()
            let reply = try await AdminScene.withListener(accounts: accounts) { client in
                let value = value.replacing("HOST", with: "127.0.0.1:\(client.port)")
                return try await client.send(
                    method,
                    target,
                    fields: [(name, value), ("Content-Type", "application/x-www-form-urlencoded")],
                    body: method == "POST" ? "access_type=2&passkey=7&passcode=t:s" : ""
                )
            }
            #expect((reply.status == 403) == !isServed)
            #expect(accounts.claims.isEmpty == (!isServed || target != "/register"))
            #expect(!reply.fieldNames.contains { $0.hasPrefix("access-control-") })
        }
    }

    @Test("Without a Host field nothing but the public is served")
    func noHost() async throws {
        let statuses = try await AdminScene.withListener { client in
            var statuses: [Int] = []
            for target in ["/accounts", "/healthz"] {
                statuses.append(try await client.get(target, hosts: []).status)
            }
            return statuses
        }
        #expect(statuses == [403, 200])
    }

    @Test(
        "More than one Host field is refused, whatever they say",
        arguments: [["127.0.0.1", "evil.example"], ["127.0.0.1", "127.0.0.1"], ["evil.example", "127.0.0.1"]],
        [nil, "token"]
    )
    func severalHosts(hosts: [String], token: String?) async throws {
        try await AdminScene.withListener(token: token) { client in
            for target in ["/healthz", "/accounts", "/unknown"] {
                let reply = try await client.get(target, hosts: hosts, fields: [("Authorization", "Bearer token")])
                #expect(reply.status == 400)
                #expect(reply.body.contains("more than one Host field"))
            }
        }
    }

    @Test("A reload puts another token in the place of the one before, and takes it away", arguments: ["next", nil])
    func reload(next: String?) async throws {
        try await AdminScene.withServer(token: "first") { server, client in
            func status(_ token: String?) async throws -> Int {
                let fields = token.map { [("Authorization", "Bearer \($0)")] } ?? []
                return try await client.send("GET", "/accounts", fields: fields).status
            }
            let before = try await status("first")
            server.reload(AdminScene.settings(token: next), nil)
            let (old, new) = (try await status("first"), try await status(next))
            #expect(before == 200)
            #expect(old == (next == nil ? 200 : 401))
            #expect(new == 200)
        }
    }

    @Test("While a reload moves the listener, each address has the settings that it was opened with")
    func moves() async throws {
        let accounts = MemoryAccounts()
        try await AdminScene.withServer(accounts: accounts) { server, old in
            func statuses(_ client: AdminClient, token: String? = nil) async throws -> [Int] {
                let fields = token.map { [("Authorization", "Bearer \($0)")] } ?? []
                return [
                    try await client.send("GET", "/accounts", fields: fields).status,
                    try await client.send("DELETE", "/accounts/api/7", fields: fields).status,
                ]
            }
            // Each on a port of its own choice: the port of one address may be taken on another.
            func prepare(_ settings: AdminListenerSettings) async throws -> (AdminListener, AdminClient) {
                let listener = try #require(try await server.prepare(settings))
                let address = try #require(listener.boundAddress)
                return (listener, AdminClient(host: settings.address.host, port: address.port))
            }
            let closed = AdminScene.listener(host: "127.0.0.2", token: "token", isLoopback: false)
            let (listener, new) = try await prepare(closed)
            #expect(try await statuses(new) == [401, 401])
            #expect(try await statuses(new, token: "token") == [200, 404])
            #expect(try await statuses(old) == [200, 404])
            server.reload(AdminScene.settings(closed), listener)
            #expect(try await statuses(new) == [401, 401])

            let open = AdminScene.listener(host: "127.0.0.3", token: nil)
            let (back, last) = try await prepare(open)
            #expect(try await statuses(new) == [401, 401])
            let kept = try await new.connect()
            server.reload(AdminScene.settings(open), back)
            #expect(try await statuses(last) == [200, 404])
            try await kept.closeFuture.get()
        }
    }
}
