package import NIOCore

/// The head of one response, kept as the bytes that came.
package struct ResponseHead: Sendable {
    package let fields: FieldSection
    package let framing: BodyFraming
    package let connection: ConnectionOptions
    let line: StatusLine

    /// A head that came by HTTP/2.
    ///
    /// - Parameters:
    ///   - fields: The fields in the form of HTTP/1.1, with the line `HTTP/2.0 STATUS ` and the empty line.
    ///   - status: The status, from 100 to 999.
    package init(fields: FieldSection, status: Int, framing: BodyFraming) {
        self.init(
            fields: fields,
            framing: framing,
            connection: ConnectionOptions(),
            line: StatusLine(http2: status)
        )
    }

    init(fields: FieldSection, framing: BodyFraming, connection: ConnectionOptions, line: StatusLine) {
        self.fields = fields
        self.framing = framing
        self.connection = connection
        self.line = line
    }

    /// Status line, field lines and the empty line, exactly as received.
    package var bytes: ByteBuffer { fields.bytes }
    package var version: HTTPVersion { line.version }
    /// The status code, from 100 to 999.
    package var status: Int { line.status }
    /// The reason phrase, which may be empty and need not be UTF-8.
    package var reason: ByteBuffer { fields.slice(line.reasonRange) }
    /// Indicates whether the final response is yet to come: 1xx but for 101, after which HTTP/1.1 is over.
    package var isInformational: Bool { status < 200 && status != 101 }
    /// Indicates whether another response may follow on this connection (RFC 9112, section 9.3).
    package var keepAlive: Bool {
        framing != .untilClose && connection.keepsAlive(version)
    }

    /// Appends the head for the next hop: HTTP/1.1, the status and the reason phrase as they came, every field line as
    /// it came but for those dropped, then `appending`, then the empty line.
    ///
    /// A 1xx or 204 loses `Content-Length` and `Transfer-Encoding`, which no such response may have (RFC 9110, section
    /// 8.6; RFC 9112, section 6.1).
    ///
    /// - Parameter dropping: Names whose lines are left out, besides those that a `Connection` field nominated.
    package func write(into buffer: inout ByteBuffer, dropping: KnownFieldSet, appending: AppendedFields) {
        let bytes = fields.bytes
        buffer.reserveCapacity(minimumWritableBytes: bytes.readableBytes + appending.bytes.readableBytes + 8)
        let dropped = dropped(besides: dropping)
        let reasonRange = line.reasonRange
        if version == .http11, line.hasReasonDelimiter {
            fields.writeLines(after: 0..<reasonRange.upperBound + 2, dropping: dropped, into: &buffer)
        } else {
            buffer.writeStaticString("HTTP/1.1")
            bytes.copy(8..<12, to: &buffer)
            buffer.writeStaticString(" ")
            bytes.copy(reasonRange.lowerBound..<reasonRange.upperBound + 2, to: &buffer)
            fields.writeLines(dropping: dropped, into: &buffer)
        }
        if appending.count > 0 { buffer.writeBytes(appending.bytes.readableBytesSpan) }
        buffer.writeStaticString("\r\n")
    }

    private func dropped(besides dropping: KnownFieldSet) -> KnownFieldSet {
        let isBodiless = status < 200 || status == 204
        return isBodiless ? dropping.union([.contentLength, .transferEncoding]) : dropping
    }

    /// The fields that ``write(into:dropping:appending:)`` writes, in order. For logs.
    package func writtenFields(dropping: KnownFieldSet, appending: AppendedFields) -> [FieldLine] {
        fields.writtenFields(dropping: dropped(besides: dropping)) + appending
    }
}
