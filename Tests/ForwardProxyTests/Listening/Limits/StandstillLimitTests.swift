import HTTP1Codec
import HTTP2Codec
import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Connections that stand still, where there are as many as may be", .generousLimit, .timed)
struct StandstillLimitTests {
    /// A tunnel through which something has passed.
    private func tunnel(_ proxy: RunningProxy, _ upstream: ScriptedUpstream, from peer: String) async throws -> Wire {
        let client = try await Wire.connect(from: peer, port: proxy.port)
        let authority = "127.0.0.1:\(upstream.port)"
        try await client.send("CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
        #expect(try await client.head().status == 200)
        let server = try await upstream.accept()
        try await client.send("question")
        _ = try await server.bytes(8)
        await proxy.clock.advance(by: .milliseconds(1))
        return client
    }

    @Test("A client that holds the most with silent tunnels gives one up to a newcomer that would hold less")
    func silentTunnels() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(connectPorts: [$0.apis[0].port])
            $0.limits.connections = 3
            $0.timeouts.progress = .zero
        } _: { proxy, upstream in
            let lonely = try await tunnel(proxy, upstream, from: "127.0.0.1")
            let first = try await tunnel(proxy, upstream, from: "127.0.0.2")
            let second = try await tunnel(proxy, upstream, from: "127.0.0.2")
            let newcomer = try await RequestInFlight(proxy, upstream, from: "127.0.0.3")
            #expect(try await first.rest().received.isEmpty)
            // Everybody holds one now.
            let another = try await Wire.connect(from: "127.0.0.4", port: proxy.port)
            try await another.send(plainGet)
            #expect(try await another.message().status == 503)
            for client in [lonely, second, newcomer.client] { #expect(client.isOpen) }
        }
    }

