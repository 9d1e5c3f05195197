import Bytes
import Credentials
import HTTP1Codec
import HTTP2Codec
import NIOCore
import OAuthSigning

/// The parts that a request is to be sent upstream with, besides its head, whatever version of HTTP is spoken there.
///
/// Beside it, ``HeadScratch/fields`` holds the fields that are added.
struct OutgoingRequest {
    /// The request-target in origin-form; nil: the head's own, which is in that form.
    let target: ByteBuffer?
    let scheme: URIScheme
    /// The value of the Host field, or of `:authority`; nil: the head's own.
    let host: ByteBuffer?
    /// Fields of the head that are not sent.
    let dropped: KnownFieldSet
    /// The field with the credentials, where it is not Authorization.
    let tokenField: TokenField?
    /// Indicates whether the client takes trailers of the response.
    let acceptsTrailers: Bool
    /// The protocols to offer to switch to.
    let upgrade: ByteBuffer?
    /// The whole body, where it was collected.
    let body: ByteBuffer?
    /// Indicates whether nothing follows.
    let isComplete: Bool
}

extension OutgoingRequest {
    /// Returns whether HTTP/1.1 has the body of the request follow in chunks.
    func isChunked(_ head: RequestHead) -> Bool {
        body == nil && (head.framing == .chunked || head.framing == .endOfStream)
    }

    /// Writes the head as HTTP/1.1 has it.
    ///
    /// - Parameters:
    ///   - head: The client's.
    ///   - fields: The fields to append; what is missing for HTTP/1.1 is added to them.
    func write(_ head: RequestHead, fields: inout AppendedFields, into out: inout ByteBuffer) {
        out.clear()
        complete(&fields, for: head)
        head.write(into: &out, target: target, host: host, dropping: dropped, appending: fields)
    }

    /// Returns the fields of the head as HTTP/1.1 has it, for logs.
    ///
    /// - Parameters:
    ///   - head: The client's.
    ///   - fields: The fields to append, but for what is missing for HTTP/1.1.
    func fields(of head: RequestHead, appending fields: AppendedFields) -> [FieldLine] {
        var fields = fields
        complete(&fields, for: head)
        return head.writtenFields(host: host, dropping: dropped, appending: fields)
    }

    /// Adds what is missing for HTTP/1.1.
    private func complete(_ fields: inout AppendedFields, for head: RequestHead) {
        if body == nil, head.framing == .endOfStream {
            fields.append(.transferEncoding, line: "Transfer-Encoding: chunked\r\n")
        } else if body?.readableBytes ?? 0 == 0, Self.lacksLength(head) {
            fields.append(.contentLength, line: "Content-Length: 0\r\n")
        }
        if let upgrade {
            fields.append(.connection, line: "Connection: Upgrade\r\n")
            fields.append(.upgrade, "Upgrade: ", upgrade.readableBytesSpan)
        }
        if acceptsTrailers {
            fields.append(.te, line: "TE: trailers\r\n")
            fields.append(.connection, line: "Connection: TE\r\n")
        }
    }

    /// Sends the head as HTTP/2 has it, with the body if that is at hand already.
    ///
    /// - Parameters:
    ///   - head: The client's.
    ///   - fields: The fields to append; what is missing for HTTP/2 is added to them.
    func send(
        _ head: RequestHead,
        fields: inout AppendedFields,
        on streamID: HTTP2StreamID,
        of connection: inout HTTP2Connection
    ) {
        if acceptsTrailers { fields.append(.te, line: "TE: trailers\r\n") }
        let body = body ?? ByteBuffer()
        connection.sendRequest(
            streamID,
            head,
            scheme: scheme,
            authority: host ?? head.fields.value(of: .host) ?? ByteBuffer(),
            target: target,
            dropping: dropped,
            appending: fields,
            neverIndexing: tokenField?.bytes,
            endsStream: isComplete && body.readableBytes == 0
        )
        if body.readableBytes > 0 { connection.sendData(streamID, body, endsStream: true) }
    }

    /// Returns whether a request came without a body by the end of its HTTP/2 stream, and servers may insist on a
    /// length (RFC 9110, section 8.6: where the method defines a meaning for a body).
    private static func lacksLength(_ head: RequestHead) -> Bool {
        guard head.version == .http2, head.framing == .none, !head.fields.contains(.contentLength) else { return false }
        switch head.method {
        case .post, .put, .patch: return true
        default: return false
        }
    }
}
