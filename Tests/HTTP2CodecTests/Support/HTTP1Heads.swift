import HTTP1Codec
import NIOCore

/// Heads of HTTP/1.1, and what of a head a comparison is about.
enum HTTP1Heads {
    enum Unexpected: Error { case event }

    static func request(_ text: String) throws -> RequestHead {
        try request(Array(text.utf8))
    }

    static func request(_ bytes: [UInt8]) throws -> RequestHead {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(bytes: bytes))
        guard case .head(let head) = try decoder.next() else { throw Unexpected.event }
        return head
    }

    static func response(_ text: String) throws -> ResponseHead {
        try response(Array(text.utf8))
    }

    static func response(_ bytes: [UInt8]) throws -> ResponseHead {
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: .get)
        decoder.append(ByteBuffer(bytes: bytes))
        guard case .head(let head) = try decoder.next() else { throw Unexpected.event }
        return head
    }

    /// Each line as name in lower case and value, in order; bytes above 0x7F as Latin-1.
    static func lines(_ section: FieldSection) -> [String] {
        section.map { line in
            let name = String(buffer: line.name).lowercased()
            let value = String(String.UnicodeScalarView(line.value.readableBytesView.map { Unicode.Scalar($0) }))
            return "\(name): \(value)"
        }
    }
}
