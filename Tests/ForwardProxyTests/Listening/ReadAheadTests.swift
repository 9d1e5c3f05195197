import HTTP1Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Requests that a client sends before their turn", .generousLimit, .timed)
struct ReadAheadTests {
    @Test("Requests behind one in flight are read no further than what one read has brought, and are all answered")
    func pipelined() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await client.send(plainGet)
            while try await buffered(proxy) == 0 { try Task.checkCancellation() }
            try await client.send(String(repeating: plainGet, count: 400))
            // Another client's request goes all the way, after that was there to be read.
            let other = try await proxy.connect()
            try await other.send(plainGet)
            let second = try await upstream.accept()
            _ = try await second.head()
            #expect(try await buffered(proxy) == plainGet.withNetworkLineEnds.utf8.count)
            for number in 0..<402 {
                if number > 0 { _ = try await server.head() }
                try await server.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
                #expect(try await client.message().status == 200)
            }
        }
    }

    @Test("At the end of the input they are counted, and dropped where the client may have no more held")
    func ended() async throws {
        for (collected, answered) in [(10_000, 1), (100_000, 401)] {
            try await RunningProxy.withPlainUpstream {
                $0.limits.collected = collected
            } _: { proxy, upstream in
                let client = try await proxy.connect()
                try await client.send(plainGet)
                let server = try await upstream.accept()
                _ = try await server.head()
                try await client.send(String(repeating: plainGet, count: 400))
                try await client.finishSending()
                while try await !hasEndedInput(proxy) { try Task.checkCancellation() }
                for number in 0..<answered {
                    if number > 0 { _ = try await server.head() }
                    try await server.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
                    #expect(try await client.message().status == 200)
                }
                _ = try await client.end()
                #expect(server.inbox.total < (answered + 1) * 1000)
            }
        }
    }

    private func hasEndedInput(_ proxy: RunningProxy) async throws -> Bool {
        var hasEnded = false
        for proxyLoop in proxy.server.loops.values {
            hasEnded =
                try await proxyLoop.eventLoop.submit {
                    proxyLoop.value.clients.contains { ($0 as? ClientHandler)?.machine.inputHasEnded == true }
                }.get() || hasEnded
        }
        return hasEnded
    }

    @Test("A chunked body whose parts come in pieces is read on")
    func chunked() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\n\n1")
            let server = try await upstream.accept()
            _ = try await server.head()
            for piece in ["0\n0123456", "789abcdef\n", "0", "\n\n"] {
                try await client.send(piece)
                let loop = client.channel.eventLoop
                for _ in 0..<10 { try await loop.submit {}.get() }
            }
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
            #expect(try await client.message().status == 200)
        }
    }

    /// Bytes of the clients' that wait for their turn.
    private func buffered(_ proxy: RunningProxy) async throws -> Int {
        var sum = 0
        for proxyLoop in proxy.server.loops.values {
            sum += try await proxyLoop.eventLoop.submit {
                proxyLoop.value.clients.reduce(0) { $0 + (($1 as? ClientHandler)?.input.bufferedBytes ?? 0) }
            }.get()
        }
        return sum
    }
}
