import HTTP2Codec
import Inspection
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The numbers of upstream connections", .generousLimit, .timed)
struct UpstreamConnectionCountsTests {
    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"

    @Test("A connection is in use while it carries a request, and idle afterwards, also after a reload")
    func counts() async throws {
        let upstream = try await ScriptedUpstream.start()
        let setup = ProxySetup(plain: upstream)
        try await RunningProxy.with(setup) { proxy in
            #expect(await proxy.server.upstreamConnections() == [:])
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(inUse: 1)])
            try await server.send(Self.answer)
            _ = try await client.message()
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(idle: 1)])
            try await proxy.reload(setup)
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(idle: 1)])
            // One that is gone is not counted when the next one is made.
            await server.close()
            _ = try await server.end()
            try await client.send(plainGet)
            let next = try await upstream.accept()
            _ = try await next.head()
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(inUse: 1)])
            try await next.send(Self.answer)
            _ = try await client.message()
        }
        await upstream.stop()
    }

    @Test("Requests wait until it is known that they can share a connection, which is one however many it carries")
    func shared() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            var clients: [Wire] = []
            for _ in 0..<3 { clients.append(try await proxy.connect()) }
            for client in clients { try await client.send(plainGet) }
            let wire = try await upstream.accept()
            // The proxy answers this itself, and has read all the others by then.
            _ = try await proxy.answer(to: "TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(waiting: 3)])
            try await wire.serve(ServerIdentity.speakingHTTP2())
            let server = HTTP2Peer(wire, role: .server)
            var requests: [HTTP2StreamID] = []
            for _ in clients { requests.append(try await server.accept()) }
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(inUse: 1)])
            for request in requests { try await server.answer(request) }
            for client in clients { #expect(try await client.message().body == "ok") }
            #expect(await proxy.server.upstreamConnections() == ["api": UpstreamConnectionCounts(idle: 1)])
        }
        await upstream.stop()
    }
}
