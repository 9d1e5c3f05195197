import NIOCore
import NIOPosix
import NIOSSL

/// An HTTP client with as much as the demo's request needs: CONNECT, TLS, one request, everything until the end.
struct BuiltInClient {
    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    let entrance: DemoEntrance

    func send(remark: String) async -> ClientTranscript {
        var transcript = ClientTranscript()
        transcript.remark = remark
        do {
            try await send(&transcript)
        } catch {
            transcript.failure = "\(error)"
        }
        return transcript
    }

    private func send(_ transcript: inout ClientTranscript) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        let roots = try NIOSSLCertificate.fromPEMBytes(Array(entrance.certificatePEM.utf8))
        tls.trustRoots = .certificates(roots)
        let context = try NIOSSLContext(configuration: tls)
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(to: entrance.proxyAddress) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let connect = ["CONNECT \(DemoRequest.host):443 HTTP/1.1", "Host: \(DemoRequest.host):443"]
        let request = [
            "\(DemoRequest.method) \(DemoRequest.target) HTTP/1.1",
            "Host: \(DemoRequest.host)",
            "User-Agent: paraph-demo",
            "Content-Type: \(DemoRequest.contentType)",
            "Content-Length: \(DemoRequest.body.utf8.count)",
            "Connection: close",
        ]
        transcript = try await connection.executeThenClose { [transcript] inbound, outbound in
            var transcript = transcript
            var parts = inbound.makeAsyncIterator()
            transcript.sent.append(connect)
            try await outbound.write(Self.bytes(head: connect))
            var answer = ""
            while !answer.contains("\r\n\r\n"), let part = try await parts.next() { answer += String(buffer: part) }
            transcript.received.append(Self.head(of: answer).lines)
            guard answer.hasPrefix("HTTP/1.1 200 ") else {
                throw Unexpected(description: "the proxy refused the CONNECT request")
            }
            try await connection.channel.eventLoop.submit {
                let handler = try NIOSSLClientHandler(context: context, serverHostname: DemoRequest.host)
                try connection.channel.pipeline.syncOperations.addHandler(handler, position: .first)
            }.get()
            transcript.sent.append(request)
            transcript.sentBody = DemoRequest.body
            try await outbound.write(Self.bytes(head: request, body: DemoRequest.body))
            answer = ""
            while let part = try await parts.next() { answer += String(buffer: part) }
            let (lines, body) = Self.head(of: answer)
            transcript.received.append(lines)
            transcript.receivedBody = body
            return transcript
        }
    }

    private static func bytes(head: [String], body: String = "") -> ByteBuffer {
        ByteBuffer(string: head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    private static func head(of message: String) -> (lines: [String], body: String) {
        let parts = message.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n").map(String.init)
        return (lines, parts.count > 1 ? String(parts[1]) : "")
    }
}
