import Foundation
import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Back-pressure", .generousLimit, .timed)
struct BackPressureTests {
    /// Far more than all buffers of two loopback connections hold.
    private let limit = 64 << 20
    private let piece = ByteBuffer(repeating: 0x61, count: 256 * 1024)

    @Test(
        "A client that does not read its response stops the upstream, and gets all of it in the end",
        arguments: [true, false]
    )
    func holdsUpstreamBack(isSecure: Bool) async throws {
        func run(_ proxy: RunningProxy, _ upstream: ScriptedUpstream) async throws {
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nConnection: close\nContent-Length: \(limit)\n\n")
            let head = try await client.head()
            #expect(head.status == 200)
            try await client.channel.setOption(.autoRead, value: false).get()
            let flow = try await Flow.fill(server, through: proxy, piece: piece, limit: limit)
            #expect(flow.isHeldBack)
            try await client.channel.setOption(.autoRead, value: true).get()
            try await client.received(atLeast: flow.written)
        }
        if isSecure {
            try await RunningProxy.withSecureUpstream { try await run($0, $1) }
        } else {
            try await RunningProxy.withPlainUpstream { try await run($0, $1) }
        }
    }

    @Test("An upstream that does not read the request stops the client, and gets all of it in the end")
    func holdsClientBack() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: \(limit)\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.channel.setOption(.autoRead, value: false).get()
            let flow = try await Flow.fill(client, through: proxy, piece: piece, limit: limit)
            #expect(flow.isHeldBack)
            try await server.channel.setOption(.autoRead, value: true).get()
            try await server.received(atLeast: flow.written)
        }
    }

    @Test("Requests that are pipelined behind one in flight are not read on and on")
    func holdsPipelineBack() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            let flow = try await Flow.fill(client, through: proxy, piece: piece, limit: limit)
            #expect(flow.isHeldBack)
        }
    }

    @Test(
        "A client that does not take what the proxy itself answers is not read on and on, and gets all in the end",
        arguments: [true, false]
    )
    func holdsRefusalsBack(isIntercepted: Bool) async throws {
        try await RunningProxy.withSecureUpstream { proxy, _ in
            let client = isIntercepted ? try await proxy.intercept() : try await proxy.connect()
            try await client.channel.setOption(.autoRead, value: false).get()
            let target = isIntercepted ? "/" : "http://api.test/"
            let request = "TRACE \(target) HTTP/1.1\r\nHost: api.test\r\nX: \(String(repeating: "x", count: 4000))"
            var requests = ByteBuffer()
            while requests.readableBytes < piece.readableBytes { requests.writeString(request + "\r\n\r\n") }
            let flow = try await Flow.fill(client, through: proxy, piece: requests, limit: limit)
            #expect(flow.isHeldBack)
            try await client.channel.setOption(.autoRead, value: true).get()
            try await flow.lastWrite.get()
            try await client.send("\(request)\nConnection: close\n\n")
            let answers = try await client.rest().received
            let count = flow.written / (request.utf8.count + 4) + 1
            #expect(answers.components(separatedBy: "HTTP/1.1 501 ").count == count + 1)
        }
    }

    @Test("A response whose upstream has closed is whole for a client that reads late")
    func deliversAfterUpstreamClosed() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await client.channel.setOption(.autoRead, value: false).get()
            try await server.send("HTTP/1.1 200 OK\nConnection: close\n\n")
            let flow = try await Flow.fill(server, through: proxy, piece: piece, limit: limit)
            #expect(flow.isHeldBack)
            try await client.channel.setOption(.autoRead, value: true).get()
            try await flow.lastWrite.get()
            await server.close()
            try await client.received(atLeast: flow.written)
            // The last chunk says that it was whole.
            try await client.send(plainGet)
            _ = try await upstream.accept().head()
        }
    }
}
