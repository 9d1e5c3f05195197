import HTTP1Codec
import HTTP2Codec
import NIOCore

/// One line for each event, such as `head 1 GET / end` or `reset 1 cancel`.
extension HTTP2Event {
    var text: String {
        switch self {
        case .requestHead(let streamID, let head, let endsStream):
            let start = "\(String(buffer: head.methodBytes)) \(String(buffer: head.target))"
            return "head \(streamID) \(start)\(endsStream ? " end" : "")"
        case .responseHead(let streamID, let head, let endsStream):
            return "head \(streamID) \(head.status)\(endsStream ? " end" : "")"
        case .data(let streamID, let bytes):
            return "data \(streamID) \(String(buffer: bytes))"
        case .end(let streamID, let trailers):
            let lines = trailers.map { $0.map { " \(String(buffer: $0.name))=\(String(buffer: $0.value))" }.joined() }
            return "end \(streamID)\(lines ?? "")"
        case .reset(let streamID, let code, let error):
            return "reset \(streamID) \(code.label)\(error.map { " " + $0.label } ?? "")"
        case .writable(let streamID):
            return "writable \(streamID)"
        case .refused(let streamID, let error, let status):
            return "refused \(streamID) \(status) \(error.label)"
        case .goAway(let last, let code, let debugText):
            return "goaway \(last) \(code.label)\(debugText.readableBytes > 0 ? " " + String(buffer: debugText) : "")"
        case .pong(let value):
            return "pong \(value)"
        }
    }
}
