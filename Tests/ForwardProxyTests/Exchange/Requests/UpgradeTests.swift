import Bytes
import Credentials
import NIOCore
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Upgrades", .generousLimit, .timed)
struct UpgradeTests {
    typealias Way = UpgradedConnection.Way

    @Test("The handshake is signed and passes with its fields, and so does the answer", arguments: Way.allCases)
    func passesHandshake(way: Way) async throws {
        try await UpgradedConnection.withProxy(way) { proxy, upstream in
            let client = try await UpgradedConnection.connect(way, proxy)
            try await client.send(UpgradedConnection.request(way))
            let server = try await upstream.accept()
            let request = try await server.head()
            #expect(request["Upgrade"] == "websocket")
            #expect(request["Connection"] == "Upgrade")
            #expect(request["Sec-WebSocket-Key"] == "dGhlIHNhbXBsZSBub25jZQ==")
            #expect(request["Sec-WebSocket-Version"] == "13")
            let verified = try verify(request, scheme: way.isSecureUpstream ? .https : .http)
            #expect(verified.token == ProxySetup.Secrets.token.token)
            try await server.send(UpgradedConnection.switching)
            let answer = try await client.head()
            #expect(answer.status == 101)
            #expect(answer["Upgrade"] == "websocket")
            #expect(answer["Connection"] == "Upgrade")
            #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        }
    }

    @Test("Bytes pass both ways as they are, those that look like HTTP too", arguments: Way.allCases)
    func passesBytes(way: Way) async throws {
        try await UpgradedConnection.with(way) { connection in
            let bytes = ByteBuffer(bytes: (0...255).map { UInt8($0) })
            try await connection.client.sendBytes(bytes)
            #expect(try await connection.server.bytes(256) == bytes.latin1)
            try await connection.server.sendBytes(bytes)
            #expect(try await connection.client.bytes(256) == bytes.latin1)
            try await connection.client.send(UpgradedConnection.request(way, fields: ""))
            #expect(try await connection.server.head()["Authorization"] == nil)
            try await connection.server.send("HTTP/1.1 401 No\nContent-Length: 0\n\n")
            #expect(try await connection.client.head().lines == ["HTTP/1.1 401 No", "Content-Length: 0"])
        }
    }

    @Test(
        "Bytes right behind the handshake wait for the answer, and those right behind it come first",
        arguments: Way.allCases
    )
    func keepsOrder(way: Way) async throws {
        try await UpgradedConnection.withProxy(way) { proxy, upstream in
            let client = try await UpgradedConnection.connect(way, proxy)
            // More than is read ahead of an answer.
            let early = ByteBuffer(bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) })
            var bytes = ByteBuffer(string: UpgradedConnection.request(way).withNetworkLineEnds)
            bytes.writeImmutableBuffer(early)
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(bytes)
            let server = try await upstream.accept()
            _ = try await server.head()
            // Counts nothing but the head.
            #expect(server.inbox.total < 2000)
            var answer = ByteBuffer(string: UpgradedConnection.switching.withNetworkLineEnds)
            answer.writeImmutableBuffer(early)
            try await server.sendBytes(answer)
            try await server.send("late")
            try await sent.get()
            try await client.send("later")
            #expect(try await client.head().status == 101)
            #expect(try await client.bytes(300_004) == early.latin1 + "late")
            #expect(try await server.bytes(300_005) == early.latin1 + "later")
        }
    }

    @Test("Interim responses may come before, in one piece with the answer or apart", arguments: [true, false])
    func passesInterim(isApart: Bool) async throws {
        try await UpgradedConnection.withProxy(.interceptedToTLS) { proxy, upstream in
            let client = try await proxy.intercept()
            try await client.send(UpgradedConnection.request(.interceptedToTLS))
            let server = try await upstream.accept()
            _ = try await server.head()
            let hints = "HTTP/1.1 103 Early Hints\nLink: </a>\n\n"
            if isApart {
                try await server.send(hints)
                #expect(try await client.head().status == 103)
                try await server.send(UpgradedConnection.switching + "frame")
            } else {
                try await server.send(hints + UpgradedConnection.switching + "frame")
                #expect(try await client.head().status == 103)
            }
            #expect(try await client.head().status == 101)
            #expect(try await client.bytes(5) == "frame")
        }
    }

    @Test(
        "What is offered is what a proxy that does not read on may offer",
        arguments: [
            ("websocket", "websocket"), ("websocket, h2c", "websocket"), (" foo/2 ,\tbar", "foo/2, bar"), ("h2c", nil),
            ("H2C", nil), ("HTTP/2.0", nil), ("TLS/1.0", nil), ("h2cool", "h2cool"), (",", nil),
        ]
    )
    func offers(field: String, expected: String?) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            let fields = "Connection: Upgrade, HTTP2-Settings\nHTTP2-Settings: AAMAAABk\nUpgrade: \(field)\n"
            try await client.send(UpgradedConnection.request(.absoluteToPlain, fields: fields))
            let server = try await upstream.accept()
            let request = try await server.head()
            #expect(request["Upgrade"] == expected)
            #expect(request["Connection"] == (expected == nil ? nil : "Upgrade"))
            #expect(request["HTTP2-Settings"] == nil)
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head().status == 204)
        }
    }

    @Test(
        "Nothing is offered in HTTP/1.0, with a body, or without the connection option",
        arguments: [
            ("1.0", UpgradedConnection.webSocket, ""), ("1.1", "Upgrade: websocket\n", ""),
            ("1.1", UpgradedConnection.webSocket + "Content-Length: 1\n", "x"),
            ("1.1", UpgradedConnection.webSocket + "Transfer-Encoding: chunked\n", "1\nx\n0\n\n"),
        ]
    )
    func offersNothing(version: String, fields: String, body: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            let head = UpgradedConnection.request(.absoluteToPlain, "PUT", fields: fields, version: version)
            try await client.send(head + body)
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request["Upgrade"] == nil)
            #expect(request["Connection"] == nil)
            try await server.send(UpgradedConnection.switching)
            let answer = try await client.message()
            #expect(answer.status == 502)
            #expect(answer.proxyError == "http_protocol_error")
            _ = try await server.end()
        }
    }

    @Test(
        "An empty body is none, also where it would be signed",
        arguments: ["text/plain", "application/x-www-form-urlencoded"]
    )
    func upgradesEmptyPost(type: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            let offer = "Connection: Upgrade\nUpgrade: tcp\nContent-Length: 0\nContent-Type: \(type)\n"
            try await client.send(UpgradedConnection.request(.absoluteToPlain, "POST", fields: offer))
            let server = try await upstream.accept()
            #expect(try await server.head()["Upgrade"] == "tcp")
            try await server.send("HTTP/1.1 101 UPGRADED\nConnection: Upgrade\nUpgrade: tcp\n\nhello")
            #expect(try await client.head().status == 101)
            #expect(try await client.bytes(5) == "hello")
            try await client.send("there")
            #expect(try await server.bytes(5) == "there")
        }
    }

    @Test(
        "A switch to what was not offered is a bad gateway",
        arguments: [
            ("", "Upgrade: websocket\nConnection: Upgrade\n"), (UpgradedConnection.webSocket, ""),
            (UpgradedConnection.webSocket, "Upgrade: h2c\nConnection: Upgrade\n"),
            (UpgradedConnection.webSocket, "Upgrade: websocket, h2c\nConnection: Upgrade\n"),
            (UpgradedConnection.webSocket, "Upgrade:\nConnection: Upgrade\n"),
        ]
    )
    func refusesSwitch(offer: String, answer: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            for _ in 0..<2 {
                try await client.send(UpgradedConnection.request(.absoluteToPlain, fields: offer))
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 101 Switching Protocols\n\(answer)\nsmuggled")
                let problem = try await client.message()
                #expect(problem.status == 502)
                #expect(problem.proxyError == "http_protocol_error")
                _ = try await server.end()
            }
        }
    }

    @Test(
        "An upstream that does not switch is an upstream like any other",
        arguments: ["200 OK", "426 Upgrade Required"]
    )
    func staysHTTP(status: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(UpgradedConnection.request(.absoluteToPlain))
            let server = try await upstream.accept()
            _ = try await server.head()
            let fields = "Upgrade: websocket\nConnection: Upgrade\nContent-Length: 2\n"
            try await server.send("HTTP/1.1 \(status)\n\(fields)\nno")
            let answer = try await client.message()
            #expect(answer.startLine == "HTTP/1.1 \(status)")
            #expect(answer.body == "no")
            try await client.send(plainGet)
            let next = try await server.head()
            #expect(next["Upgrade"] == nil)
            _ = try verify(next, scheme: .http)
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head().status == 204)
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A handshake may take a pooled connection, and never gives one back", arguments: [true, false])
    func leavesPool(serverEnds: Bool) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head().status == 204)
            try await client.send(UpgradedConnection.request(.absoluteToPlain))
            #expect(try await server.head()["Upgrade"] == "websocket")
            try await server.send(UpgradedConnection.switching)
            #expect(try await client.head().status == 101)
            let other = try await proxy.connect()
            try await other.send(plainGet)
            let second = try await upstream.accept()
            _ = try await second.head()
            try await second.send("HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n")
            #expect(try await other.message().status == 200)
            let (first, last) = serverEnds ? (server, client) : (client, server)
            try await first.finishSending()
            #expect(try await last.end() == .clean)
            try await last.finishSending()
            #expect(try await first.end() == .clean)
            try await other.send(plainGet)
            _ = try await upstream.accept().head()
            #expect(upstream.connectionCount == 3)
        }
    }

    @Test("A pooled connection that closes under a handshake costs the client nothing")
    func repeatsOnStaleConnection() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let stale = try await upstream.accept()
            _ = try await stale.head()
            try await stale.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head().status == 204)
            try await client.send(UpgradedConnection.request(.absoluteToPlain))
            _ = try await stale.head()
            await stale.close()
            let server = try await upstream.accept()
            #expect(try await server.head()["Upgrade"] == "websocket")
            try await server.send(UpgradedConnection.switching + "frame")
            #expect(try await client.head().status == 101)
            #expect(try await client.bytes(5) == "frame")
        }
    }

    @Test("A handshake whose timestamp is refused is repeated by the provider's clock, and then switches")
    func repeatsRefusedHandshake() async throws {
        try await UpgradedConnection.withProxy(.interceptedToTLS) { proxy, upstream in
            let client = try await proxy.intercept()
            try await client.send(UpgradedConnection.request(.interceptedToTLS))
            let server = try await upstream.accept()
            let first = try verify(await server.head(), scheme: .https)
            let refusal = "oauth_problem=timestamp_refused"
            try await server.send(
                ScriptedProvider.answer("401 No", refusal, fields: "Date: \(ClockedProvider.date)\n")
            )
            let request = try await server.head()
            #expect(request["Upgrade"] == "websocket")
            let second = try verify(request, scheme: .https)
            #expect(second["oauth_nonce"] != first["oauth_nonce"])
            #expect(second["oauth_timestamp"].flatMap { UInt64($0) }.map(ClockedProvider.acceptable.contains) == true)
            try await server.send(UpgradedConnection.switching + "frame")
            #expect(try await client.head().status == 101)
            #expect(try await client.bytes(5) == "frame")
        }
    }

    @Test("A handshake that is refused for good is told, and says why")
    func tellsRefusal() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(UpgradedConnection.request(.absoluteToPlain))
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(ScriptedProvider.answer("401 No", "oauth_problem=token_revoked"))
            let answer = try await client.message()
            #expect(answer.body == "oauth_problem=token_revoked")
            #expect(answer.refusal?.receivedStatus == 401)
        }
    }

    @Test("The access log has one line for a connection that switched, when it is over", arguments: Way.allCases)
    func logs(way: Way) async throws {
        try await UpgradedConnection.with(way) { connection in
            try await connection.client.send("four")
            #expect(try await connection.server.bytes(4) == "four")
            try await connection.server.send("seven77")
            #expect(try await connection.client.bytes(7) == "seven77")
            try await connection.client.finishSending()
            #expect(try await connection.server.end() == .clean)
            try await connection.server.finishSending()
            #expect(try await connection.client.end() == .clean)
            let line = try await connection.proxy.accessLogLine()
            let times = ["established_us", "duration_us"].map { line[$0] as? Int }
            #expect(try #require(times[0]) <= #require(times[1]))
            #expect(line["method"] as? String == "GET")
            #expect(line["path"] as? String == "/chat")
            #expect(line["status"] as? Int == 101)
            #expect(line["api"] as? String == "api")
            #expect(line["account"] as? String == "default")
            #expect(line["outcome"] as? String == "tunnel closed")
            #expect(line["request_bytes"] as? Int == 4)
            #expect(line["response_bytes"] as? Int == 7)
            try await connection.proxy.expectNoSecrets()
        }
    }
}
