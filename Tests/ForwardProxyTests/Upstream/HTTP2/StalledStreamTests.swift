import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

/// Tests of what one connection of HTTP/2 can make the proxy hold for the other side.
@Suite("Streams that nobody takes", .generousLimit, .timed)
struct StalledStreamTests {
    private static let streams = 30
    /// The body of each stream, far more than a window.
    private static let body = ByteBuffer(repeating: 0x61, count: 1 << 20)
    /// A window, and what is on its way through when the other side stops.
    private static let ofEach = 96 * 1024

    private func with(
        upstreamPerClient: Int? = nil,
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        try await RunningProxy.withSecureUpstream(
            identity: ServerIdentity.speakingHTTP2(),
            { $0.limits.upstreamPerClient = upstreamPerClient },
            body
        )
    }

    /// Lets a side receive so much on each stream, and never more.
    private func window(_ bytes: Int) -> HTTP2Settings {
        var settings = HTTP2Settings()
        settings.initialWindow = bytes
        settings.connectionWindow = 1 << 30
        return settings
    }

    /// Bytes that were to be sent and that the proxy has let come.
    private func sent(_ peer: HTTP2Peer, _ ids: [HTTP2StreamID]) -> Int {
        ids.reduce(0) { $0 + Self.body.readableBytes - peer.connection.pendingBytes($1) }
    }

    /// Sends until the proxy, which has seen all of it, gives nothing more of the windows back.
    private func sendAll(_ peer: HTTP2Peer, _ ids: [HTTP2StreamID]) async throws -> Int {
        while true {
            let before = sent(peer, ids)
            peer.connection.sendPing(1)
            try await peer.flush()
            try await peer.next { event -> Void? in
                if case .pong = event { () } else { nil }
            }
            try await peer.flush()
            if sent(peer, ids) == before { return before }
        }
    }

    /// Waits until so many bytes have come on each stream.
    private func receive(_ bytes: Int, _ peer: HTTP2Peer, _ ids: [HTTP2StreamID]) async throws {
        var missing = Dictionary(uniqueKeysWithValues: ids.map { ($0, bytes) })
        while missing.values.contains(where: { $0 > 0 }) {
            if case .data(let id, let bytes) = try await peer.next() { missing[id]? -= bytes.readableBytes }
        }
    }

    @Test(
        "A window of each response is held, and a little more of those that were taken at first",
        arguments: [(taken: 0, spare: 0), (taken: 300_000, spare: BodyWindow.spare)]
    )
    func responses(_ taken: Int, _ spare: Int) async throws {
        try await with { proxy, upstream in
            let wire = try await proxy.intercept(protocols: ["h2"])
            let client = HTTP2Peer(wire, role: .client, settings: window(taken))
            let first = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            try await server.answer(try await server.accept(), "")
            _ = try await client.body(of: first)
            var ids: [HTTP2StreamID] = []
            for _ in 0..<Self.streams { ids.append(try await client.request()) }
            var answered: [HTTP2StreamID] = []
            for _ in ids {
                let id = try await server.accept()
                answered.append(id)
                server.connection.sendAnswer(id, status: 200, fields: [:], endsStream: false)
                server.connection.sendData(id, Self.body, endsStream: true)
            }
            // What the client takes is on its way only then, however busy the machine is: of each stream, for the proxy may
            // hold more of one meanwhile and none of another.
            repeat {
                _ = try await sendAll(server, answered)
            } while answered.contains { sent(server, [$0]) < taken }
            try await receive(taken, client, ids)
            let held = try await sendAll(server, answered) - taken * Self.streams
            #expect(held > 0)
            #expect(held <= Self.ofEach * Self.streams + spare)
        }
    }

