import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Trailer sections of requests that are held", .generousLimit, .timed)
struct HeldTrailersTests {
    private static let field = "X-Large: \(String(repeating: "a", count: 15_000))"

    private func held(_ proxy: RunningProxy) throws -> Int {
        let peer = PeerAddress(try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        return proxy.server.usages.usage(of: .peer(peer)).memory.held
    }

    private static func request(_ type: String) -> String {
        "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: \(type)\nTransfer-Encoding: chunked\n\n"
            + "5\na=bcd\n0\n\(field)\n\n"
    }

    @Test(
        "One that may have to be sent again is counted until its request is over",
        arguments: ["text/plain", "application/x-www-form-urlencoded"]
    )
    func isCounted(_ type: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.request(type))
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.wait { try held(proxy) > 14_000 }
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    @Test("One that finds no room is sent, and merely not kept to be sent again")
    func isNotKept() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = 4 * 1024
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.request("text/plain").components(separatedBy: "X-Large").first ?? "")
            let server = try await upstream.accept()
            _ = try await server.head()
            // Whole before more than 4 KiB of it are not.
            try await client.send("X-Large: \(String(repeating: "a", count: 2000))\n")
            try await client.send("X-Large: \(String(repeating: "a", count: 2500))\n\n")
            try await server.received(atLeast: 4500)
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
            #expect(try held(proxy) == 0)
        }
    }

    @Test("One that waits by HTTP/2 until there is a connection upstream is counted")
    func waits() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
            let id = try await client.request("POST", fields: "Content-Type: text/plain\n", ends: false)
            let section = try responseHead("HTTP/1.1 200 OK\n\(Self.field)\n\n").fields
            client.connection.sendTrailers(id, section)
            try await client.flush()
            try await proxy.wait { try held(proxy) > 14_000 }
            try await client.wire.reset()
            try await proxy.wait { try held(proxy) == 0 }
        }
        await upstream.stop()
    }
}
