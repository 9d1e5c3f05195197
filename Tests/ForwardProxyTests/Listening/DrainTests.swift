import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("An orderly end", .generousLimit, .timed)
struct DrainTests {
    @Test("A request in flight is finished, and idle connections are closed")
    func finishesRequests() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let idle = try await proxy.connect()
            try await idle.send("GET / HTTP/1.1\nHost: a\n\n")
            _ = try await idle.message()
            let silent = try await proxy.connect()
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            await proxy.drain()
            _ = try await silent.end()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            let answer = try await client.message()
            #expect(answer.body == "ok")
            #expect(answer["Connection"] == "close")
            #expect(try await client.end() == .clean)
            for client in [idle, silent, client] { await client.close() }
            // Though its time to drain is not over.
            try await proxy.end()
            #expect(!proxy.log.text.contains("what is still in flight"))
        }
    }

    @Test("A request that is pipelined behind the last one is not begun")
    func beginsNothing() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 3\n\na")
            let server = try await upstream.accept()
            _ = try await server.head()
            // The response has begun without a word of closing when the proxy is told to stop.
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\no")
            _ = try await client.head()
            let idle = try await proxy.connect()
            // One that the proxy has not taken yet would end with the listener.
            try await idle.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            _ = try await idle.message()
            await proxy.drain()
            // Its end tells that the draining has begun on the event loop.
            _ = try await idle.end()
            try await client.send("bc" + plainGet)
            try await server.send("k")
            #expect(try await client.bytes(2) == "ok")
            // The response was announced as one of many, so its end is all that tells: no other follows.
            let rest = try await client.rest()
            #expect(rest.received.isEmpty)
            #expect(rest.end == .clean)
            await client.close()
        }
    }

    @Test("What does not finish in time is cut off")
    func cutsOff() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.drain = .seconds(5)
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            await proxy.drain()
            try await proxy.clock.expire(.seconds(5))
            _ = try await client.end()
            _ = try await server.end()
            #expect(proxy.log.text.contains("timeouts.drain is over"))
        }
    }
}
