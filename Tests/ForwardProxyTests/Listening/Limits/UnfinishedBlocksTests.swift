import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Field blocks of HTTP/2 that are not whole", .generousLimit, .timed)
struct UnfinishedBlocksTests {
    private static let collected = 256 * 1024
    /// The most bytes that a frame can carry.
    private static let frameLength = 16_384

    private func held(_ proxy: RunningProxy, _ address: String = "127.0.0.1") throws -> Int {
        let peer = PeerAddress(try SocketAddress(ipAddress: address, port: 1))
        return proxy.server.usages.usage(of: .peer(peer)).memory.held
    }

    private func client(
        of proxy: RunningProxy,
        from address: String = "127.0.0.1",
        fields: String = ""
    ) async throws -> HTTP2Peer {
        HTTP2Peer(try await proxy.intercept(from: address, fields: fields, protocols: ["h2"]), role: .client)
    }

    /// Sends a HEADERS frame and CONTINUATION frames, none of which ends the field block.
    private func sendUnfinished(_ frames: Int, on id: HTTP2StreamID, by client: HTTP2Peer) async throws {
        try await client.flush()
        // Another frame would have no place there.
        client.isSilent = true
        var bytes = ByteBuffer()
        for number in 0..<frames {
            bytes.writeFrame(number == 0 ? 1 : 9, stream: id, ByteBuffer(repeating: 0, count: Self.frameLength))
        }
        try await client.wire.sendBytes(bytes)
    }

    /// Returns why the proxy ended the connection.
    private func goAway(to client: HTTP2Peer) async throws -> (code: HTTP2ErrorCode, text: String) {
        try await client.next { event -> (HTTP2ErrorCode, String)? in
            guard case .goAway(_, let code, let text) = event else { return nil }
            return (code, text.latin1)
        }
    }

