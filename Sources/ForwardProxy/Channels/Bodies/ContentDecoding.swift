import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Undoes the content codings (RFC 9110, section 8.4.1) of a response that the proxy reads itself. What goes to the
/// client is never touched.
enum ContentDecoding {
    /// - Parameters:
    ///   - body: The whole body; of zlib's format for `deflate`.
    ///   - contentEncoding: The value of Content-Encoding, empty when there is none.
    /// - Returns: Of a body without a coding at most the first `limit` bytes; nil when a coding is not known, there is
    ///   more than one, the body is broken or cut off, or more than `limit` bytes come out.
    static func decode(_ body: ByteBuffer, contentEncoding: String, limit: Int) -> ByteBuffer? {
        switch contentEncoding.lowercased() {
        case "", "identity": body.getSlice(at: body.readerIndex, length: min(body.readableBytes, limit))
        case "gzip", "x-gzip": inflate(body, as: "gzip", limit: limit)
        case "deflate": inflate(body, as: "deflate", limit: limit)
        default: nil
        }
    }

    /// The decompressor is a channel handler, so it gets a channel of its own. It stops at the limit, having inflated
    /// no more than one buffer beyond it, twice as large as the body or 16 KiB.
    private static func inflate(_ body: ByteBuffer, as coding: String, limit: Int) -> ByteBuffer? {
        guard body.readableBytes > 0 else { return nil }
        let channel = EmbeddedChannel(handler: NIOHTTPResponseDecompressor(limit: .size(limit)))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Encoding": coding])
        do {
            for part in [HTTPClientResponsePart.head(head), .body(body), .end(nil)] {
                try channel.writeInbound(part)
                try channel.throwIfErrorCaught()
            }
            var decoded = ByteBuffer()
            while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
                if case .body(var inflated) = part { decoded.writeBuffer(&inflated) }
            }
            return decoded
        } catch {
            return nil
        }
    }
}