    @Test("No tunnel gives way as long as anybody is idle")
    func idleBeforeSilent() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(connectPorts: [$0.apis[0].port])
            // More than one look around finds places for.
            $0.limits.connections = 202
            $0.timeouts.progress = .zero
        } _: { proxy, upstream in
            let tunnels = [
                try await tunnel(proxy, upstream, from: "127.0.0.1"),
                try await tunnel(proxy, upstream, from: "127.0.0.1"),
            ]
            var kept: [Wire] = []
            for _ in 0..<200 { #expect(try await proxy.newcomerStatus(from: "127.0.0.2", keeping: &kept) == 501) }
            for _ in 0..<100 { #expect(try await proxy.newcomerStatus(from: "127.0.0.3", keeping: &kept) == 501) }
            for client in tunnels { #expect(client.isOpen) }
            for client in kept { await client.close() }
        }
    }

    @Test("A newcomer who holds as much by then gets no tunnel's place")
    func endsWithEqualShares() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(connectPorts: [$0.apis[0].port])
            $0.limits.connections = 4
            $0.timeouts.progress = .zero
        } _: { proxy, upstream in
            let tunnels = [
                try await tunnel(proxy, upstream, from: "127.0.0.2"),
                try await tunnel(proxy, upstream, from: "127.0.0.2"),
            ]
            var kept: [Wire] = []
            for _ in 0..<2 { _ = try await proxy.newcomerStatus(from: "127.0.0.2", keeping: &kept) }
            for _ in 0..<2 { _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.3") }
            #expect(try await proxy.newcomerStatus(from: "127.0.0.3", keeping: &kept) == 503)
            for client in tunnels { #expect(client.isOpen) }
        }
    }

    @Test("Heads that have begun give way like tunnels do, requests in flight do not")
    func beginnings() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .zero
        } _: { proxy, upstream in
            let busy = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            let requests = plainGet + "GET http://api.test/ HTTP/1.1\nHost: api.test\n"
            let other = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            let beginning = try await RequestInFlight(proxy, upstream, requests, from: "127.0.0.2")
            try await beginning.answer()
            _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.3")
            #expect(try await beginning.client.rest().received.isEmpty)
            let refused = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await refused.send(plainGet)
            #expect(try await refused.message().status == 503)
            #expect(busy.client.isOpen && other.client.isOpen)
        }
    }

    @Test("Uploads that stand still give way to a newcomer, and those that get on do not")
    func uploads() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
        } _: { proxy, upstream in
            let head = "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 100000\n\n"
            var uploads: [RequestInFlight] = []
            for _ in 0..<3 { uploads.append(try await RequestInFlight(proxy, upstream, head, from: "127.0.0.2")) }
            for _ in 0..<6 {
                await proxy.clock.advance(by: .seconds(1))
                for (upload, size) in zip(uploads, [5000, 1, 5000]) {
                    try await upload.client.send(String(repeating: "a", count: size))
                    _ = try await upload.server.bytes(size)
                }
            }
            let newcomer = try await RequestInFlight(proxy, upstream, from: "127.0.0.3")
            #expect(try await uploads[1].client.rest().received.isEmpty)
            #expect(uploads[0].client.isOpen && uploads[2].client.isOpen && newcomer.client.isOpen)
            #expect(try await proxy.accessLogText { $0.contains("gave way") }.count > 0)
        }
    }

    @Test("A client that does not take the last answer gives way too")
    func answerNotTaken() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
        } _: { proxy, _ in
            // More answers than the system takes for a client that reads none.
            let requests = String(repeating: "TRACE http://api.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n", count: 40_000)
            var greedy: [Wire] = []
            for _ in 0..<3 {
                let client = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
                try await client.channel.setOption(.autoRead, value: false).get()
                client.channel.writeAndFlush(ByteBuffer(string: requests), promise: nil)
                greedy.append(client)
            }
            try await proxy.hasSlowClients(3)
            // The system may take some for them for a while.
            var kept: [Wire] = []
            var answers: [Int] = []
            while answers.last != 501, answers.count < 20 {
                await proxy.clock.advance(by: .seconds(6))
                answers.append(try await proxy.newcomerStatus(from: "127.0.0.3", keeping: &kept))
            }
            #expect(answers.last == 501)
            for client in greedy { await client.close() }
        }
    }

    @Test("A client that does not read an answer that the system has taken gives way too")
    func answerInBuffers() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
        } _: { proxy, upstream in
            let head = "HTTP/1.1 200 OK\nContent-Length: 200000\nConnection: close\n\n"
            var greedy: [Wire] = []
            for _ in 0..<3 {
                let client = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
                try await client.channel.setOption(.socketOption(.so_rcvbuf), value: 4_096).get()
                try await client.channel.setOption(.autoRead, value: false).get()
                try await client.send(plainGet)
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send(head + String(repeating: "a", count: 200_000))
                greedy.append(client)
            }
            try await proxy.hasKeptClients(3)
            var kept: [Wire] = []
            #expect(try await proxy.newcomerStatus(from: "127.0.0.3", keeping: &kept) == 503)
            await proxy.clock.advance(by: .seconds(6))
            #expect(try await proxy.newcomerStatus(from: "127.0.0.3", keeping: &kept) == 501)
            for client in greedy { await client.close() }
        }
    }

    @Test("A client that keeps the window of an answer by HTTP/2 shut gives way too")
    func answerBehindWindow() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
        } _: { proxy, upstream in
            var shut = HTTP2Settings()
            shut.initialWindow = 0
            var greedy: [HTTP2Peer] = []
            for _ in 0..<3 {
                let wire = try await proxy.intercept(from: "127.0.0.2", protocols: ["h2"])
                let client = HTTP2Peer(wire, role: .client, settings: shut)
                let id = try await client.request()
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send(RequestInFlight.answer)
                #expect(try await client.head(of: id).status == 200)
                greedy.append(client)
            }
            try await proxy.hasSlowClients(3)
            await proxy.clock.advance(by: .seconds(6))
            let newcomer = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await newcomer.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            #expect(try await newcomer.message().status == 501)
            withExtendedLifetime(greedy) {}
        }
    }

    @Test("Tunnels through which a byte goes now and then give way, too")
    func trickles() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(connectPorts: [$0.apis[0].port])
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
        } _: { proxy, upstream in
            let authority = "127.0.0.1:\(upstream.port)"
            var tunnels: [(client: Wire, server: Wire)] = []
            for _ in 0..<3 {
                let client = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
                try await client.send("CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
                #expect(try await client.head().status == 200)
                tunnels.append((client, try await upstream.accept()))
            }
            for _ in 0..<6 {
                await proxy.clock.advance(by: .seconds(1))
                for (tunnel, size) in zip(tunnels, [1, 5000, 5000]) {
                    try await tunnel.client.send(String(repeating: "a", count: size))
                    _ = try await tunnel.server.bytes(size)
                }
            }
            let newcomer = try await RequestInFlight(proxy, upstream, from: "127.0.0.3")
            #expect(try await tunnels[0].client.rest().received.isEmpty)
            #expect(tunnels[1].client.isOpen && tunnels[2].client.isOpen && newcomer.client.isOpen)
        }
    }

    @Test("One idle connection of somebody else does not keep those that stand still from giving way")
    func idleBystander() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 4
            $0.timeouts.progress = .seconds(5)
        } _: { proxy, upstream in
            let head = "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 100000\n\n"
            var uploads: [RequestInFlight] = []
            for _ in 0..<3 { uploads.append(try await RequestInFlight(proxy, upstream, head, from: "127.0.0.2")) }
            let bystander = try await proxy.idleClient(of: upstream, from: "127.0.0.4")
            await proxy.clock.advance(by: .seconds(6))
            let newcomer = try await RequestInFlight(proxy, upstream, from: "127.0.0.3")
            #expect(bystander.isOpen && newcomer.client.isOpen)
            try await proxy.wait { uploads.count { !$0.client.inbox.isOpen } == 1 }
        }
    }
}
