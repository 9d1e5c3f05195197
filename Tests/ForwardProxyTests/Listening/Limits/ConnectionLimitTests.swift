import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("As many connections as may be", .generousLimit, .timed)
struct ConnectionLimitTests {
    @Test("A newcomer gets the place of the longest idle connection of the address that holds the most")
    func givesWay() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 4
        } _: { proxy, upstream in
            let lonely = try await proxy.idleClient(of: upstream, from: "127.0.0.1")
            let first = try await proxy.idleClient(of: upstream, from: "127.0.0.2")
            let second = try await proxy.idleClient(of: upstream, from: "127.0.0.2")
            let third = try await proxy.idleClient(of: upstream, from: "127.0.0.2")
            let newcomer = try await proxy.idleClient(of: upstream, from: "127.0.0.3")
            #expect(try await first.rest().received.isEmpty)
            _ = try await proxy.idleClient(of: upstream, from: "127.0.0.4")
            #expect(try await second.rest().received.isEmpty)
            for client in [lonely, third, newcomer] { #expect(client.isOpen) }
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
            let newcomer = try await proxy.idleClient(of: upstream, from: "127.0.0.3")
            #expect(try await silent.rest().received.isEmpty)
            #expect(asking.client.isOpen && newcomer.isOpen)
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

    @Test("A client that holds the most with requests in flight does not get the places of others")
    func takesFromNobodyWithLess() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
        } _: { proxy, upstream in
            let modest = try await proxy.idleClient(of: upstream, from: "127.0.0.1")
            _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            let greedy = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await greedy.send(plainGet)
            #expect(try await greedy.message().status == 503)
            #expect(modest.isOpen)
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

    @Test("The place is found on whatever event loop it is")
    func acrossLoops() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 6
            $0.isTwoLooped = true
        } _: { proxy, upstream in
            var clients: [Wire] = []
            for _ in 0..<6 { clients.append(try await proxy.idleClient(of: upstream, from: "127.0.0.2")) }
            for _ in 0..<6 { _ = try await proxy.idleClient(of: upstream, from: "127.0.0.3") }
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
            for _ in 0..<10 { _ = try await proxy.newcomerStatus(from: "127.0.0.2", keeping: &kept) }
            var newcomers: [Wire] = []
            for _ in 0..<20 {
                let newcomer = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
                try await newcomer.send(plainGet)
                newcomers.append(newcomer)
            }
            for _ in 0..<2 { _ = try await upstream.accept() }
            for _ in 0..<5 { _ = try await proxy.newcomerStatus(from: "127.0.0.3", keeping: &newcomers) }
            // One may have come just before it could be counted.
            #expect(kept.count { $0.isOpen } >= 5)
            for newcomer in newcomers { await newcomer.close() }
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
            #expect(next.isOpen)
            _ = try await client.end()
        }
    }
}
