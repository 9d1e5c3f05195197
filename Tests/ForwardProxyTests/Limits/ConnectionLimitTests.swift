import HTTP1Codec
import HTTP2Codec
import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("As many connections as may be", .generousLimit, .timed)
struct ConnectionLimitTests {
    /// A connection that has had its answer, and is idle.
    private func idle(_ proxy: RunningProxy, _ upstream: ScriptedUpstream, from address: String) async throws -> Wire {
        let request = try await RequestInFlight(proxy, upstream, from: address)
        try await request.answer()
        await proxy.clock.advance(by: .milliseconds(1))
        return request.client
    }

    private func isOpen(_ client: Wire) -> Bool { client.inbox.isOpen }

    @Test("A newcomer gets the place of the longest idle connection of the address that holds the most")
    func givesWay() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 4
        } _: { proxy, upstream in
            let lonely = try await idle(proxy, upstream, from: "127.0.0.1")
            let first = try await idle(proxy, upstream, from: "127.0.0.2")
            let second = try await idle(proxy, upstream, from: "127.0.0.2")
            let third = try await idle(proxy, upstream, from: "127.0.0.2")
            let newcomer = try await idle(proxy, upstream, from: "127.0.0.3")
            #expect(try await first.rest().received.isEmpty)
            _ = try await idle(proxy, upstream, from: "127.0.0.4")
            #expect(try await second.rest().received.isEmpty)
            for client in [lonely, third, newcomer] { #expect(isOpen(client)) }
        }
    }

    @Test("A connection that has asked for nothing yet is idle, one that is asking is not")
    func silentAndAsking() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 2
        } _: { proxy, upstream in
            // What comes in one piece with a request that is answered has been read by then.
            let requests = plainGet + "GET http://api.test/ HTTP/1.1\nHost: api.test\n"
            let asking = try await RequestInFlight(proxy, upstream, requests, from: "127.0.0.2")
            try await asking.answer()
            let silent = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            let newcomer = try await idle(proxy, upstream, from: "127.0.0.3")
            #expect(try await silent.rest().received.isEmpty)
            #expect(isOpen(asking.client) && isOpen(newcomer))
        }
    }

    @Test("Where nobody is idle, a newcomer is told so, and the next one has the place of whoever is")
    func isToldSo() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 1
        } _: { proxy, upstream in
            let busy = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            for _ in 0..<3 {
                let refused = try await proxy.answer(to: plainGet)
                #expect(refused.status == 503)
                #expect(refused.proxyError == "connection_limit_reached")
                #expect(refused["Retry-After"] == "1")
                #expect(refused["Connection"] == "close")
            }
            try await busy.answer()
            let answering = Task {
                while true {
                    let server = try await upstream.accept()
                    _ = try await server.head()
                    try await server.send("HTTP/1.1 204 No Content\nConnection: close\n\n")
                }
            }
            // Where nobody was idle, nobody is asked again at once.
            #expect(try await proxy.answer(to: plainGet).status == 503)
            await proxy.clock.advance(by: .milliseconds(20))
            #expect(try await proxy.answer(to: plainGet).status == 204)
            #expect(try await busy.client.rest().received.isEmpty)
            answering.cancel()
        }
    }

    @Test("Connections over the limit that say nothing leave newcomers from elsewhere the places to be told so")
    func silentSurplus() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 1
        } _: { proxy, upstream in
            _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            var silent: [Wire] = []
            for _ in 0..<80 {
                // Some are closed at once.
                if let client = try? await Wire.connect(from: "127.0.0.2", port: proxy.port) { silent.append(client) }
            }
            let newcomer = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await newcomer.send(plainGet)
            #expect(try await newcomer.message().status == 503)
            #expect(silent.contains { $0.inbox.isOpen })
        }
    }

    @Test("Who holds the most with requests in flight does not get the places of others")
    func takesFromNobodyWithLess() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
        } _: { proxy, upstream in
            let modest = try await idle(proxy, upstream, from: "127.0.0.1")
            _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            let greedy = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await greedy.send(plainGet)
            #expect(try await greedy.message().status == 503)
            #expect(isOpen(modest))
        }
    }

    @Test("An address with requests that nobody answers leaves others some places")
    func unanswered() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 20
        } _: { proxy, upstream in
            for _ in 0..<18 { _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2") }
            let greedy = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await greedy.send(plainGet)
            #expect(try await greedy.message().status == 503)
            let newcomers = [
                try await RequestInFlight(proxy, upstream, from: "127.0.0.3"),
                try await RequestInFlight(proxy, upstream, from: "127.0.0.4"),
            ]
            for newcomer in newcomers { try await newcomer.answer() }
        }
    }

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

    @Test("Who holds the most with silent tunnels gives one up to a newcomer who would hold less")
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
            for client in [lonely, second, newcomer.client] { #expect(isOpen(client)) }
        }
    }

    /// Returns what the proxy itself answers to a newcomer, on a connection that stays open.
    private func status(_ proxy: RunningProxy, from address: String, keeping kept: inout [Wire]) async throws -> Int {
        let client = try await Wire.connect(from: address, port: proxy.port)
        try await client.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        kept.append(client)
        return try await client.message().status
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
            for _ in 0..<200 { #expect(try await status(proxy, from: "127.0.0.2", keeping: &kept) == 501) }
            for _ in 0..<100 { #expect(try await status(proxy, from: "127.0.0.3", keeping: &kept) == 501) }
            for client in tunnels { #expect(isOpen(client)) }
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
            for _ in 0..<2 { _ = try await status(proxy, from: "127.0.0.2", keeping: &kept) }
            for _ in 0..<2 { _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.3") }
            #expect(try await status(proxy, from: "127.0.0.3", keeping: &kept) == 503)
            for client in tunnels { #expect(isOpen(client)) }
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
            #expect(isOpen(busy.client) && isOpen(other.client))
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
            #expect(isOpen(uploads[0].client) && isOpen(uploads[2].client) && isOpen(newcomer.client))
            #expect(try await proxy.accessLogText { $0.contains("gave way") }.count > 0)
        }
    }

    @Test("Who does not take the last answer gives way too")
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
                answers.append(try await status(proxy, from: "127.0.0.3", keeping: &kept))
            }
            #expect(answers.last == 501)
            for client in greedy { await client.close() }
        }
    }

    @Test("So does who does not read an answer that the system has taken")
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
            #expect(try await status(proxy, from: "127.0.0.3", keeping: &kept) == 503)
            await proxy.clock.advance(by: .seconds(6))
            #expect(try await status(proxy, from: "127.0.0.3", keeping: &kept) == 501)
            for client in greedy { await client.close() }
        }
    }

    @Test("Who keeps the window of an answer by HTTP/2 shut does likewise")
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

    @Test("Tunnels through which a byte goes now and then give way likewise")
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
            #expect(isOpen(tunnels[1].client) && isOpen(tunnels[2].client) && isOpen(newcomer.client))
        }
    }

    @Test("Where clients are listed, places are theirs, wherever they come from; who holds most of them has less time")
    func listed() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
            $0.access = AccessPolicy(clients: ["one", "two"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            func head(_ name: String) -> String {
                RunningProxy.request(
                    "POST",
                    fields: "Proxy-Authorization: \(GatewayTests.basic("\(name):"))\nContent-Length: 9\n"
                )
            }
            var uploads: [RequestInFlight] = []
            for _ in 0..<3 { uploads.append(try await RequestInFlight(proxy, upstream, head("one"))) }
            await proxy.clock.advance(by: .seconds(1))
            let other = try await RequestInFlight(proxy, upstream, head("two"))
            try await proxy.wait { uploads.count { !$0.client.inbox.isOpen } == 1 }
            #expect(isOpen(other.client))
        }
    }

    /// A request in flight of a client that is listed.
    private func inFlight(
        _ proxy: RunningProxy,
        _ upstream: ScriptedUpstream,
        by name: String,
        from address: String = "127.0.0.1"
    ) async throws -> RequestInFlight {
        try await RequestInFlight(proxy, upstream, Self.get(by: name), from: address)
    }

    private static func get(by name: String) -> String {
        RunningProxy.request("GET", fields: "Proxy-Authorization: \(GatewayTests.basic("\(name):"))\n")
    }

    @Test(
        "Where clients are listed, who holds the most gets no place of others by coming anew",
        arguments: ["127.0.0.1", "127.0.0.2"]
    )
    func listedNewcomers(_ address: String) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 20
            $0.access = AccessPolicy(clients: ["modest", "greedy"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            var idle: [Wire] = []
            for _ in 0..<6 {
                let request = try await inFlight(proxy, upstream, by: "modest")
                try await request.answer()
                idle.append(request.client)
            }
            var greedy: [Wire] = []
            for _ in 0..<18 {
                let before = upstream.connectionCount
                let client = try await Wire.connect(from: address, port: proxy.port)
                try await client.send(Self.get(by: "greedy"))
                try await proxy.wait { upstream.connectionCount > before || client.inbox.total > 0 }
                greedy.append(client)
            }
            let refused = greedy.filter { $0.inbox.total > 0 }
            #expect(refused.count == 5)
            for client in refused { #expect(try await client.message().status == 503) }
            // They are told, and keep no places until they are closed.
            _ = try await inFlight(proxy, upstream, by: "modest", from: "127.0.0.9")
            for client in idle { #expect(isOpen(client)) }
        }
    }

    @Test("Where clients are listed, newcomers that wait for places hold none yet")
    func listedTogether() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 24
            $0.access = AccessPolicy(clients: ["idle", "newcomer"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            var idle: [Wire] = []
            for _ in 0..<24 {
                let request = try await inFlight(proxy, upstream, by: "idle")
                try await request.answer()
                idle.append(request.client)
            }
            var newcomers: [Wire] = []
            for _ in 0..<12 { newcomers.append(try await Wire.connect(from: "127.0.0.2", port: proxy.port)) }
            let peer = PeerAddress(try SocketAddress(ipAddress: "127.0.0.2", port: 1))
            let address = proxy.server.usages.usage(of: .peer(peer))
            try await proxy.wait { address.surplus.held + address.places.held == newcomers.count }
            // All of them say their names before any of them is decided upon.
            let gate = DispatchGate()
            for proxyLoop in proxy.server.loops.values { proxyLoop.eventLoop.execute { _ = gate.pass() } }
            for newcomer in newcomers { try await newcomer.send(Self.get(by: "newcomer")) }
            gate.open()
            try await proxy.wait {
                newcomers.count { $0.inbox.total > 0 } + upstream.connectionCount == 24 + newcomers.count
            }
            #expect(newcomers.allSatisfy { $0.inbox.total == 0 })
            for client in idle { await client.close() }
        }
    }

    @Test("Where clients are listed, whoever says nothing keeps nobody out who says a name", arguments: [1, 40])
    func silentStrangers(connections: Int) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = connections
            $0.access = AccessPolicy(clients: [Client(name: "modest") { _ in true }])
        } _: { proxy, upstream in
            var silent: [Wire] = []
            for _ in 0..<150 {
                // Some are closed at once.
                if let client = try? await Wire.connect(port: proxy.port) { silent.append(client) }
            }
            for _ in 0..<10 {
                let request = try await inFlight(proxy, upstream, by: "modest")
                try await request.answer()
                await request.client.close()
            }
            for client in silent { await client.close() }
        }
    }

    @Test("The place is found on whatever event loop it is")
    func acrossLoops() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 6
            $0.isTwoLooped = true
        } _: { proxy, upstream in
            var clients: [Wire] = []
            for _ in 0..<6 { clients.append(try await idle(proxy, upstream, from: "127.0.0.2")) }
            for _ in 0..<6 { _ = try await idle(proxy, upstream, from: "127.0.0.3") }
            // Until both hold as many, and then each newcomer's own address gives way.
            for client in clients.prefix(3) { #expect(try await client.rest().received.isEmpty) }
        }
    }

    @Test("A connection that has just come gives way to no newcomer of its own address: its request may be on its way")
    func youngConnections() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 2
        } _: { proxy, upstream in
            var clients: [Wire] = []
            for _ in 0..<2 { clients.append(try await Wire.connect(from: "127.0.0.2", port: proxy.port)) }
            let newcomer = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await newcomer.send(plainGet)
            #expect(try await newcomer.message().status == 503)
            for client in clients {
                try await client.send(plainGet)
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send(RequestInFlight.answer)
                #expect(try await client.message().status == 200)
            }
        }
    }

    @Test("Newcomers that come together take idle places until both addresses hold as many")
    func togetherUntilEqual() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 12
        } _: { proxy, upstream in
            var kept: [Wire] = []
            for _ in 0..<10 { _ = try await status(proxy, from: "127.0.0.2", keeping: &kept) }
            var newcomers: [Wire] = []
            for _ in 0..<20 {
                let newcomer = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
                try await newcomer.send(plainGet)
                newcomers.append(newcomer)
            }
            for _ in 0..<2 { _ = try await upstream.accept() }
            for _ in 0..<5 { _ = try await status(proxy, from: "127.0.0.3", keeping: &newcomers) }
            // One may have come just before it could be counted.
            #expect(kept.count { isOpen($0) } >= 5)
            for newcomer in newcomers { await newcomer.close() }
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
            let bystander = try await idle(proxy, upstream, from: "127.0.0.4")
            await proxy.clock.advance(by: .seconds(6))
            let newcomer = try await RequestInFlight(proxy, upstream, from: "127.0.0.3")
            #expect(isOpen(bystander) && isOpen(newcomer.client))
            try await proxy.wait { uploads.count { !$0.client.inbox.isOpen } == 1 }
        }
    }

    @Test("Through interceptions too, connections give way between requests")
    func interceptions() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.connections = 1
        } _: { proxy, upstream in
            let client = try await proxy.intercept()
            try await client.send("GET / HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
            let next = try await proxy.intercept()
            #expect(isOpen(next))
            _ = try await client.end()
        }
    }
}
