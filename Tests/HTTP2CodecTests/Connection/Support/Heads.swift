import HTTP1Codec
import NIOCore

/// Heads as they come from a peer of HTTP/1.1.
enum Heads {
    struct Missing: Error {}

    static func request(_ text: String) throws -> RequestHead {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: text + "\r\n\r\n"))
        guard case .head(let head) = try decoder.next() else { throw Missing() }
        return head
    }

    static func response(_ text: String, to method: RequestMethod = .get) throws -> ResponseHead {
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: method)
        decoder.append(ByteBuffer(string: text + "\r\n\r\n"))
        guard case .head(let head) = try decoder.next() else { throw Missing() }
        return head
    }

    static func trailers(_ lines: String) throws -> FieldSection {
        var decoder = RequestDecoder()
        decoder.append(
            ByteBuffer(string: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(lines)\r\n\r\n")
        )
        while let event = try decoder.next() {
            if case .end(let trailers?) = event { return trailers }
        }
        throw Missing()
    }
}
