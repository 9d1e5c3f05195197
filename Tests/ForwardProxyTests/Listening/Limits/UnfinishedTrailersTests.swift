import HTTP1Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Trailer sections that are not whole", .generousLimit, .timed)
struct UnfinishedTrailersTests {
    private static let collected = 256 * 1024

    private func held(_ proxy: RunningProxy, _ address: String = "127.0.0.1") throws -> Int {
        let peer = PeerAddress(try SocketAddress(ipAddress: address, port: 1))
        return proxy.server.usages.usage(of: .peer(peer)).memory.held
    }

    private static let trailers = "0\nX-Large: \(String(repeating: "a", count: 15_000))"

    /// A chunked request, whose trailer section does not end.
    private static func unfinished(_ type: String = "text/plain") -> String {
        "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: \(type)\nTransfer-Encoding: chunked\n\n"
            + "5\nhello\n\(trailers)"
    }

    @Test(
        "A trailer section is counted, and its request refused where its client may have no more held",
        arguments: ["text/plain", "application/x-www-form-urlencoded"]
    )
    func trailersAreRefused(_ type: String) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            var clients: [Wire] = []
            for _ in 0..<24 {
                let client = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
                try await client.send(Self.unfinished(type))
                clients.append(client)
            }
            try await proxy.wait { clients.contains { $0.inbox.total > 0 } }
            let refused = try #require(clients.first { $0.inbox.total > 0 })
            let answer = try await refused.message()
            #expect(answer.status == 503 && answer["Retry-After"] == "1")
            #expect(answer.body.contains("127.0.0.2") && answer.body.contains("limits.collected"))
            #expect(try held(proxy, "127.0.0.2") > Self.collected / 2)
            #expect(try held(proxy, "127.0.0.2") <= Self.collected)
            for client in clients { try await client.reset() }
            try await proxy.wait { try held(proxy, "127.0.0.2") == 0 }
            _ = upstream
        }
    }

    @Test("A trailer section that becomes whole is sent on, and counts no longer when its request is over")
    func trailersBecomeWhole() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.unfinished())
            let server = try await upstream.accept()
            try await proxy.wait { try held(proxy) > 14_000 }
            try await client.send("\n\n")
            let message = try await server.message()
            #expect(message.body == "hello" && message.trailers.first?.utf8.count == 15_009)
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    @Test("A trailer section is given back where the server ends the request")
    func trailersOfBrokenRequest() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.unfinished())
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.wait { try held(proxy) > 14_000 }
            try await server.reset()
            #expect(try await client.message().status == 502)
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    @Test("A trailer section of a request whose response has begun ends with its connection where others need room")
    func trailersBehindResponse() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            var clients: [Wire] = []
            while try held(proxy, "127.0.0.2") < Self.collected * 3 / 4 {
                let before = try held(proxy, "127.0.0.2")
                let client = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
                try await client.send(Self.unfinished())
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 200 OK\nContent-Length: 9\n\nok")
                try await client.received(atLeast: 30)
                try await proxy.wait { try held(proxy, "127.0.0.2") >= before + 14_000 }
                clients.append(client)
            }
            let refused = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await refused.send(
                "GET http://api.test/ HTTP/1.1\nHost: api.test\nX: \(String(repeating: "a", count: 50_000))"
            )
            #expect(try await refused.message().status == 503)
            try await proxy.wait { try held(proxy, "127.0.0.2") <= Self.collected / 4 }
            #expect(clients.contains { $0.inbox.isOpen })
            for client in clients { try await client.reset() }
            try await proxy.wait { try held(proxy, "127.0.0.2") == 0 }
        }
    }

    @Test("An upload in chunks that the server takes late goes through where nothing may be held")
    func upload() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = 4 * 1024
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: text/plain\n"
                    + "Transfer-Encoding: chunked\n\n"
            )
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.channel.setOption(.autoRead, value: false).get()
            let length = 32 * 1024 * 1024
            async let sending: Void = client.send(
                "\(String(length, radix: 16))\n\(String(repeating: "a", count: length))\n0\n\n"
            )
            while try await !hasHeldUpUpload(proxy) { try Task.checkCancellation() }
            try await server.channel.setOption(.autoRead, value: true).get()
            server.channel.read()
            try await sending
            try await server.received(atLeast: length)
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    /// Indicates whether more of one than is not counted waits for its server.
    private func hasHeldUpUpload(_ proxy: RunningProxy) async throws -> Bool {
        for proxyLoop in proxy.server.loops.values {
            let isHeldUp = try await proxyLoop.eventLoop.submit {
                proxyLoop.value.clients.contains { client in
                    guard let client = client as? ClientHandler, let exchange = client.exchange else { return false }
                    return !exchange.wantsRequestBody && client.input.bufferedBytes > HeadMemory.uncountedBytes
                }
            }.get()
            if isHeldUp { return true }
        }
        return false
    }
}
