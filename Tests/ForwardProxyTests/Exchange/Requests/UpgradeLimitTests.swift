import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The life of upgraded connections", .generousLimit, .timed)
struct UpgradeLimitTests {
    typealias Way = UpgradedConnection.Way

    @Test("A connection through which nothing moves is cut", arguments: Way.allCases)
    func closesIdle(way: Way) async throws {
        try await UpgradedConnection.with(way) {
            $0.timeouts.idle = .seconds(4)
        } _: { connection in
            try await connection.proxy.clock.expire(.seconds(4))
            let ends = try await (connection.client.end(), connection.server.end())
            #expect(ends.0 == (way.isIntercepted ? .cut : .clean))
            #expect(ends.1 == (way.isSecureUpstream ? .cut : .clean))
        }
    }

    @Test("It outlives a reload, and keeps nothing of the old configuration", arguments: Way.allCases)
    func outlivesReload(way: Way) async throws {
        try await UpgradedConnection.with(way) { connection in
            let old = WeakGeneration(connection.proxy.server.generation)
            try await connection.proxy.reload(ProxySetup(apis: []))
            #expect(try await old.isForgotten(by: connection.proxy))
            try await connection.client.send("ping")
            #expect(try await connection.server.bytes(4) == "ping")
            try await connection.server.send("pong")
            #expect(try await connection.client.bytes(4) == "pong")
            await connection.client.close()
            await connection.server.close()
            // The log of the present configuration gets the line.
            let line = try await connection.proxy.accessLogLine()
            #expect(line["api"] as? String == "api")
            #expect(line["status"] as? Int == 101)
        }
    }

    @Test("An orderly end waits for it as long as the configuration says, and tells that it is cut")
    func isDrained() async throws {
        try await UpgradedConnection.with(.interceptedToTLS) {
            $0.timeouts.drain = .seconds(4)
        } _: { connection in
            await connection.proxy.drain()
            try await connection.client.send("still")
            #expect(try await connection.server.bytes(5) == "still")
            try await connection.proxy.clock.expire(.seconds(4))
            #expect(try await connection.client.end() == .cut)
            #expect(try await connection.server.end() == .cut)
            #expect(connection.proxy.log.text.contains("timeouts.drain is over"))
        }
    }

    @Test("An orderly end is not held up by one that ends")
    func endsDraining() async throws {
        try await UpgradedConnection.with(.interceptedToTLS) {
            $0.timeouts.drain = .minutes(10)
        } _: { connection in
            await connection.proxy.drain()
            try await connection.client.finishSending()
            #expect(try await connection.server.end() == .clean)
            try await connection.server.finishSending()
            #expect(try await connection.client.end() == .clean)
            // Though its time to drain is not over.
            try await connection.proxy.end()
            #expect(!connection.proxy.log.text.contains("what is still in flight"))
        }
    }
}
