import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

/// The upstream sends nothing more until the client has what was sent before: whatever is held back holds up the test.
@Suite("Server-sent events, one by one", .generousLimit, .timed)
struct EventStreamTests {
    typealias Way = UpgradedConnection.Way

    private static let type = "Content-Type: text/event-stream\n"
    /// Ends of events, events, a part of one, and bytes that only a decoder would understand.
    private static let pieces = ["\n", "data: 1\n\n", ": ping\n\n", "data: a", "b\n\n", "\u{1f}\u{8b}\u{8}\0\u{ff}"]

    /// Returns what the upstream sends for a piece.
    private func framed(_ piece: String, _ fields: String) -> String {
        fields.contains("chunked") ? Self.chunk(piece) : piece
    }

    private static func chunk(_ piece: String) -> String {
        "\(String(piece.unicodeScalars.count, radix: 16))\r\n\(piece)\r\n"
    }

    private func send(_ bytes: String, on wire: Wire) async throws {
        try await wire.sendBytes(ByteBuffer(bytes: bytes.latin1Bytes))
    }

    @Test(
        "Each arrives before the next is sent, whatever the framing and the coding",
        arguments: Way.allCases,
        ["Transfer-Encoding: chunked\n", "", "Content-Encoding: gzip\n", "Connection: close\n"]
    )
    func arriveAtOnce(way: Way, fields: String) async throws {
        try await UpgradedConnection.withProxy(way) { proxy, upstream in
            let client = try await UpgradedConnection.connect(way, proxy)
            try await client.send(UpgradedConnection.request(way, fields: "Accept: text/event-stream\n"))
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\n\(Self.type)\(fields)\n")
            // The head comes before the first event.
            #expect(try await client.head()["Content-Type"] == "text/event-stream")
            for piece in Self.pieces {
                try await send(framed(piece, fields), on: server)
                let expected = Self.chunk(piece)
                #expect(try await client.bytes(expected.unicodeScalars.count) == expected)
            }
            if fields.contains("chunked") { try await server.send("0\n\n") } else { await server.close() }
            #expect(try await client.bytes(5) == "0\r\n\r\n")
        }
    }

    @Test("They arrive at once at a client of HTTP/1.0, too", arguments: ["Transfer-Encoding: chunked\n", ""])
    func arriveAtOldClient(fields: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(UpgradedConnection.request(.absoluteToPlain, fields: "", version: "1.0"))
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\n\(Self.type)\(fields)\n")
            #expect(try await client.head().status == 200)
            for piece in Self.pieces {
                try await send(framed(piece, fields), on: server)
                #expect(try await client.bytes(piece.unicodeScalars.count) == piece)
            }
            if fields.contains("chunked") { try await server.send("0\n\n") } else { await server.close() }
            #expect(try await client.rest().received == "")
        }
    }

    @Test("The bytes of any body arrive at once, and those of a request's", arguments: Way.allCases)
    func passByteByByte(way: Way) async throws {
        try await UpgradedConnection.withProxy(way) { proxy, upstream in
            let client = try await UpgradedConnection.connect(way, proxy)
            let fields = "Content-Type: text/plain\nContent-Length: 3\n"
            try await client.send(UpgradedConnection.request(way, "PUT", fields: fields))
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 3\n\n")
            #expect(try await client.head().status == 200)
            for byte in ["a", "b", "c"] {
                try await client.send(byte)
                #expect(try await server.bytes(1) == byte)
                try await server.send(byte)
                #expect(try await client.bytes(1) == byte)
            }
        }
    }

    @Test("A refusal that is a stream of events is not held back to be read", arguments: [400, 401, 403])
    func refusalStreams(status: Int) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(
                "HTTP/1.1 \(status) No\nContent-Type: text/event-stream;charset=utf-8\nTransfer-Encoding: chunked\n\n"
            )
            let head = try await client.head()
            #expect(head.status == status)
            #expect((head.refusal != nil) == (status == 401))
            for piece in Self.pieces {
                let expected = Self.chunk(piece)
                try await send(expected, on: server)
                #expect(try await client.bytes(expected.unicodeScalars.count) == expected)
            }
            try await server.send("0\n\n")
            #expect(try await client.bytes(5) == "0\r\n\r\n")
            try await client.send(plainGet)
            _ = try await server.head()
        }
    }

    @Test("Any other refusal that does not come to its end passes on before long")
    func refusalStalls() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            let response = "HTTP/1.1 401 No\nTransfer-Encoding: chunked\n\n".withNetworkLineEnds
            try await send(response + Self.chunk("oauth_problem=token_revoked"), on: server)
            try await proxy.clock.expire(Exchange.inspectionTime)
            let head = try await client.head()
            #expect(head.status == 401)
            #expect(head.refusal?.details.contains("revoked") == true)
            #expect(try await client.bytes(33) == Self.chunk("oauth_problem=token_revoked"))
            try await send(Self.chunk("&more"), on: server)
            #expect(try await client.bytes(10) == Self.chunk("&more"))
        }
    }
}
