import HTTP1Codec
import NIOCore

/// Turns an upstream's response head into the one that goes to the client.
enum ResponseForwarding {
    /// Fields that end at this hop (RFC 9110, section 7.6.1).
    static let hopByHop: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .te, .upgrade, .proxyAuthenticate, .proxyAuthenticationInfo,
    ]

    /// Appends a head with status 101 to `out`.
    static func write(switching response: ResponseHead, fields: inout AppendedFields, into out: inout ByteBuffer) {
        fields.removeAll()
        writeUpgrade(of: response, into: &fields)
        fields.append(.via, line: RequestForwarding.via(response.version))
        response.write(into: &out, dropping: hopByHop, appending: fields)
    }

    private static func writeUpgrade(of response: ResponseHead, into fields: inout AppendedFields) {
        fields.append(.connection, line: "Connection: Upgrade\r\n")
        for value in response.fields.values(of: .upgrade) {
            fields.append(.upgrade, "Upgrade: ", value.readableBytesSpan)
        }
    }

    /// The field lines that a response gets for a client that speaks HTTP/2, where they are all that is added.
    static func writeFields(_ response: ResponseHead, proxyStatus: String?, fields: inout AppendedFields) {
        fields.removeAll()
        fields.append(.via, line: RequestForwarding.via(response.version))
        if let proxyStatus { fields.append(.proxyStatus, "Proxy-Status: ", text: proxyStatus) }
    }

    /// Appends the head to `out`.
    ///
    /// - Parameters:
    ///   - closes: Whether the client's connection ends with this response. Set when the response has no other end.
    ///   - proxyStatus: A member for the Proxy-Status field; nil: none of ours.
    ///   - fields: Scratch space.
    /// - Returns: How the body is to be framed, and the names whose lines are left out.
    static func write(
        _ response: ResponseHead,
        to request: RequestHead,
        closes: inout Bool,
        proxyStatus: String?,
        fields: inout AppendedFields,
        into out: inout ByteBuffer
    ) -> (coding: ResponseBodyCoding, dropped: KnownFieldSet) {
        fields.removeAll()
        var dropped = hopByHop
        var coding = ResponseBodyCoding.none
        if request.version == .http10 {
            // No such client may be sent one, not even where it frames nothing (RFC 9112, section 6.1).
            dropped.insert(.transferEncoding)
            dropped.insert(.trailer)
        }
        switch response.framing {
        case .chunked where request.version == .http11: coding = .chunked
        case .chunked: closes = true
        case .untilClose where request.version == .http11, .endOfStream where request.version == .http11:
            coding = .chunked
            fields.append(.transferEncoding, line: "Transfer-Encoding: chunked\r\n")
        case .untilClose, .endOfStream: closes = true
        case .none:
            if lacksLength(response, to: request) { fields.append(.contentLength, line: "Content-Length: 0\r\n") }
        case .length: break
        }
        fields.append(.via, line: RequestForwarding.via(response.version))
        if let proxyStatus { fields.append(.proxyStatus, "Proxy-Status: ", text: proxyStatus) }
        // What has to be switched to before the request is served (RFC 9110, section 15.5.22).
        if response.status == 426, request.version == .http11 { writeUpgrade(of: response, into: &fields) }
        if closes {
            fields.append(.connection, line: "Connection: close\r\n")
        } else if request.version == .http10 {
            fields.append(.connection, line: "Connection: keep-alive\r\n")
        }
        response.write(into: &out, dropping: dropped, appending: fields)
        return (coding, dropped)
    }

    /// Returns whether a response came without a body by what HTTP/1.1 has no word for, the end of an HTTP/2 stream:
    /// without a length its body would go on until the connection closes (RFC 9112, section 6.3).
    private static func lacksLength(_ response: ResponseHead, to request: RequestHead) -> Bool {
        guard response.version == .http2, !response.fields.contains(.contentLength) else { return false }
        if case .head = request.method { return false }
        return response.status != 204 && response.status != 304
    }
}
