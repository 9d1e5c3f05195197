import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Connections that nobody has been named for, where clients are listed", .generousLimit, .timed)
struct UnnamedConnectionsTests {
    private func with(
        connections: Int,
        isTwoLooped: Bool = false,
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = connections
            $0.isTwoLooped = isTwoLooped
            $0.access = AccessPolicy(clients: ["modest", "greedy"].map { Client(name: $0) { $0.isEmpty } })
        } _: { proxy, upstream in
            try await body(proxy, upstream)
        }
    }

    private static func get(_ credentials: String) -> String {
        RunningProxy.request("GET", fields: "Proxy-Authorization: \(GatewayTests.basic(credentials))\n")
    }

    private func inFlight(_ proxy: RunningProxy, _ upstream: ScriptedUpstream, by name: String) async throws
        -> RequestInFlight
    {
        try await RequestInFlight(proxy, upstream, Self.get("\(name):"), from: "127.0.0.9")
    }

    private func stranger(_ number: Int, _ proxy: RunningProxy) async throws -> Wire {
        await proxy.clock.advance(by: .milliseconds(1))
        return try await Wire.connect(from: "127.0.7.\(number)", port: proxy.port)
    }

    /// Waits until so many connections are there that are as asked.
    private func has(
        _ count: Int,
        _ proxy: RunningProxy,
        where isMeant: @escaping @Sendable (any ClientConnection) -> Bool
    ) async throws {
        while true {
            try Task.checkCancellation()
            var found = 0
            for proxyLoop in proxy.server.loops.values {
                found += try await proxyLoop.eventLoop.submit { proxyLoop.value.clients.count(where: isMeant) }.get()
            }
            if found == count { return }
        }
    }

    /// A stranger with part of a head.
    private func beginner(_ number: Int, _ proxy: RunningProxy) async throws -> Wire {
        let stranger = try await stranger(number, proxy)
        try await stranger.send("GET / HTTP/1.1\nX-A: ")
        return stranger
    }

    /// As many as there is room for, from as many addresses.
    private func beginners(_ count: Int, _ proxy: RunningProxy) async throws -> [Wire] {
        var strangers: [Wire] = []
        for number in 1...count {
            strangers.append(try await beginner(number, proxy))
            try await has(number, proxy) { [clock = proxy.clock] in $0.slowSince(at: clock.now) != nil }
        }
        return strangers
    }

    /// Strangers whose sixth guess waits to be checked, from as many addresses.
    private func guessers(_ count: Int, _ proxy: RunningProxy) async throws -> [Wire] {
        var strangers: [Wire] = []
        for number in 1...count {
            let stranger = try await stranger(number, proxy)
            for guess in 0..<6 { try await stranger.send(Self.get("nobody\(number):\(guess)")) }
            for _ in 0..<5 { #expect(try await stranger.message().status == 407) }
            try await proxy.hasWaitingLogins(number)
            strangers.append(stranger)
        }
        return strangers
    }

    private func open(_ wires: [Wire]) -> [Int] { wires.indices.filter { wires[$0].inbox.isOpen } }

    @Test("Log-ins that wait to be checked give way to a client, the oldest first, and count as guesses all the same")
    func waiting() async throws {
        try await with(connections: 4) { proxy, upstream in
            let strangers = try await guessers(4, proxy)
            _ = try await inFlight(proxy, upstream, by: "modest")
            #expect(try await strangers[0].rest().received.isEmpty)
            #expect(open(strangers) == [1, 2, 3])
            try await proxy.hasWaitingLogins(3)
            let again = try await stranger(1, proxy)
            try await again.send(Self.get("nobody1:again"))
            try await proxy.hasWaitingLogins(4)
            // The turn that has been given up passes, and the next one is later by twice the time.
            await proxy.clock.advance(by: .milliseconds(740))
            #expect(again.inbox.total == 0)
            await proxy.clock.advance(by: .milliseconds(10))
            #expect(try await again.message().status == 503)
        }
    }

    @Test("Heads that are not whole give way to clients, however few their addresses hold", arguments: [false, true])
    func beginnings(isTwoLooped: Bool) async throws {
        try await with(connections: 4, isTwoLooped: isTwoLooped) { proxy, upstream in
            let strangers = try await beginners(4, proxy)
            for count in 1...3 {
                _ = try await inFlight(proxy, upstream, by: "modest")
                try await proxy.wait { open(strangers) == Array(count..<4) }
            }
        }
    }

    @Test("The next stranger gives way too, however soon it has come")
    func oneAfterTheOther() async throws {
        try await with(connections: 1) { proxy, upstream in
            for number in 1...3 {
                let stranger = try await beginner(number, proxy)
                try await has(1, proxy) { [clock = proxy.clock] in $0.slowSince(at: clock.now) != nil }
                let request = try await inFlight(proxy, upstream, by: "modest")
                try await request.answer()
                await request.client.close()
                #expect(try await stranger.rest().received.isEmpty)
                try await has(0, proxy) { _ in true }
            }
        }
    }

    @Test("A connection that was unnamed for a second gives way before a client's idle connection")
    func beforeIdle() async throws {
        try await with(connections: 3) { proxy, upstream in
            var idle: [Wire] = []
            for _ in 0..<2 {
                let request = try await inFlight(proxy, upstream, by: "modest")
                try await request.answer()
                idle.append(request.client)
            }
            let stranger = try await stranger(1, proxy)
            try await has(1, proxy) { $0.unnamedSince != nil }
            await proxy.clock.advance(by: .seconds(1))
            _ = try await inFlight(proxy, upstream, by: "greedy")
            #expect(try await stranger.rest().received.isEmpty)
            #expect(open(idle) == [0, 1])
        }
    }

    @Test("It gives way, too, where another address has more of them, which have just come")
    func behindYounger() async throws {
        try await with(connections: 4) { proxy, upstream in
            let request = try await inFlight(proxy, upstream, by: "modest")
            try await request.answer()
            let old = try await stranger(1, proxy)
            try await has(1, proxy) { $0.unnamedSince != nil }
            await proxy.clock.advance(by: .seconds(1))
            let young = [try await stranger(2, proxy), try await stranger(2, proxy)]
            try await has(3, proxy) { $0.unnamedSince != nil }
            _ = try await inFlight(proxy, upstream, by: "greedy")
            #expect(try await old.rest().received.isEmpty)
            #expect(request.client.inbox.isOpen && open(young) == [0, 1])
        }
    }

    @Test("A client gets no more by strangers' ends than it could have without them")
    func fairShare() async throws {
        try await with(connections: 20) { proxy, upstream in
            let strangers = try await beginners(20, proxy)
            for _ in 0..<18 { _ = try await inFlight(proxy, upstream, by: "greedy") }
            let refused = try await Wire.connect(from: "127.0.0.9", port: proxy.port)
            try await refused.send(Self.get("greedy:"))
            #expect(try await refused.message().status == 503)
            #expect(open(strangers) == [18, 19])
            for _ in 0..<2 { _ = try await inFlight(proxy, upstream, by: "modest") }
        }
    }

    @Test("However many strangers come, a newcomer gets to say its name", arguments: [false, true])
    func arrivals(isTwoLooped: Bool) async throws {
        try await with(connections: 1, isTwoLooped: isTwoLooped) { proxy, upstream in
            let guesser = try #require(try await guessers(1, proxy).first)
            var strangers: [Wire] = []
            for number in 2...100 { strangers.append(try await beginner(number, proxy)) }
            #expect(try await guesser.rest().received.isEmpty)
            let request = try await inFlight(proxy, upstream, by: "modest")
            try await proxy.wait { !open(strangers).contains(0) }
            #expect(open(strangers).contains(98))
            try await request.answer()
        }
    }

    @Test("The address that has the most of them gives way to newcomers from elsewhere")
    func most() async throws {
        try await with(connections: 1) { proxy, _ in
            let lonely = try await beginner(1, proxy)
            var greedy: [Wire] = []
            for number in 0..<40 {
                await proxy.clock.advance(by: .milliseconds(1))
                greedy.append(try await Wire.connect(from: "127.0.0.9", port: proxy.port))
                // It may be accepted later, and be as old as the next one.
                try await has(number + 2, proxy) { $0.unnamedSince != nil }
            }
            var others: [Wire] = []
            for number in 2...24 { others.append(try await beginner(number, proxy)) }
            try await has(64, proxy) { $0.unnamedSince != nil }
            #expect(open(greedy).count == 40)
            let newcomer = try await stranger(25, proxy)
            try await newcomer.send(plainGet)
            #expect(try await newcomer.message().status == 503)
            #expect(try await greedy[0].rest().received.isEmpty)
            #expect(open(greedy).count == 39 && lonely.inbox.isOpen && open(others).count == 23)
        }
    }

    @Test("Where places have become free, nobody is told that there are none")
    func freed() async throws {
        try await with(connections: 1) { proxy, _ in
            let first = try await stranger(1, proxy)
            let second = try await stranger(2, proxy)
            try await has(2, proxy) { $0.unnamedSince != nil }
            await first.close()
            try await has(1, proxy) { $0.unnamedSince != nil }
            for proxyLoop in proxy.server.loops.values { try await proxyLoop.eventLoop.submit {}.get() }
            try await second.send(Self.get("nobody:1"))
            #expect(try await second.message().status == 407)
            #expect(!proxy.log.text.contains("used up"))
        }
    }
}
