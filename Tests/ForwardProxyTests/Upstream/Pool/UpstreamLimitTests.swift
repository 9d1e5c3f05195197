import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Connections upstream that one client may use", .generousLimit, .timed)
struct UpstreamLimitTests {
    private static let other = "127.0.0.2"

    private func withHTTP2(
        limit: Int?,
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        try await RunningProxy.withSecureUpstream(
            identity: ServerIdentity.speakingHTTP2(),
            { $0.limits.upstreamPerClient = limit },
            body
        )
    }

    private func server(_ upstream: ScriptedUpstream, streams: Int) async throws -> HTTP2Peer {
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = streams
        let server = HTTP2Peer(try await upstream.accept(), role: .server, settings: settings)
        try await server.flush()
        return server
    }

    private func get(from address: String = "127.0.0.1", _ proxy: RunningProxy) async throws -> Wire {
        let client = try await Wire.connect(from: address, port: proxy.port)
        try await client.send(plainGet)
        return client
    }

    @Test("are those in use: one that is idle on another event loop does not count")
    func idleElsewhere() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.upstreamPerClient = 1
            $0.isTwoLooped = true
        } _: { proxy, upstream in
            let answering = Task { try await upstream.answerAll() }
            defer { answering.cancel() }
            for _ in 0..<8 {
                let answer = try await proxy.answer(to: plainGet)
                #expect(answer.status == 200)
            }
            #expect(upstream.connectionCount <= 2)
        }
    }

    @Test("are leased again where another client's is the newest that is idle")
    func ownIdle() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 20
        } _: { proxy, upstream in
            let answering = Task { try await upstream.answerAll() }
            defer { answering.cancel() }
            let answer = try await proxy.answer(to: plainGet)
            #expect(answer.status == 200)
            let own = proxy.server.usages.usage(
                of: .peer(PeerAddress(try SocketAddress(ipAddress: "127.0.0.1", port: 1)))
            )
            let client = try await get(from: Self.other, proxy)
            #expect(try await client.message().status == 200)
            // From now on nobody may have more.
            while own.connections.take(1) {}
            let again = try await get(from: Self.other, proxy)
            #expect(try await again.message().status == 200)
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("may be none: however many requests wait for one, each is refused")
    func manyWaiting() async throws {
        try await withHTTP2(limit: 1) { proxy, upstream in
            _ = try await get(proxy)
            let silent = try await upstream.accept()
            var clients: [(peer: HTTP2Peer, ids: [HTTP2StreamID])] = []
            for _ in 0..<20 {
                let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
                var ids: [HTTP2StreamID] = []
                for _ in 0..<100 { ids.append(try await client.request()) }
                // It has been read when something behind it is answered.
                client.connection.sendPing(1)
                try await client.flush()
                try await client.next { event -> Void? in if case .pong = event { () } else { nil } }
                clients.append((client, ids))
            }
            var settings = HTTP2Settings()
            settings.maxConcurrentStreams = 1
            try await HTTP2Peer(silent, role: .server, settings: settings).flush()
            for (client, ids) in clients {
                for _ in ids {
                    let status = try await client.next { event -> Int? in
                        if case .responseHead(_, let head, _) = event { head.status } else { nil }
                    }
                    #expect(status == 503)
                }
            }
        }
    }

    @Test("are not filled by who uses as many as it may: half of the places are left")
    func guests() async throws {
        try await RunningProxy.withSecureUpstream(
            identity: ServerIdentity.speakingHTTP2(),
            {
                $0.limits.upstreamPerClient = 1
                $0.apis[0].hosts = ["api.test:1", "api.test:2"]
            }
        ) { proxy, upstream in
            let elsewhere = try await proxy.get(port: 1, from: "127.0.0.1")
            let first = try await server(upstream, streams: 4)
            _ = try await first.accept()
            let own = try await proxy.get(port: 2, from: Self.other)
            let second = try await server(upstream, streams: 4)
            var streams = [try await second.accept()]
            let guest = try await proxy.get(port: 2, from: "127.0.0.1")
            streams.append(try await second.accept())
            let refused = try await proxy.get(port: 2, from: "127.0.0.1").message()
            #expect(refused.status == 503 && refused.body.contains("limits.upstream_per_client"))
            let more = try await proxy.get(port: 2, from: Self.other)
            streams.append(try await second.accept())
            for stream in streams { try await second.answer(stream) }
            for client in [own, guest, more] { #expect(try await client.message().status == 200) }
            await elsewhere.close()
        }
    }

    @Test("do not count when they take no more requests")
    func leaving() async throws {
        try await withHTTP2(limit: 1) { proxy, upstream in
            let busy = try await get(proxy)
            let first = try await server(upstream, streams: 9)
            let stream = try await first.accept()
            first.connection.goAway(refusingLaterStreams: true)
            try await first.flush()
            // It has been read when the answer to what is behind it has come.
            first.connection.sendPing(1)
            try await first.flush()
            try await first.next { event -> Void? in if case .pong = event { () } else { nil } }
            let client = try await get(proxy)
            let second = try await server(upstream, streams: 9)
            try await second.answer(second.accept())
            #expect(try await client.message().status == 200)
            try await first.answer(stream)
            #expect(try await busy.message().status == 200)
        }
    }

    @Test("give way to another one where others have filled them")
    func filled() async throws {
        try await withHTTP2(limit: 1) { proxy, upstream in
            let own = try await get(proxy)
            let first = try await server(upstream, streams: 2)
            let stream = try await first.accept()
            let guest = try await get(from: Self.other, proxy)
            let others = try await first.accept()
            let client = try await get(proxy)
            let second = try await server(upstream, streams: 2)
            try await second.answer(second.accept())
            #expect(try await client.message().status == 200)
            try await first.answer(stream)
            try await first.answer(others)
            #expect(try await own.message().status == 200)
            #expect(try await guest.message().status == 200)
        }
    }
}
