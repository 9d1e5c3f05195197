import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Requests that wait for room on connections of HTTP/2", .generousLimit, .timed)
struct WaitingRequestTests {
    private static let other = "127.0.0.2"

    private func with(
        limit: Int? = nil,
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.limits.upstreamPerClient = limit
        try await RunningProxy.with(setup) { try await body($0, upstream) }
        await upstream.stop()
    }

    /// The other end of the proxy's first connection.
    private func server(_ upstream: ScriptedUpstream, streams: Int) async throws -> HTTP2Peer {
        let wire = try await upstream.accept()
        try await wire.serve(ServerIdentity.speakingHTTP2())
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = streams
        (settings.initialWindow, settings.connectionWindow) = (65_535, 65_535)
        let server = HTTP2Peer(wire, role: .server, settings: settings)
        try await server.flush()
        return server
    }

    private func send(_ request: String, from address: String = "127.0.0.1", _ proxy: RunningProxy) async throws -> Wire
    {
        let client = try await Wire.connect(from: address, port: proxy.port)
        try await client.send(request)
        // The proxy answers this itself, and has read the request by then.
        _ = try await proxy.answer(to: "TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        return client
    }

    private func post(_ length: Int, sending sent: Int) -> String {
        "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: \(length)\n\n"
            + String(repeating: "a", count: sent)
    }

    @Test("have it although the connection that is being made for their client is as many as it may use")
    func ownConnection() async throws {
        try await with(limit: 1) { proxy, upstream in
            let others = try await send(plainGet, from: Self.other, proxy)
            let first = try await server(upstream, streams: 1)
            let stream = try await first.accept()
            let waiting = try await send(plainGet, proxy)
            _ = try await upstream.accept()
            try await first.answer(stream)
            #expect(try await others.message().body == "ok")
            try await first.answer(first.accept())
            #expect(try await waiting.message().body == "ok")
            // The connection that is being made still is.
            let late = try await send(plainGet, proxy)
            try await first.answer(first.accept())
            #expect(try await late.message().body == "ok")
        }
    }

    @Test("have it although another client's request that came before them may not")
    func behindUpload() async throws {
        try await with { proxy, upstream in
            let stuck = try await send(post(200_000, sending: 100_000), from: Self.other, proxy)
            let first = try await server(upstream, streams: 2)
            first.isSilent = true
            let upload = try await first.accept()
            var received = 0
            while received < 65_535 {
                if case .data(upload, let bytes) = try await first.next() { received += bytes.readableBytes }
            }
            first.isSilent = false
            let own = try await send(plainGet, proxy)
            let stream = try await first.accept()
            let confined = try await send(post(100, sending: 100), from: Self.other, proxy)
            let second = try await upstream.accept()
            let waiting = try await send(plainGet, proxy)
            try await first.answer(stream)
            #expect(try await own.message().body == "ok")
            try await first.answer(first.accept())
            #expect(try await waiting.message().body == "ok")
            // No connection can be made for it: it shares what there is.
            await second.close()
            try await first.answer(first.accept())
            #expect(try await confined.message().body == "ok")
            await stuck.close()
        }
    }

    @Test("wait on where no other connection can be made, if they came while that was tried")
    func latecomers() async throws {
        try await with { proxy, upstream in
            let own = try await send(plainGet, proxy)
            let first = try await server(upstream, streams: 1)
            let stream = try await first.accept()
            let early = try await send(plainGet, proxy)
            let second = try await upstream.accept()
            let late = try await send(plainGet, proxy)
            await second.close()
            #expect(try await early.message().status == 502)
            let third = try await upstream.accept()
            try await first.answer(stream)
            #expect(try await own.message().body == "ok")
            try await first.answer(first.accept())
            #expect(try await late.message().body == "ok")
            await third.close()
        }
    }
}
