import NIOCore
import NIOEmbedded
import NIOHTTP1

/// Runs llhttp, as NIOHTTP1 has it, over a stream.
enum StockDecoder {
    static func requests(_ bytes: [UInt8]) throws -> Transcript {
        let channel = EmbeddedChannel()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
        try channel.pipeline.syncOperations.addHandler(decoder)
        var transcript = Transcript()
        do { try channel.writeInbound(ByteBuffer(bytes: bytes)) } catch { transcript.refusal = "\(error)" }
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head):
                transcript.messages.append(
                    Transcript.Message(
                        startLine: "\(name(head.method)) \(head.uri) \(head.version)",
                        fields: fields(head.headers),
                        keepsAlive: head.isKeepAlive,
                        mayEndHTTP: head.method == .CONNECT || head.headers.contains(name: "upgrade")
                    )
                )
            case .body(let body): transcript.messages[transcript.messages.count - 1].body += body.readableBytesView
            case .end(let trailers): end(trailers, in: &transcript)
            }
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        return transcript
    }

    /// - Parameter closing: Whether the end of the connection follows the bytes.
    static func responses(_ bytes: [UInt8], to names: [String], closing: Bool) throws -> Transcript {
        let methods = names.map(HTTPMethod.init(rawValue:))
        let channel = EmbeddedChannel()
        let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward)
        try channel.pipeline.syncOperations.addHandler(HTTPRequestEncoder())
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
        for method in methods {
            try channel.writeOutbound(HTTPClientRequestPart.head(.init(version: .http1_1, method: method, uri: "/")))
        }
        var transcript = Transcript()
        do { try channel.writeInbound(ByteBuffer(bytes: bytes)) } catch { transcript.refusal = "\(error)" }
        if closing {
            do { _ = try channel.finish(acceptAlreadyClosed: true) } catch {
                transcript.refusal = transcript.refusal ?? "\(error)"
            }
        }
        while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
            switch part {
            case .head(let head):
                transcript.messages.append(
                    Transcript.Message(
                        startLine: "\(head.version) \(head.status.code)",
                        fields: fields(head.headers),
                        isComplete: head.status.code < 200 && head.status.code != 101,
                        keepsAlive: head.isKeepAlive,
                        mayEndHTTP: methods.contains(.CONNECT) || head.status.code == 101
                    )
                )
            case .body(let body): transcript.messages[transcript.messages.count - 1].body += body.readableBytesView
            case .end(let trailers): end(trailers, in: &transcript)
            }
        }
        if !closing { _ = try? channel.finish(acceptAlreadyClosed: true) }
        return transcript
    }

    /// NIOHTTP1 spells this one method unlike the wire.
    private static func name(_ method: HTTPMethod) -> String {
        method == .MSEARCH ? "M-SEARCH" : method.rawValue
    }

    /// Names whose lines we leave out of trailer sections on purpose.
    private static let droppedTrailers: Set<String> = [
        "keep-alive", "te", "trailer", "expect", "http2-settings", "content-type", "content-encoding", "content-range",
        "content-location", "authorization", "www-authenticate", "proxy-authorization", "proxy-authenticate", "via",
        "max-forwards", "proxy-status", "paraph-account", "date", "age", "expires", "cache-control", "pragma", "vary",
        "location", "retry-after", "cookie", "set-cookie", "range", "if-match", "if-none-match", "if-modified-since",
        "if-unmodified-since", "if-range",
    ]

    private static func end(_ trailers: HTTPHeaders?, in transcript: inout Transcript) {
        transcript.messages[transcript.messages.count - 1].isComplete = true
        let kept = (trailers.map(fields) ?? []).filter { !droppedTrailers.contains($0.name.lowercased()) }
        transcript.messages[transcript.messages.count - 1].trailers = kept
    }

    /// llhttp leaves white space at the end of a value, which RFC 9112, section 5.1, has taken away.
    private static func fields(_ headers: HTTPHeaders) -> [Transcript.Field] {
        headers.map { name, value in
            var trimmed = Substring(value)
            while trimmed.last == " " || trimmed.last == "\t" { trimmed.removeLast() }
            return Transcript.Field(name: name, value: String(trimmed))
        }
    }
}
