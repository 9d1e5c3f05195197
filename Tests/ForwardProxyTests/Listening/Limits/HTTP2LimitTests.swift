import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Limits of clients that speak HTTP/2", .generousLimit, .timed)
struct HTTP2LimitTests {
    private func client(of proxy: RunningProxy) async throws -> HTTP2Peer {
        HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
    }

    /// The upstream's end of the next request.
    private func received(_ upstream: ScriptedUpstream) async throws -> Wire {
        let server = try await upstream.accept()
        _ = try await server.head()
        return server
    }

    @Test("Streams are counted each for itself")
    func streams() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.requestsPerClient = 2
        } _: { proxy, upstream in
            let client = try await client(of: proxy)
            let first = try await client.request()
            _ = try await client.request()
            for _ in 0..<2 { _ = try await received(upstream) }
            let third = try await client.request()
            #expect(try await client.head(of: third).status == 503)
            #expect(try await client.body(of: third).contains("limits.requests_per_client"))
            client.connection.reset(first, code: .cancel)
            let fourth = try await client.request()
            try await received(upstream).send(RequestInFlight.answer)
            #expect(try await client.head(of: fourth).status == 200)
        }
    }

    @Test("A connection without a stream gives way, one with a stream does not")
    func givesWay() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.connections = 2
        } _: { proxy, upstream in
            let busy = try await client(of: proxy)
            _ = try await busy.request()
            _ = try await received(upstream)
            let idle = try await client(of: proxy)
            let id = try await idle.request()
            try await received(upstream).send(RequestInFlight.answer)
            #expect(try await idle.head(of: id).status == 200)
            #expect(try await idle.body(of: id) == "ok")
            let newcomer = try await client(of: proxy)
            await #expect(throws: Wire.Ended.self) { while true { _ = try await idle.next() } }
            #expect(!idle.goAways.isEmpty)
            #expect(busy.wire.inbox.isOpen && newcomer.wire.inbox.isOpen)
        }
    }
}