    @Test("A window of each request is held")
    func requests() async throws {
        try await with { proxy, upstream in
            let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
            let first = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server, settings: window(0))
            try await server.answer(try await server.accept())
            _ = try await client.body(of: first)
            var ids: [HTTP2StreamID] = []
            for _ in 0..<Self.streams {
                let id = try await client.request("PUT", ends: false)
                client.connection.sendData(id, Self.body, endsStream: true)
                ids.append(id)
            }
            try await client.flush()
            for _ in ids { _ = try await server.accept() }
            let held = try await sendAll(client, ids)
            #expect(held > 0)
            #expect(held <= Self.ofEach * Self.streams)
        }
    }

    /// A server whose windows are those of RFC 9113, of the connection as of each stream. It has answered a request, and
    /// gives nothing back from now on.
    private func unreadingServer(_ upstream: ScriptedUpstream, _ proxy: RunningProxy) async throws -> HTTP2Peer {
        let client = try await proxy.connect()
        try await client.send(plainGet)
        var settings = HTTP2Settings()
        (settings.initialWindow, settings.connectionWindow) = (65_535, 65_535)
        let server = HTTP2Peer(try await upstream.accept(), role: .server, settings: settings)
        try await server.answer(try await server.accept())
        _ = try await client.message()
        server.isSilent = true
        return server
    }

    private func post(_ bytes: Int) -> String {
        "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: \(bytes)\n\n"
    }

    @Test("An upload that its server does not read leaves the next one another connection")
    func uploadsAreApart() async throws {
        try await with { proxy, upstream in
            let server = try await unreadingServer(upstream, proxy)
            let stuck = try await proxy.connect()
            try await stuck.send(post(200_000) + String(repeating: "a", count: 100_000))
            try await receive(65_535, server, [server.accept()])
            let client = try await proxy.connect()
            try await client.send(post(100) + String(repeating: "b", count: 100))
            // The proxy answers this itself, and has read the other by then.
            _ = try await proxy.answer(to: "TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            await proxy.clock.advance(by: .milliseconds(250))
            let other = HTTP2Peer(try await upstream.accept(), role: .server)
            let stream = try await other.accept()
            try await receive(100, other, [stream])
            try await other.answer(stream)
            #expect(try await client.message().body == "ok")
        }
    }

    @Test("It leaves those that are on the same connection a share of its window")
    func uploadsShare() async throws {
        try await with { proxy, upstream in
            let server = try await unreadingServer(upstream, proxy)
            let client = try await proxy.connect()
            try await client.send(post(100))
            let stream = try await server.accept()
            let stuck = try await proxy.connect()
            try await stuck.send(post(200_000) + String(repeating: "a", count: 100_000))
            try await receive(49_152, server, [server.accept()])
            try await client.send(String(repeating: "b", count: 100))
            try await receive(100, server, [stream])
            server.isSilent = false
            try await server.answer(stream)
            #expect(try await client.message().body == "ok")
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A request without a body needs no room in the windows, and one with a body waits until there is some")
    func waitsForRoom() async throws {
        try await with { proxy, upstream in
            let server = try await unreadingServer(upstream, proxy)
            let stuck = try await proxy.connect()
            try await stuck.send(post(200_000) + String(repeating: "a", count: 65_535))
            let upload = try await server.accept()
            try await receive(65_535, server, [upload])
            let waiting = try await proxy.connect()
            try await waiting.send(post(100))
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let stream = try await server.accept()
            server.isSilent = false
            try await server.answer(stream)
            #expect(try await client.message().body == "ok")
            server.connection.consumed(upload, bytes: 65_535)
            try await server.flush()
            try await server.answer(server.accept())
            #expect(try await waiting.message().body == "ok")
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("Where no other connection can be had, it leaves the next one a place on the same")
    func uploadsShareTheOnlyConnection() async throws {
        try await with(upstreamPerClient: 1) { proxy, upstream in
            let server = try await unreadingServer(upstream, proxy)
            let stuck = try await proxy.connect()
            try await stuck.send(post(200_000) + String(repeating: "a", count: 100_000))
            try await receive(65_535, server, [server.accept()])
            let client = try await proxy.connect()
            try await client.send(post(100))
            _ = try await proxy.answer(to: "TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            await proxy.clock.advance(by: .milliseconds(250))
            let stream = try await server.accept()
            server.isSilent = false
            try await server.answer(stream)
            #expect(try await client.message().body == "ok")
            #expect(upstream.connectionCount == 1)
        }
    }

    /// The connections that are counted for whoever is at an address: from there, and upstream.
    private func connections(of address: String, _ proxy: RunningProxy) throws -> Int {
        let peer = PeerAddress(try SocketAddress(ipAddress: address, port: 1))
        return proxy.server.usages.usage(of: .peer(peer)).connections.held
    }

    @Test("A connection is counted for the client whose request it carries, when the one before has left it")
    func claimsMove() async throws {
        try await with { proxy, upstream in
            let server = try await unreadingServer(upstream, proxy)
            #expect(try connections(of: "127.0.0.1", proxy) == 2)
            let first = try await proxy.connect()
            try await first.send(plainGet)
            let stream = try await server.accept()
            let stuck = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await stuck.send(post(200_000) + String(repeating: "a", count: 100_000))
            _ = try await server.accept()
            #expect(try connections(of: "127.0.0.1", proxy) == 3)
            #expect(try connections(of: "127.0.0.2", proxy) == 1)
            server.isSilent = false
            try await server.answer(stream)
            #expect(try await first.message().body == "ok")
            #expect(try connections(of: "127.0.0.1", proxy) == 2)
            #expect(try connections(of: "127.0.0.2", proxy) == 2)
        }
    }

    @Test("A client that has filled a connection does not fill those of others too")
    func keepsToItself() async throws {
        try await with { proxy, upstream in
            let server = try await unreadingServer(upstream, proxy)
            let stuck = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await stuck.send(post(200_000) + String(repeating: "a", count: 100_000))
            try await receive(65_535, server, [server.accept()])
            let client = try await proxy.connect()
            try await client.send(post(100) + String(repeating: "b", count: 100))
            _ = try await proxy.answer(to: "TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            await proxy.clock.advance(by: .milliseconds(250))
            let other = HTTP2Peer(try await upstream.accept(), role: .server)
            try await other.answer(other.accept())
            #expect(try await client.message().body == "ok")
            let again = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await again.send(post(100) + String(repeating: "c", count: 100))
            let third = HTTP2Peer(try await upstream.accept(), role: .server)
            try await third.answer(third.accept())
            #expect(try await again.message().body == "ok")
        }
    }

    @Test("A client that may have no more connections shares another one's, idle or not")
    func sharesWithoutOwn() async throws {
        try await RunningProxy.withSecureUpstream(
            identity: ServerIdentity.speakingHTTP2(),
            {
                $0.limits.upstreamPerClient = 1
                $0.apis[0].hosts = ["api.test:1", "api.test:2"]
            }
        ) { proxy, upstream in
            let busy = try await proxy.get(port: 1, from: "127.0.0.2")
            let first = HTTP2Peer(try await upstream.accept(), role: .server)
            let stream = try await first.accept()
            let other = try await proxy.get(port: 2, from: "127.0.0.3")
            let second = HTTP2Peer(try await upstream.accept(), role: .server)
            try await second.answer(second.accept())
            #expect(try await other.message().body == "ok")
            for _ in 0..<2 {
                let client = try await proxy.get(port: 2, from: "127.0.0.2")
                try await second.answer(second.accept())
                #expect(try await client.message().body == "ok")
            }
            try await first.answer(stream)
            #expect(try await busy.message().body == "ok")
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("Idle connections are given up for requests to other servers")
    func idleConnections() async throws {
        let hosts = (1...9).map { "api.test:\($0)" }
        try await RunningProxy.withSecureUpstream(
            identity: ServerIdentity.speakingHTTP2(),
            {
                $0.limits.openConnections = 5
                $0.apis[0].hosts = hosts
            }
        ) { proxy, upstream in
            let client = try await proxy.connect()
            for host in hosts {
                try await client.send("GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
                let server = HTTP2Peer(try await upstream.accept(), role: .server)
                try await server.answer(server.accept())
                #expect(try await client.message().body == "ok")
            }
        }
    }

    @Test("What streams that are over had to spare is there for others")
    func sparesAgain() async throws {
        try await with { proxy, upstream in
            let wire = try await proxy.intercept(protocols: ["h2"])
            let client = HTTP2Peer(wire, role: .client, settings: window(300_000))
            var id = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            try await server.answer(try await server.accept(), "")
            _ = try await client.body(of: id)
            // Each of them grows to the largest window, and together they would have more than there is.
            for _ in 0..<(2 * BodyWindow.spare / HTTP2Settings().largestWindow) {
                id = try await client.request()
                let answered = try await server.accept()
                try await server.answer(answered, String(repeating: "a", count: 300_000))
                while server.connection.pendingBytes(answered) > 0 { _ = try await sendAll(server, [answered]) }
                #expect(try await client.body(of: id).utf8.count == 300_000)
            }
            id = try await client.request()
            let answered = try await server.accept()
            server.connection.sendAnswer(answered, status: 200, fields: [:], endsStream: false)
            server.connection.sendData(answered, Self.body, endsStream: true)
            repeat { _ = try await sendAll(server, [answered]) } while sent(server, [answered]) < 300_000
            try await receive(300_000, client, [id])
            #expect(try await sendAll(server, [answered]) > 300_000 + Self.ofEach)
        }
    }
}
