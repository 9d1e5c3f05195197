import AdminServer
import Inspection
import NIOCore
import TestSupport
import Testing

@Suite("The inspector's resources", .generousLimit, .timed)
struct InspectorTests {
    private static let parts = [
        "/", "/inspector/inspector.css", "/inspector/icon.svg", "/inspector/main.mjs", "/inspector/dom.mjs",
        "/inspector/connection.mjs", "/inspector/list.mjs", "/inspector/detail.mjs", "/inspector/basestring.mjs",
        "/inspector/copying.mjs", "/inspector/views.mjs",
    ]
    private static let data = ["/requests", "/requests/1", "/events"]

    private static func request(_ path: String) -> InspectedRequest {
        var request = InspectedRequest(
            time: "2026-01-02T03:04:05.678Z",
            method: "GET",
            authority: "api.test:443",
            path: path,
            requestBytes: 0,
            responseBytes: 7,
            times: InspectedTimes(total: 1)
        )
        request.received = ["GET \(path) HTTP/1.1", "Authorization: Bearer …"]
        return request
    }

    private static func kept(_ paths: [String]) -> RequestJournal {
        let journal = RequestJournal()
        journal.keep(true)
        for path in paths { journal.append(request(path)) }
        return journal
    }

    @Test(
        "The page's parts are served to whoever reaches the listener, and may load nothing from elsewhere",
        arguments: parts
    )
    func page(path: String) async throws {
        let reply = try await AdminScene.withListener(token: "the admin's token") { try await $0.send("GET", path) }
        #expect(reply.status == 200)
        #expect(!reply.body.isEmpty)
        let policy = try #require(reply["Content-Security-Policy"])
        #expect(
            policy.hasPrefix(
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
            )
        )
        for rule in ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"] {
            #expect(policy.contains(rule))
        }
        #expect(!policy.contains("unsafe"))
        #expect(reply["X-Content-Type-Options"] == "nosniff")
        #expect(reply["Referrer-Policy"] == "no-referrer")
        #expect(reply["Cross-Origin-Opener-Policy"] == "same-origin")
        #expect(reply["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(reply["Cache-Control"] == "no-store")
    }

    @Test("The page names nothing that is not served, and nothing of another host")
    func references() async throws {
        let bodies = try await AdminScene.withListener { client in
            var bodies: [String] = []
            for part in Self.parts where part != "/inspector/icon.svg" {
                bodies.append(try await client.send("GET", part).body)
            }
            return bodies
        }
        let named = bodies.flatMap { body in
            body.matches(of: /(?:src|href)="([^"#][^"]*)"|from '\.?([^']*)'/).compactMap { $0.output.1 ?? $0.output.2 }
        }
        let paths = Set(named.map { $0.hasPrefix("/inspector/") || $0 == "/ca.pem" ? String($0) : "/inspector\($0)" })
        #expect(paths == Set(Self.parts).subtracting(["/", "/inspector/main.mjs"]).union(["/inspector/main.mjs"]))
        for body in bodies { #expect(!body.contains("innerHTML") && !body.contains("insertAdjacentHTML")) }
    }

    @Test("Requests are shown to whoever has the token alone", arguments: data)
    func token(path: String) async throws {
        let journal = Self.kept(["/a"])
        let replies = try await AdminScene.withListener(token: "the admin's token", journal: journal) { client in
            (
                try await client.send("GET", path),
                try await client.send("GET", path, fields: [("Authorization", "Bearer another")]),
                try await client.send("HEAD", path, fields: [("Authorization", "Bearer the admin's token")])
            )
        }
        #expect(replies.0.status == 401)
        #expect(replies.1.status == 401)
        #expect(replies.2.status == 200)
    }

    @Test("Requests are not shown to pages of other sites", arguments: data)
    func sites(path: String) async throws {
        let journal = Self.kept(["/a"])
        let statuses = try await AdminScene.withListener(journal: journal) { client in
            [
                try await client.send("GET", path, fields: [("Host", "rebound.test")]).status,
                try await client.send("GET", path, fields: [("Origin", "http://evil.test")]).status,
                try await client.send("GET", path, fields: [("Sec-Fetch-Site", "cross-site")]).status,
                try await client.send("HEAD", path, fields: [("Sec-Fetch-Site", "same-origin")]).status,
            ]
        }
        #expect(statuses == [403, 403, 403, 200])
    }

    @Test("Requests are not shown to other users of the machine, unless they have the token", arguments: data)
    func users(path: String) async throws {
        let journal = Self.kept(["/a"])
        let refused = try await AdminScene.withListener(journal: journal, isOwnUser: { _, _ in false }) {
            try await $0.send("GET", path)
        }
        #expect(refused.status == 403)
        #expect(refused.body.contains("only the user that the proxy runs as"))
        let page = try await AdminScene.withListener(journal: journal, isOwnUser: { _, _ in false }) {
            try await $0.send("GET", "/")
        }
        #expect(page.status == 200)
        let own = try await AdminScene.withListener(
            journal: journal,
            isOwnUser: { client, server in
                client.port != server.port && client.ipAddress == "127.0.0.1" && server.ipAddress == "127.0.0.1"
            }
        ) { try await $0.send("HEAD", path) }
        #expect(own.status == 200)
        let named = try await AdminScene.withListener(
            token: "the admin's token",
            journal: journal,
            isOwnUser: { _, _ in false }
        ) { try await $0.send("HEAD", path, fields: [("Authorization", "Bearer the admin's token")]) }
        #expect(named.status == 200)
    }

    @Test(
        "Other users of the machine change nothing, and see no status, without the token",
        arguments: [
            ("GET", "/status", 200), ("POST", "/reload", 204), ("POST", "/quit", 202),
            ("DELETE", "/accounts/twitter/nobody", 404), ("POST", "/doctor", 200),
        ]
    )
    func changes(method: String, path: String, status: Int) async throws {
        let token = "the admin's token"
        let refused = try await AdminScene.withListener(isOwnUser: { _, _ in false }) {
            try await $0.send(method, path)
        }
        #expect(refused.status == 403)
        #expect(refused.body.contains("only the user that the proxy runs as"))
        let own = try await AdminScene.withListener(isOwnUser: { _, _ in true }) { try await $0.send(method, path) }
        #expect(own.status == status)
        let named = try await AdminScene.withListener(token: token, isOwnUser: { _, _ in false }) {
            try await $0.send(method, path, fields: [("Authorization", "Bearer \(token)")])
        }
        #expect(named.status == status)
    }

    @Test(
        "Other users of the machine see whether it works",
        arguments: ["/healthz", "/readyz", "/metrics", "/ca.pem", "/accounts"]
    )
    func health(path: String) async throws {
        let answer = try await AdminScene.withListener(isOwnUser: { _, _ in false }) { try await $0.send("GET", path) }
        #expect(answer.status != 403)
    }

    @Test("What is behind no number is asked for in vain", arguments: ["abc", "", "-1", "1x", "99999999999999999999"])
    func number(after: String) async throws {
        let answer = try await AdminScene.withListener { try await $0.send("GET", "/requests?after=\(after)") }
        #expect(answer.status == 400)
        #expect(answer.body.contains("after is not the number of a request"))
    }

    @Test("The list has the latest requests, oldest first, or those behind a number")
    func list() async throws {
        let journal = Self.kept(["/a", "/b", "/c"])
        let (all, later, none) = try await AdminScene.withListener(journal: journal) { client in
            (
                try await client.send("GET", "/requests"), try await client.send("GET", "/requests?after=2"),
                try await client.send("GET", "/requests?after=3")
            )
        }
        #expect(all["Content-Type"] == "application/json")
        #expect(all.body.contains(#""recording":true,"most":1000,"requests":[{"id":1,"#))
        let paths = all.body.matches(of: /"path":"([^"]*)"/).map { $0.output.1 }
        #expect(paths == ["/a", "/b", "/c"])
        #expect(!all.body.contains("received"))
        #expect(later.body.matches(of: /"path":"([^"]*)"/).map { $0.output.1 } == ["/c"])
        #expect(none.body.hasSuffix(#""requests":[],"in_flight":[]}"#))
    }

    @Test("One request is shown as a whole while it is kept")
    func detail() async throws {
        let journal = Self.kept(["/a"])
        let (found, missing) = try await AdminScene.withListener(journal: journal) { client in
            (try await client.send("GET", "/requests/1"), try await client.send("GET", "/requests/2"))
        }
        #expect(found.status == 200)
        #expect(found.body.contains(#""received":["GET /a HTTP/1.1","Authorization: Bearer …"]"#))
        #expect(found["X-Content-Type-Options"] == "nosniff")
        #expect(missing.status == 404)
        #expect(missing.body.contains("not kept any more"))
    }

    private static let follow = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    @Test("A request that ends is an event, and nothing is recorded once nobody follows")
    func events() async throws {
        let journal = RequestJournal()
        let text = try await AdminScene.withListener(journal: journal) { client in
            let text = try await client.follow(Self.follow) { received in
                if received.hasSuffix(":\n\n\r\n"), journal.isRecording {
                    var request = Self.request("/a\nb")
                    request.begun = journal.begin(request)
                    journal.append(request)
                }
                return received.contains("event: request\ndata: ")
            }
            while journal.isRecording { await Task.yield() }
            return text
        }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Type: text/event-stream\r\n"))
        #expect(text.contains("event: begun\ndata: {\"begun\":1,"))
        #expect(text.contains("id: 1\nevent: request\ndata: {\"id\":1,"))
        #expect(text.contains(#""path":"/a\nb""#))
        #expect(journal.requests.isEmpty)
    }

    @Test("Events end with the listener, which does not wait for those who follow")
    func drain() async throws {
        let journal = RequestJournal()
        let follower = try await AdminScene.withListener(journal: journal) { client in
            let (beginnings, begun) = AsyncStream<Void>.makeStream()
            let follower = Task {
                try await client.follow(Self.follow) { _ in
                    begun.yield()
                    return false
                }
            }
            for await _ in beginnings.prefix(1) {}
            return follower
        }
        let text = try await follower.value
        #expect(text.hasSuffix("\r\n0\r\n\r\n"))
        // The writer of the last bytes may not have let go of the journal yet.
        while journal.isRecording { await Task.yield() }
    }

    @Test("Only so many follow at once")
    func mostOnlookers() async throws {
        let journal = RequestJournal()
        let streams = (0..<RequestJournal.mostOnlookers).map { _ in journal.follow() }
        let reply = try await AdminScene.withListener(journal: journal) { try await $0.send("GET", "/events") }
        #expect(streams.allSatisfy { $0 != nil })
        #expect(reply.status == 503)
    }
}