    @Test("A field block of HTTP/2 is counted as it comes, and given back with its connection")
    func blockIsCounted() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, _ in
            let client = try await client(of: proxy)
            try await sendUnfinished(3, on: 1, by: client)
            try await proxy.wait { try held(proxy) >= 3 * Self.frameLength }
            #expect(try held(proxy) <= 8 * Self.frameLength)
            try await client.wire.reset()
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    @Test("A frame of one that has not come whole is counted too")
    func frameIsCounted() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, _ in
            let client = try await client(of: proxy)
            try await client.flush()
            var bytes = ByteBuffer()
            bytes.writeFrame(1, stream: 1, ByteBuffer(repeating: 0, count: Self.frameLength))
            try await client.wire.sendBytes(bytes.getSlice(at: 0, length: 10_000) ?? bytes)
            try await proxy.wait { try held(proxy) > 9000 }
            try await client.wire.reset()
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    @Test("It ends the connection where its client may have no more held, and others' requests go on")
    func blockIsRefused() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            var clients: [HTTP2Peer] = []
            for _ in 0..<4 {
                let client = try await client(of: proxy, from: "127.0.0.2")
                try await sendUnfinished(6, on: 1, by: client)
                clients.append(client)
            }
            try await proxy.wait { proxy.log.text.contains("limits.collected is used up") }
            #expect(try held(proxy, "127.0.0.2") <= Self.collected)
            let last = try await goAway(to: try #require(clients.last))
            #expect(last.code == .enhanceYourCalm && last.text.contains("limits.collected"))
            async let answering: Void = upstream.answerNext()
            let other = try await client(of: proxy, from: "127.0.0.3")
            let id = try await other.request()
            #expect(try await other.head(of: id).status == 200)
            try await answering
            for client in clients { try await client.wire.reset() }
            try await proxy.wait { try held(proxy, "127.0.0.2") == 0 && held(proxy, "127.0.0.3") == 0 }
        }
    }

    @Test("It is counted for the client by its name")
    func blockOfNamedClient() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
            $0.access = AccessPolicy(clients: [Client(name: "one") { _ in true }])
        } _: { proxy, _ in
            let login = "Proxy-Authorization: \(GatewayTests.basic("one:"))\n"
            let client = try await client(of: proxy, fields: login)
            try await sendUnfinished(2, on: 1, by: client)
            let one = proxy.server.usages.usage(of: .client("one")).memory
            try await proxy.wait { one.held >= 2 * Self.frameLength }
            #expect(proxy.server.usages.unnamed.memory.held == 0)
            try await client.wire.reset()
            try await proxy.wait { one.held == 0 }
        }
    }

    @Test("A client with more than a quarter in field blocks gives the rest back when another is refused some")
    func blocksAreGivenBack() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            var holders: [HTTP2Peer] = []
            while try held(proxy, "127.0.0.2") < Self.collected * 3 / 4 {
                let before = try held(proxy, "127.0.0.2")
                let holder = try await client(of: proxy, from: "127.0.0.2")
                try await sendUnfinished(2, on: 1, by: holder)
                try await proxy.wait { try held(proxy, "127.0.0.2") >= before + 2 * Self.frameLength }
                holders.append(holder)
            }
            let other = try await client(of: proxy, from: "127.0.0.3")
            let fields = "X-Large: \(String(repeating: "a", count: 31_000))\n"
            let refused = try await other.request(fields: fields)
            #expect(try await other.head(of: refused).status == 503)
            try await proxy.wait { try held(proxy, "127.0.0.2") <= Self.collected / 4 }
            async let answering: Void = upstream.answerNext()
            let next = try await other.request(fields: fields)
            #expect(try await other.head(of: next).status == 200)
            try await answering
        }
    }

    @Test("One that becomes whole counts no longer")
    func blockBecomesWhole() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            let client = try await client(of: proxy)
            try await client.flush()
            // What the peer would send as one frame, cut in two behind its first half.
            let id = client.connection.openStream() ?? 1
            let fields = "X-Large: \(String(repeating: "a", count: 12_000))\n"
            client.connection.sendRequest(
                id,
                try requestHead("GET / HTTP/1.1\nHost: api.test\n\(fields)\n"),
                scheme: .https,
                authority: ByteBuffer(string: "api.test"),
                endsStream: true
            )
            var whole = client.connection.takeOutput()
            whole.moveReaderIndex(forwardBy: 9)
            let first = whole.readSlice(length: 6000) ?? ByteBuffer()
            var bytes = ByteBuffer()
            bytes.writeFrame(1, flags: 1, stream: id, first)
            try await client.wire.sendBytes(bytes)
            try await proxy.wait { try held(proxy) >= 6000 }
            bytes.clear()
            bytes.writeFrame(9, flags: 4, stream: id, whole)
            async let answering: Void = upstream.answerNext()
            try await client.wire.sendBytes(bytes)
            #expect(try await client.head(of: id).status == 200)
            try await answering
            try await proxy.wait { try held(proxy) == 0 }
        }
    }

    @Test("One whose time is over is given back at once, though its connection lingers")
    func blockTimesOut() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, _ in
            let client = try await client(of: proxy)
            try await sendUnfinished(2, on: 1, by: client)
            try await proxy.wait { try held(proxy) >= 2 * Self.frameLength }
            try await proxy.hasBegunHead()
            try await proxy.clock.expire(proxy.server.generation.settings.timeouts.requestHeader)
            #expect(try await goAway(to: client).code == .enhanceYourCalm)
            try await proxy.wait { try held(proxy) == 0 }
            #expect(client.wire.channel.isActive)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func writeFrame(_ type: UInt8, flags: UInt8 = 0, stream: HTTP2StreamID, _ payload: ByteBuffer)
    {
        writeInteger(UInt8(truncatingIfNeeded: payload.readableBytes >> 16))
        writeInteger(UInt16(truncatingIfNeeded: payload.readableBytes))
        writeInteger(type)
        writeInteger(flags)
        writeInteger(stream)
        writeImmutableBuffer(payload)
    }
}
