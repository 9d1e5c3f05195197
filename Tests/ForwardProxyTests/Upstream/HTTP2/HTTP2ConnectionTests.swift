import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Connections of HTTP/2", .generousLimit, .timed)
struct HTTP2ConnectionTests {
    /// As many clients whose requests wait for one connection, and its other end, where no handshake has begun.
    private func waiting(
        _ count: Int,
        at proxy: RunningProxy,
        for upstream: ScriptedUpstream
    ) async throws -> (clients: [Wire], wire: Wire) {
        var clients: [Wire] = []
        for _ in 0..<count { clients.append(try await proxy.connect()) }
        for client in clients { try await client.send(plainGet) }
        let wire = try await upstream.accept()
        // The proxy answers this itself, and has read all the others by then.
        _ = try await proxy.answer(to: "TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        return (clients, wire)
    }

    @Test("Requests to a server that is not known yet wait for one connection and share it")
    func sharesFirstConnection() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let (clients, wire) = try await waiting(3, at: proxy, for: upstream)
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let server = HTTP2Peer(wire, role: .server)
            for _ in clients { try await server.answer(server.accept()) }
            for client in clients { #expect(try await client.message().body == "ok") }
        }
        await upstream.stop()
    }

    @Test("A connection that has reached its greatest age ends when the requests that it carries have ended")
    func ages() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.timeouts.connectionAge = .minutes(8)
        try await RunningProxy.with(setup) { proxy in
            let (clients, wire) = try await waiting(1, at: proxy, for: upstream)
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let old = HTTP2Peer(wire, role: .server)
            let request = try await old.accept()
            await proxy.clock.advance(by: .minutes(8))
            let (others, next) = try await waiting(1, at: proxy, for: upstream)
            try await next.serve(ServerIdentity.speakingHTTP2())
            let server = HTTP2Peer(next, role: .server)
            try await server.answer(server.accept())
            #expect(try await others[0].message().body == "ok")
            try await old.answer(request)
            #expect(try await clients[0].message().body == "ok")
            await #expect(throws: Wire.Ended.self) { while true { _ = try await old.next() } }
        }
        await upstream.stop()
    }

    @Test("Requests that wait for an HTTP/1.1 server get a connection each")
    func opensAllByHTTP1() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let clients = [try await proxy.connect(), try await proxy.connect(), try await proxy.connect()]
            for client in clients { try await client.send(plainGet) }
            for _ in clients {
                let server = try await upstream.accept()
                _ = try await server.head()
            }
            #expect(upstream.connectionCount == clients.count)
        }
    }

    @Test("A server that spoke HTTP/1.1 and has come to speak HTTP/2 gets one connection for all that wait")
    func sharesAgain() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let old = try await upstream.accept()
            try await old.serve(ServerIdentity(ServerIdentity.shared.get()))
            _ = try await old.head()
            try await old.send("HTTP/1.1 204 No Content\nConnection: close\n\n")
            #expect(try await client.message().status == 204)
            try await client.send(plainGet)
            let wire = try await upstream.accept()
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let new = HTTP2Peer(wire, role: .server)
            try await new.answer(new.accept())
            #expect(try await client.message().body == "ok")
            new.connection.goAway(refusingLaterStreams: true)
            try await new.flush()
            _ = try await wire.end()
            let (clients, shared) = try await waiting(2, at: proxy, for: upstream)
            #expect(upstream.connectionCount == 3)
            try await shared.serve(ServerIdentity.speakingHTTP2())
            let server = HTTP2Peer(shared, role: .server)
            for _ in clients { try await server.answer(server.accept()) }
            for client in clients { #expect(try await client.message().body == "ok") }
        }
        await upstream.stop()
    }

    @Test("A request that waits for a connection while the configuration is read again gets its answer")
    func survivesReload() async throws {
        let upstream = try await ScriptedUpstream.start()
        let setup = try ProxySetup(secure: upstream)
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.http2Client()
            let first = try await client.request()
            let second = try await client.request()
            client.connection.sendPing(1)
            try await client.flush()
            // Both have been read before.
            try await client.next { event -> Void? in
                if case .pong = event { () } else { nil }
            }
            let wire = try await upstream.accept()
            try await proxy.reload(setup)
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let server = HTTP2Peer(wire, role: .server)
            try await server.answer(server.accept())
            #expect(try await client.body(of: first) == "ok")
            try await server.answer(server.accept())
            #expect(try await client.body(of: second) == "ok")
        }
        await upstream.stop()
    }

    @Test("No more than one request is sent before the server has said how many it takes", arguments: [1, 2])
    func waitsForSettings(streams: Int) async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let (clients, wire) = try await waiting(2, at: proxy, for: upstream)
            try await wire.serve(ServerIdentity.speakingHTTP2())
            var settings = HTTP2Settings()
            settings.maxConcurrentStreams = streams
            let server = HTTP2Peer(wire, role: .server, settings: settings)
            // One that is too many would be refused by the server's own count.
            let first = try await server.accept()
            if streams == 1 { try await server.answer(first) }
            let second = try await server.accept()
            if streams == 2 { try await server.answer(first) }
            try await server.answer(second)
            for client in clients { #expect(try await client.message().body == "ok") }
        }
        await upstream.stop()
    }

    @Test("A server that agrees to speak HTTP/2 and then says nothing fails all that wait for it, once for all")
    func endsSilentServer() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.timeouts.handshake = .seconds(10)
        try await RunningProxy.with(setup) { proxy in
            let (clients, wire) = try await waiting(3, at: proxy, for: upstream)
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let silent = HTTP2Peer(wire, role: .server)
            silent.isSilent = true
            _ = try await silent.accept()
            try await proxy.clock.expire(.seconds(10))
            for client in clients {
                let answer = try await client.message()
                #expect(answer.status == 504)
                #expect(answer.body.contains("SETTINGS"))
            }
            #expect(upstream.connectionCount == 1)
        }
        await upstream.stop()
    }

    @Test("A connection that has not answered its first request is not used for the next")
    func leavesDeadConnection() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.timeouts.responseHeader = .seconds(10)
        try await RunningProxy.with(setup) { proxy in
            let (clients, wire) = try await waiting(2, at: proxy, for: upstream)
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let dead = HTTP2Peer(wire, role: .server)
            dead.isSilent = true
            _ = try await dead.accept()
            try await proxy.clock.expire(.seconds(10))
            let next = try await upstream.accept()
            try await next.serve(ServerIdentity.speakingHTTP2())
            let server = HTTP2Peer(next, role: .server)
            try await server.answer(server.accept())
            let statuses = [try await clients[0].message().status, try await clients[1].message().status]
            #expect(statuses.sorted() == [200, 504])
        }
        await upstream.stop()
    }

    @Test("A connection whose server sends GOAWAY while nothing is under way is closed")
    func leavesAfterGoAway() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) { proxy, upstream in
            let client = try await proxy.http2Client()
            let id = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            try await server.answer(try await server.accept())
            #expect(try await client.body(of: id) == "ok")
            server.connection.goAway(refusingLaterStreams: true)
            try await server.flush()
            #expect(try await server.wire.end() == .clean)
            let next = try await client.request()
            let other = HTTP2Peer(try await upstream.accept(), role: .server)
            try await other.answer(try await other.accept())
            #expect(try await client.body(of: next) == "ok")
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("A response that came in full reaches a slow client though the upstream's connection has ended")
    func deliversAfterTheEnd() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) { proxy, upstream in
            var settings = HTTP2Settings()
            settings.initialWindow = 1000
            let client = try await proxy.http2Client(settings)
            let id = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            let body = String(repeating: "0123456789", count: 6000)
            let stream = try await server.accept()
            server.connection.sendAnswer(stream, status: 200, fields: [:], endsStream: false)
            server.connection.sendData(stream, ByteBuffer(string: body), endsStream: true)
            try await server.flush()
            #expect(try await client.head(of: id).status == 200)
            await server.wire.close()
            #expect(try await client.body(of: id) == body)
        }
    }

    @Test("A client is told twice that the proxy stops, and what it sent before the second time is answered")
    func drainsInTwoSteps() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let client = try await proxy.http2Client()
            let first = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            let one = try await server.accept()
            await proxy.drain()
            try await client.next { event -> Void? in
                if case .goAway = event { () } else { nil }
            }
            #expect(client.goAways == [0x7FFF_FFFF])
            try await server.answer(one)
            #expect(try await client.body(of: first) == "ok")
            // The proxy's PING is answered by now, or will be.
            await #expect(throws: Wire.Ended.self) {
                while true { _ = try await client.next() }
            }
            #expect(client.goAways == [0x7FFF_FFFF, first])
        }
    }

    @Test("A drain does not wait for a client that resets its last stream")
    func drainsAfterReset() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let client = try await proxy.http2Client()
            let id = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            _ = try await server.accept()
            await proxy.drain()
            try await client.next { event -> Void? in
                if case .goAway = event { () } else { nil }
            }
            // This answers the proxy's PING, so that nothing but the stream is waited for.
            try await client.next { event -> Void? in
                if case .goAway = event { () } else { nil }
            }
            client.connection.reset(id, code: .cancel)
            try await client.flush()
            await #expect(throws: Wire.Ended.self) {
                while true { _ = try await client.next() }
            }
        }
    }

    @Test("Connections that a server made necessary go when they are idle, but for those that are kept for each host")
    func closesSurplus() async throws {
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity.speakingHTTP2())
        var setup = try ProxySetup(secure: upstream)
        setup.limits.pooledPerHost = 1
        setup.timeouts.surplus = .seconds(1)
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.http2Client()
            var settings = HTTP2Settings()
            settings.maxConcurrentStreams = 1
            var servers: [(peer: HTTP2Peer, stream: HTTP2StreamID)] = []
            for _ in 0..<3 {
                _ = try await client.request()
                let peer = HTTP2Peer(try await upstream.accept(), role: .server, settings: settings)
                servers.append((peer, try await peer.accept()))
            }
            for (peer, stream) in servers.dropLast() {
                try await peer.answer(stream)
                try await proxy.clock.expire(.seconds(1))
                _ = try await peer.wire.end()
            }
            try await servers[2].peer.answer(servers[2].stream)
            let id = try await client.request()
            try await servers[2].peer.answer(servers[2].peer.accept())
            #expect(try await client.body(of: id) == "ok")
        }
        await upstream.stop()
    }
}
