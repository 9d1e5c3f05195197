import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Refusals that cannot be held back whole, or come early", .generousLimit, .timed)
struct LargeRefusalTests {
    private static let size = 100_000
    private static let body = String((0..<size).map { Character(UnicodeScalar(UInt8(0x20 + $0 % 95))) })

    private static let challenge = "WWW-Authenticate: OAuth oauth_problem=\"token_revoked\"\n"

    @Test("What is over the limit goes on as it comes, diagnosed by its fields")
    func forwardsLarge() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send("HTTP/1.1 401 No\n\(Self.challenge)Content-Length: \(Self.size)\n\n")
            let head = Self.body.prefix(80_000)
            try await server.sendBytes(ByteBuffer(string: String(head)))
            // The rest is not sent before the client has what there was.
            let answer = try await client.head()
            #expect(answer.refusal?.details.hasPrefix("Token refused") == true)
            #expect(try await client.bytes(80_000) == head)
            try await server.sendBytes(ByteBuffer(string: String(Self.body.dropFirst(80_000))))
            #expect(try await client.bytes(20_000) == Self.body.suffix(20_000))
            try await client.send(plainGet)
            _ = try await server.message(hasBody: false)
        }
    }

    @Test("What is over the limit in chunks goes on as it comes, too")
    func forwardsLargeChunked() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send(
                "HTTP/1.1 403 No\n\(Self.challenge)Transfer-Encoding: chunked\n\n"
                    + "186a0\n\(Self.body)\n0\nX-Sum: 1\n\n"
            )
            let answer = try await client.message()
            #expect(answer.body == Self.body)
            #expect(answer.trailers == ["X-Sum: 1"])
            #expect(answer.refusal?.receivedStatus == 403)
        }
    }

    private static let upload =
        "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: application/json\nContent-Length: 10\n\n[1,2,"

    @Test("One that comes in the middle of an upload does not wait for its end, nor stop it")
    func forwardsEarly() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.upload)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 401 No\n\(Self.challenge)Content-Length: 2\n\nno")
            let answer = try await client.message()
            #expect(answer.body == "no")
            #expect(answer.refusal?.details.hasPrefix("Token refused") == true)
            try await client.send("3,4]_")
            #expect(try await server.bytes(10) == "[1,2,3,4]_")
            try await client.send(plainGet)
            _ = try await server.message(hasBody: false)
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.message().status == 204)
        }
    }

    @Test("One that ends the provider's connection in the middle of an upload reaches the client all the same")
    func forwardsEarlyEnd() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.upload)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 401 No\n\(Self.challenge)Connection: close\nContent-Length: 2\n\nno")
            await server.close()
            let answer = try await client.message()
            #expect(answer.body == "no")
            #expect(answer["Connection"] == "close")
            #expect(answer.refusal?.receivedStatus == 401)
        }
    }

    @Test("One that is cut off cuts the client off, be it held back or not")
    func cutsOff() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            for bytes in [1_000, 80_000] {
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request("POST"))
                let server = try await upstream.accept()
                _ = try await server.message(hasBody: false)
                try await server.send("HTTP/1.1 401 No\n\(Self.challenge)Content-Length: \(Self.size)\n\n")
                try await server.sendBytes(ByteBuffer(string: String(Self.body.prefix(bytes))))
                if bytes == 1_000 { await server.close() }
                #expect(try await client.head().status == 401)
                _ = try await client.bytes(bytes)
                await server.close()
                #expect(try await client.rest().end == .cut)
            }
        }
    }
}
