import NIOCore
import Settings
import TestSupport
import Testing
import UpstreamTrust
import X509

@testable import ForwardProxy
@testable import ProviderSimulator

@Suite("An orderly end", .generousLimit, .timed)
struct DrainTests {
    @Test("A request in flight is finished, and idle connections are closed")
    func finishesRequests() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let idle = try await proxy.connect()
            try await idle.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            _ = try await idle.message()
            let silent = try await proxy.connect()
            // One that the proxy has not taken yet would end with the listener.
            let peer = PeerAddress(try SocketAddress(ipAddress: "127.0.0.1", port: 0))
            let address = proxy.server.usages.usage(of: .peer(peer))
            try await proxy.wait { address.places.held == 2 }
            let client = try await proxy.connect()
            try await client.send(plainGet)
            _ = try await server.head()
            await proxy.drain()
            _ = try await idle.end()
            try await proxy.clock.expire(.seconds(1))
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

    @Test("A client that connected before it is served, once")
    func servesFirstRequest() async throws {
        try await RunningProxy.withGateway {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let port = try proxy.gatewayPort()
            let begun = try await proxy.connectToGateway()
            try await begun.send("GET /a HTTP/1.1\nHost: 127.0.0.1\n")
            let intercepted = try await proxy.intercept()
            await proxy.drain()
            await Wire.awaitRefusal(port: port)
            await Wire.awaitRefusal(port: proxy.port)
            for (client, rest) in [(begun, "\n"), (intercepted, "GET /b HTTP/1.1\nHost: api.test\n\n")] {
                try await client.send(rest)
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 2\n\nok")
                let response = try await client.message()
                #expect(response.status == 200)
                #expect(response["Connection"] == "close")
                #expect(try await client.rest().received.isEmpty)
            }
        }
    }

    @Test("The first request of a connection is awaited no longer than it may be on its way")
    func closesSilentConnections() async throws {
        try await RunningProxy.withGateway {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, _ in
            let silent = try await proxy.intercept()
            await proxy.drain()
            try await proxy.clock.expire(.seconds(1))
            #expect(try await silent.rest().received.isEmpty)
            try await proxy.end()
        }
    }

    @Test("A handshake is awaited no longer than that: the proxy's own, and that of a host", arguments: [true, false])
    func closesSilentTLS(isOwn: Bool) async throws {
        let certificates = try ServerIdentity.shared.get()
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.drain = .minutes(10)
            guard isOwn else { return }
            $0.identity = TLSIdentity(
                chain: [certificates.leaf],
                key: try Certificate.PrivateKey(derBytes: certificates.leafKeyDER)
            )
        } _: { proxy, _ in
            let silent = try await proxy.connect()
            if isOwn {
                // One that the proxy has not taken yet would end with the listener.
                let peer = PeerAddress(try SocketAddress(ipAddress: "127.0.0.1", port: 0))
                let address = proxy.server.usages.usage(of: .peer(peer))
                try await proxy.wait { address.places.held == 1 }
            } else {
                try await silent.send("CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n\n")
                #expect(try await silent.head().status == 200)
            }
            await proxy.drain()
            try await proxy.clock.expire(.seconds(1))
            #expect(try await silent.rest().received.isEmpty)
            try await proxy.end()
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
