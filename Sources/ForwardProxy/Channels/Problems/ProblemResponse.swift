import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore

/// A ``Problem`` as a response.
struct ProblemResponse {
    let fields: AppendedFields
    /// A JSON document of the members `type`, `title`, `status` and `detail` (RFC 9457), and `cause` where there is one.
    let document: ByteBuffer

    init(_ problem: Problem) {
        document = Self.document(for: problem)

        var fields = AppendedFields()
        fields.append(.contentType, line: "Content-Type: application/problem+json\r\n")
        fields.append(.contentLength, "Content-Length: ", text: String(document.readableBytes))
        fields.append(.cacheControl, line: "Cache-Control: no-store\r\n")
        let details = Self.structuredString(problem.summary.map { $0[...] } ?? Self.firstLine(of: problem.detail))
        let status = "paraph; error=\(problem.token.rawValue); details=\(details)"
        fields.append(.proxyStatus, "Proxy-Status: ", text: status)
        let challenge = #"Basic realm="paraph", charset="UTF-8""#
        if problem.status == 401 { fields.append(.wwwAuthenticate, "WWW-Authenticate: ", text: challenge) }
        if problem.status == 407 { fields.append(.proxyAuthenticate, "Proxy-Authenticate: ", text: challenge) }
        if let seconds = problem.retryAfter { fields.append(.retryAfter, "Retry-After: ", text: String(seconds)) }
        self.fields = fields
    }

    static func document(for problem: Problem) -> ByteBuffer {
        var members: [(key: String, value: JSONText)] = [
            ("type", .string("about:blank")),
            ("title", .string(reasonPhrase(problem.status))),
            ("status", .integer(problem.status)),
            ("detail", .string(problem.detail)),
        ]
        if let cause = problem.cause { members.append(("cause", .string(cause))) }
        return ByteBuffer(string: JSONText.object(members).line + "\n")
    }

    /// A whole HTTP/1.1 response.
    ///
    /// - Parameters:
    ///   - omitsBody: True for an answer to HEAD: the fields are those of the full answer.
    ///   - closes: Whether `Connection: close` is sent.
    static func bytes(for problem: Problem, omitsBody: Bool, closes: Bool) -> ByteBuffer {
        let response = ProblemResponse(problem)
        var out = ByteBuffer()
        out.reserveCapacity(128 + response.fields.bytes.readableBytes + response.document.readableBytes)
        out.writeString("HTTP/1.1 \(problem.status) \(reasonPhrase(problem.status))\r\n")
        out.writeImmutableBuffer(response.fields.bytes)
        if closes { out.writeString("Connection: close\r\n") }
        out.writeString("\r\n")
        if !omitsBody { out.writeImmutableBuffer(response.document) }
        return out
    }

    private static func firstLine(of text: String) -> Substring {
        text.prefix { $0 != "\n" }
    }

    /// An sf-string (RFC 9651, section 3.3.3) of at most `limit` characters: an ellipsis becomes `...`, and what else is not
    /// printable ASCII `?`.
    static func structuredString(_ text: some StringProtocol, limit: Int = 240) -> String {
        var out = "\""
        for scalar in String(text).replacing("…", with: "...").unicodeScalars.prefix(limit) {
            switch scalar {
            case "\"", "\\":
                out.unicodeScalars.append("\\")
                out.unicodeScalars.append(scalar)
            case " "..."~": out.unicodeScalars.append(scalar)
            default: out.unicodeScalars.append("?")
            }
        }
        out += "\""
        return out
    }

    static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 421: "Misdirected Request"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Error"
        }
    }
}

extension HTTP2Connection {
    /// Sends the proxy's own answer instead of a response.
    mutating func sendAnswer(_ id: HTTP2StreamID, _ problem: Problem, omitsBody: Bool) {
        let answer = ProblemResponse(problem)
        sendAnswer(id, status: problem.status, fields: answer.fields, endsStream: omitsBody)
        if !omitsBody { sendData(id, answer.document, endsStream: true) }
    }
}
