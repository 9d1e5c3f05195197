import HTTP1Codec
import NIOCore

/// Short ways to the events that a test is about.
enum Reading {
    enum Unexpected: Error { case event }

    static func requestHead(_ text: String) throws -> RequestHead {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: text))
        guard case .head(let head) = try decoder.next() else { throw Unexpected.event }
        return head
    }

    static func responseHead(_ text: String, to method: RequestMethod = .get) throws -> ResponseHead {
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: method)
        decoder.append(ByteBuffer(string: text))
        guard case .head(let head) = try decoder.next() else { throw Unexpected.event }
        return head
    }

    /// The trailers of a request with this chunked body.
    static func trailers(_ body: String) throws -> FieldSection? {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body))
        while let event = try decoder.next() {
            if case .end(let trailers) = event { return trailers }
        }
        throw Unexpected.event
    }

    static func lines(_ section: FieldSection?) -> [String] {
        section?.map { "\(String(buffer: $0.name)): \(String(buffer: $0.value))" } ?? []
    }
}

extension RequestEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .head(let head): "head \(String(buffer: head.methodBytes)) \(String(buffer: head.target))"
        case .body(let body): "body \(String(buffer: body))"
        case .end(let trailers): "end \(Reading.lines(trailers))"
        }
    }
}

extension ResponseEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .head(let head): "head \(head.status)"
        case .body(let body): "body \(String(buffer: body))"
        case .end(let trailers): "end \(Reading.lines(trailers))"
        }
    }
}
