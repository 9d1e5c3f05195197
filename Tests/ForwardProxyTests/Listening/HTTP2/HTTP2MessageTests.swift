import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Messages by HTTP/2", .generousLimit, .timed)
struct HTTP2MessageTests {
    @Test(
        "A request that its stream ends without a body has a length upstream where servers may insist on one",
        arguments: [("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("DELETE", nil)] as [(String, String?)]
    )
    func tellsEmptyBody(method: String, length: String?) async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let client = try await proxy.http2Client()
            let id = try await client.request(method)
            let server = try await upstream.accept()
            #expect(try await server.head()["Content-Length"] == length)
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head(of: id).status == 204)
        }
    }

    @Test("A client by HTTP/1.1 is told that a response before the end of its request ends the connection")
    func announcesTheEnd() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 10\n\nhalf ")
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            try await server.answer(server.accept())
            #expect(try await client.message()["Connection"] == "close")
        }
    }

    @Test("What the client resets is reset upstream with the same code", arguments: [0x8, 0x2, 0x7777])
    func passesResetsOn(code: UInt32) async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) { proxy, upstream in
            let client = try await proxy.http2Client()
            let id = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            let stream = try await server.accept()
            client.connection.reset(id, code: HTTP2ErrorCode(rawValue: code))
            try await client.flush()
            let received = try await server.next { event -> UInt32? in
                guard case .reset(stream, let code, _) = event else { return nil }
                return code.rawValue
            }
            #expect(received == code)
        }
    }

    @Test(
        "A response that ends with its head has a length by HTTP/1",
        arguments: [
            ("GET", "HTTP/1.1", "200", "0"), ("POST", "HTTP/1.1", "201", "0"), ("GET", "HTTP/1.0", "404", "0"),
            ("HEAD", "HTTP/1.1", "200", nil), ("GET", "HTTP/1.1", "204", nil), ("GET", "HTTP/1.1", "304", nil),
        ]
    )
    func saysLength(method: String, version: String, status: String, length: String?) async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) { proxy, upstream in
            let client = try await proxy.connect()
            let start = "\(method) http://api.test/ \(version)"
            try await client.send("\(start)\nHost: api.test\nConnection: keep-alive\n\n")
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            let stream = try await server.accept()
            let number = try #require(Int(status))
            server.connection.sendAnswer(stream, status: number, fields: [:], endsStream: true)
            try await server.flush()
            let head = try await client.head()
            #expect("\(head.status)" == status)
            #expect(head["Content-Length"] == length)
            // The connection goes on with the next response.
            #expect(head["Connection"] != "close")
            try await client.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            #expect(try await client.message().status == 501)
        }
    }

    @Test("Nothing is sent of a request that is known to be malformed", arguments: [0, 1, 5, 10])
    func sendsNothingMalformed(length: Int) async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.http2Client()
            let opened = client.connection.openStream()
            let id = try #require(opened)
            client.connection.sendRequest(
                id,
                try requestHead("POST /malformed HTTP/1.1\nHost: api.test\nContent-Length: \(length)\n\n"),
                scheme: .https,
                authority: ByteBuffer(string: "api.test"),
                endsStream: false
            )
            // In one write with the head, longer than it says, or shorter.
            client.connection.sendData(id, ByteBuffer(string: "sevenOO"), endsStream: true)
            try await client.flush()
            let code = try await client.next { event -> HTTP2ErrorCode? in
                guard case .reset(id, let code, _) = event else { return nil }
                return code
            }
            #expect(code == .protocolError)
            let line = try await proxy.accessLogLine()
            #expect(line["error"] as? String == "http_request_error")
            #expect(line["outcome"] as? String == "stream reset")
            #expect(line["method"] as? String == "POST")
            let next = try await client.request("POST", "/next", body: "whole")
            let server = try await upstream.accept()
            let sent = try await server.message()
            #expect(sent.target == "/next")
            #expect(sent.body == "whole")
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head(of: next).status == 204)
            #expect(upstream.connectionCount == 1)
        }
        await upstream.stop()
    }

    @Test("A request whose head is reset for what it is leaves a line in the log, and is counted")
    func tellsOfMalformedHead() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.http2Client()
            try await client.flush()
            var block = ByteBuffer()
            for (name, value) in [
                (":method", "GE\tT"), (":scheme", "https"), (":path", "/"), (":authority", "api.test"),
            ] {
                // A literal field without indexing (RFC 7541, section 6.2.2).
                block.writeBytes([0, UInt8(name.utf8.count)] + name.utf8)
                block.writeBytes([UInt8(value.utf8.count)] + value.utf8)
            }
            // HEADERS with END_STREAM and END_HEADERS, of stream 1.
            var frame = ByteBuffer(bytes: [0, 0, UInt8(block.readableBytes), 1, 5, 0, 0, 0, 1])
            frame.writeImmutableBuffer(block)
            try await client.wire.sendBytes(frame)
            let line = try await proxy.accessLogLine()
            #expect(line["error"] as? String == "http_request_error")
            #expect(line["outcome"] as? String == "stream reset")
            #expect(line["status"] == nil)
            #expect((line["details"] as? String)?.isEmpty == false)
            #expect(await proxy.samples("paraph_refusals_total", ["api", "reason"]) == ["api http_request_error": 1])
            #expect(await proxy.samples("paraph_requests_total", ["api", "status"]) == ["api none": 1])
        }
        await upstream.stop()
    }

    @Test("The trailers of a response that is said to be empty come after it")
    func passesTrailersOfEmptyBody() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) { proxy, upstream in
            let client = try await proxy.http2Client()
            let id = try await client.request()
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            let answered = try await server.accept()
            let head = try responseHead("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
            server.connection.sendResponse(answered, head, endsStream: false)
            server.connection.sendTrailers(answered, try responseHead("HTTP/1.1 200 OK\nX-Sum: 1\n\n").fields)
            try await server.flush()
            let trailers = try await client.next { event -> FieldSection?? in
                guard case .end(id, let trailers) = event else { return nil }
                return trailers
            }
            #expect(trailers?.map { String(buffer: $0.name) }.map { $0.lowercased() } == ["x-sum"])
        }
    }

    @Test("A head as large as limits.header allows passes")
    func passesLargeHeads() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) {
            $0.limits.header = 512 * 1024
        } _: { proxy, upstream in
            let client = try await proxy.http2Client()
            let opened = client.connection.openStream()
            let id = try #require(opened)
            // No code of HPACK's is shorter than these bytes themselves.
            let value = String(repeating: "{", count: 200_000)
            client.connection.sendRequest(
                id,
                try requestHead("GET / HTTP/1.1\nHost: api.test\n\n"),
                scheme: .https,
                authority: ByteBuffer(string: "api.test"),
                appending: ["X-Large": value],
                endsStream: true
            )
            try await client.flush()
            let wire = try await upstream.accept()
            var limits = MessageLimits()
            limits.headerBytes = 512 * 1024
            let server = HTTP2Peer(wire, role: .server, limits: limits)
            let head = try await server.next { event -> RequestHead? in
                guard case .requestHead(_, let head, _) = event else { return nil }
                return head
            }
            #expect(head.fields.contains { String(buffer: $0.value) == value })
        }
    }

    @Test("A body that nobody takes is not kept in pieces of what was read")
    func gathersBytes() {
        var waiting = WaitingBytes()
        let read = ByteBuffer(repeating: 0x61, count: 100_000)
        for index in 0..<100 { waiting.append(read.getSlice(at: index * 1000, length: 1) ?? ByteBuffer()) }
        let piece = waiting.take()
        #expect(piece?.readableBytes == 100)
        #expect((piece?.storageCapacity ?? .max) < 1000)
        #expect(waiting.take() == nil)
    }

    @Test("A request inside TLS that says another scheme is refused, and reaches nobody")
    func refusesOtherScheme() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            async let _ = upstream.answerNext()
            let client = try await proxy.http2Client()
            let id = try await client.request(scheme: .http)
            #expect(try await client.head(of: id).status == 421)
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("What no request may have is refused by HTTP/2 as well")
    func refusesObjectionable() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            async let _ = upstream.answerNext()
            let client = try await proxy.http2Client()
            let trace = try await client.request("TRACE")
            #expect(try await client.head(of: trace).status == 501)
            let twice = try await client.request(fields: "Paraph-Account: default\nParaph-Account: default\n")
            #expect(try await client.head(of: twice).status == 400)
            #expect(upstream.connectionCount == 0)
        }
    }
}
