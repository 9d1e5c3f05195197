import AdminServer
import NIOCore
import Synchronization
import TestSupport
import Testing

@Suite("The admin listener's resources", .generousLimit, .timed)
struct ResourceTests {
    @Test(
        "Another method is told which one is right",
        arguments: [
            ("POST", "/healthz", "GET, HEAD"), ("DELETE", "/readyz", "GET, HEAD"), ("PUT", "/ca.pem", "GET, HEAD"),
            ("GET", "/register", "POST"), ("OPTIONS", "/register", "POST"), ("HEAD", "/register", "POST"),
            ("GET", "/reload", "POST"), ("HEAD", "/quit", "POST"), ("POST", "/", "GET, HEAD"),
            ("POST", "/requests", "GET, HEAD"), ("DELETE", "/requests/1", "GET, HEAD"),
            ("POST", "/events", "GET, HEAD"),
            ("POST", "/accounts", "GET, HEAD"), ("PUT", "/accounts/a/7", "GET, HEAD, DELETE"),
            ("POST", "/accounts/a/7", "GET, HEAD, DELETE"), ("POST", "/status", "GET, HEAD"),
            ("GET", "/doctor", "POST"),
        ]
    )
    func methods(method: String, target: String, allow: String) async throws {
        let reply = try await AdminScene.withListener { try await $0.send(method, target) }
        #expect(reply.status == 405)
        #expect(reply["Allow"] == allow)
        #expect(reply.body.isEmpty == (method == "HEAD"))
    }

    @Test(
        "A path that stands for nothing is told so",
        arguments: [
            "/register/", "/Register", "//register", "/register/x", "/accounts/", "/accounts/a", "/accounts/a/",
            "/accounts//7", "/accounts/a/7/", "/accounts/a/7/8", "/xaccounts/a/7", "/metricsx", "*",
            "/reload/", "/Quit", "/quit/now", "/status/", "/status/x", "/inspector", "/inspector/", "/inspector/x",
            "/inspector/../", "/requests/", "/requests/-1", "/requests/x", "/events/", "/doctor/",
        ]
    )
    func unknownPaths(target: String) async throws {
        for method in ["GET", "POST", "DELETE"] {
            let accounts = MemoryAccounts()
            let reply = try await AdminScene.withListener(accounts: accounts) { try await $0.send(method, target) }
            #expect(reply.status == 404)
            #expect(reply["Content-Type"] == "application/json")
            #expect(reply.body.hasPrefix(#"{"error":true,"message":"There is nothing here."#))
        }
    }

    @Test(
        "HEAD has the fields of GET and no body",
        arguments: ["/healthz", "/ca.pem", "/accounts", "/status", "/", "/requests"]
    )
    func head(target: String) async throws {
        let (get, head) = try await AdminScene.withListener { client in
            (try await client.send("GET", target), try await client.send("HEAD", target))
        }
        #expect(head.status == get.status)
        #expect(head["Content-Type"] == get["Content-Type"])
        #expect(head["Content-Length"] == "\(get.body.utf8.count)")
        #expect(head.body.isEmpty)
        #expect(!get.body.isEmpty)
    }

    private static let registration = "POST /register HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n"

    @Test(
        "Connections on which nothing is asked, or a body is owed, keep nobody out",
        arguments: ["", registration, registration + "access"],
        [nil, MemoryAccounts(accessTypes: []), MemoryAccounts()]
    )
    func silentConnections(bytes: String, accounts: MemoryAccounts?) async throws {
        let reply = try await AdminScene.withServer(accounts: accounts, connectionLimit: 16) { _, client in
            let (closings, closed) = AsyncStream<Void>.makeStream()
            var silent: [any Channel] = []
            for _ in 0..<40 {
                let channel = try await client.connect()
                channel.closeFuture.whenComplete { _ in closed.yield() }
                try await channel.writeAndFlush(ByteBuffer(string: bytes))
                silent.append(channel)
            }
            let reply = try await client.send("GET", "/healthz")
            // Of 41 connections 14 may stay.
            for await _ in closings.prefix(26) {}
            for channel in silent { channel.close(promise: nil) }
            return reply
        }
        #expect(reply.status == 200)
    }

    @Test(
        "A request that is refused anyway is refused before its body is there",
        arguments: [(nil, nil, 404), (nil, MemoryAccounts(accessTypes: []), 404), ("token", MemoryAccounts(), 401)]
    )
    func early(token: String?, accounts: MemoryAccounts?, status: Int) async throws {
        let line = try await AdminScene.withListener(token: token, accounts: accounts) { client in
            try await client.beginning(of: Self.registration)
        }
        #expect(line.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("Readiness names what is missing")
    func readiness() async throws {
        let readiness = Readiness()
        for part in Readiness.Part.allCases where part != .proxy { readiness.set(part, ready: true) }
        let replies = try await AdminScene.withListener(readiness: readiness) { client in
            let before = try await client.send("GET", "/readyz")
            readiness.set(.proxy, ready: true)
            return [before, try await client.send("GET", "/readyz")]
        }
        #expect(replies.map(\.status) == [503, 200])
        #expect(replies.map(\.body) == ["not ready: proxy\n", "ready\n"])
    }

    @Test("Readiness can be asked for without parts of it")
    func readinessWithoutParts() async throws {
        let readiness = Readiness()
        for part in Readiness.Part.allCases where part != .vault { readiness.set(part, ready: true) }
        let targets = [
            "/readyz", "/readyz?exclude=vault", "/readyz?exclude=proxy", "/readyz?exclude=proxy&exclude=vault",
            "/readyz?exclude=", "/readyz?x=vault",
        ]
        let replies = try await AdminScene.withListener(readiness: readiness) { client in
            var statuses: [Int] = []
            for target in targets { statuses.append(try await client.send("GET", target).status) }
            return statuses
        }
        #expect(replies == [503, 200, 503, 200, 503, 503])
    }

    @Test("A part that is looked at is ready as long as it says so, once it was made ready")
    func probes() async {
        let isReadable = Mutex(false)
        let readiness = Readiness(probes: [.vault: { isReadable.withLock { $0 } }])
        for part in Readiness.Part.allCases where part != .vault { readiness.set(part, ready: true) }
        var missing = await readiness.missing
        #expect(missing == [.vault])
        readiness.set(.vault, ready: true)
        missing = await readiness.missing
        #expect(missing == [.vault])
        isReadable.withLock { $0 = true }
        missing = await readiness.missing
        #expect(missing == [])
        readiness.set(.vault, ready: false)
        missing = await readiness.missing
        #expect(missing == [.vault])
    }

    @Test(
        "Without enrolment there are no accounts, which is said",
        arguments: ["/register", "/accounts", "/accounts/a/7"]
    )
    func enrolmentOff(target: String) async throws {
        let method = ["/register": "POST", "/accounts": "GET"][target] ?? "DELETE"
        let reply = try await AdminScene.withListener(accounts: nil) { try await $0.send(method, target) }
        #expect(reply.status == 404)
        #expect(reply.body.contains("enrolment.access_types"))
    }
}
