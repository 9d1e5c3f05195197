import Bytes
import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Upstream connections that are used again", .generousLimit, .timed)
struct ConnectionReuseTests {
    private let noContent = "HTTP/1.1 204 No Content\n\n"

    @Test("An upstream connection is used again, by other clients too")
    func reusesConnection() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let one = try await proxy.connect()
            try await one.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(noContent)
            #expect(try await one.message().status == 204)
            let other = try await proxy.connect()
            try await other.send(plainGet)
            _ = try await server.head()
            try await server.send(noContent)
            #expect(try await other.message().status == 204)
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A connection that the upstream will close is not used again", arguments: ["1.1", "1.0"])
    func obeysClose(version: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            let close = version == "1.1" ? "Connection: close\n" : ""
            try await server.send("HTTP/\(version) 200 OK\nContent-Length: 0\n\(close)\n")
            #expect(try await client.message().status == 200)
            try await client.send(plainGet)
            async let _ = Self.answer(server, "Content-Length: 4\n\nused")
            async let _ = Self.answer(try await upstream.accept(), "Content-Length: 3\n\nnew")
            #expect(try await client.message().body == "new")
            #expect(try await server.end() == .clean)
        }
    }

    @Test(
        "A connection on which more came than the response is not used again",
        arguments: ["HTTP/1.1 200 OK\nContent-Length: 5\n\nstale", "H", "\n"]
    )
    func leavesBytesBehind(surplus: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok\(surplus)")
            #expect(try await client.message().body == "ok")
            let received = server.inbox.total
            try await client.send(plainGet)
            // Both connections answer the next request, so that it has an answer wherever it is sent.
            async let _ = Self.answer(server, "Content-Length: 4\n\nused")
            async let _ = Self.answer(try await upstream.accept(), "Content-Length: 3\n\nnew")
            #expect(try await client.message().body == "new")
            #expect(server.inbox.total == received)
        }
    }

    /// Answers one request.
    static func answer(_ server: Wire, _ rest: String) async throws {
        _ = try await server.head()
        try await server.send("HTTP/1.1 200 OK\n\(rest)")
    }

    /// Leaves one pooled connection behind, of which the upstream is told.
    private func warm(_ proxy: RunningProxy, _ upstream: ScriptedUpstream) async throws -> (client: Wire, server: Wire)
    {
        let client = try await proxy.connect()
        try await client.send(plainGet)
        let server = try await upstream.accept()
        _ = try await server.head()
        try await server.send(noContent)
        _ = try await client.message()
        return (client, server)
    }

    @Test("A pooled connection that closes under a GET costs the client nothing")
    func repeatsOnStaleConnection() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let (client, stale) = try await warm(proxy, upstream)
            try await client.send(plainGet)
            let first = try await stale.head()
            await stale.close()
            let server = try await upstream.accept()
            let second = try await server.head()
            #expect(first["Authorization"] != second["Authorization"])
            _ = try verify(second, scheme: .http)
            try await server.send(noContent)
            #expect(try await client.message().status == 204)
        }
    }

    @Test("It is repeated once: a second loss is told")
    func repeatsOnce() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let (client, stale) = try await warm(proxy, upstream)
            try await client.send(plainGet)
            _ = try await stale.head()
            await stale.close()
            let second = try await upstream.accept()
            _ = try await second.head()
            await second.close()
            let answer = try await client.message()
            #expect(answer.status == 502)
            #expect(answer.proxyError == "connection_terminated")
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("A POST is not repeated")
    func repeatsNoPost() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let (client, stale) = try await warm(proxy, upstream)
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 0\n\n")
            _ = try await stale.head()
            await stale.close()
            let answer = try await client.message()
            #expect(answer.status == 502)
            #expect(answer.proxyError == "connection_terminated")
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("The body of a repeated PUT arrives whole")
    func repeatsBody() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let (client, stale) = try await warm(proxy, upstream)
            try await client.send(
                "PUT http://api.test/ HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\n\n3\nabc\n"
            )
            _ = try await stale.head()
            #expect(try await stale.bytes(8) == "3\r\nabc\r\n")
            await stale.close()
            let server = try await upstream.accept()
            _ = try await server.head()
            try await client.send("2\nde\n0\n\n")
            #expect(try await server.bytes(20) == "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            try await server.send(noContent)
            #expect(try await client.message().status == 204)
        }
    }

    @Test("A pooled connection that the upstream has closed is not tried")
    func forgetsClosedConnection() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let (client, closed) = try await warm(proxy, upstream)
            try await closed.finishSending()
            // By now the proxy has noticed.
            _ = try await closed.end()
            await closed.close()
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 0\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(noContent)
            #expect(try await client.message().status == 204)
        }
    }
}
