package import Bytes
package import HTTP1Codec
package import NIOCore

/// Writes heads as header blocks (RFC 7541; RFC 9113, section 8), one encoder for each direction of a connection.
///
/// Names become lower case. What belongs to a connection of HTTP/1.1 is left out (RFC 9113, section 8.2.2): the fields
/// that are nominated, Connection, Keep-Alive, Proxy-Connection, Transfer-Encoding, Upgrade and HTTP2-Settings, and a
/// TE that does not say `trailers`.
package struct HeaderBlockEncoder: Sendable {
    private var fields = FieldEncoder()

    package init() {}

    /// Takes over the peer's SETTINGS_HEADER_TABLE_SIZE.
    package mutating func peerTableLimit(_ bytes: Int) {
        fields.table.limit(bytes)
    }

    /// Appends the block of a request (RFC 9113, section 8.3.1). Not for CONNECT.
    ///
    /// - Parameters:
    ///   - target: An origin-form or an asterisk, which becomes `:path`; `nil` keeps the head's, which then is one.
    ///   - dropping: Names whose lines are left out, besides Host, which `:authority` replaces.
    ///   - secret: The name, in lower case, of a field that nobody on the way may index, besides those that never are.
    package mutating func write(
        request head: RequestHead,
        scheme: URIScheme,
        authority: ByteBuffer,
        target: ByteBuffer?,
        dropping: KnownFieldSet,
        appending: AppendedFields,
        neverIndexing secret: [UInt8]? = nil,
        into buffer: inout ByteBuffer
    ) {
        let path = target ?? head.target
        let most =
            Self.mostBytes(of: head.fields, appending) + authority.readableBytes + path.readableBytes
        buffer.append(atMost: most) { block in
            var end = 0
            fields.writeSizeUpdates(to: &block, at: &end)
            switch head.method {
            case .get: PrefixedInteger.write(2, prefixBits: 7, flags: 0x80, to: &block, at: &end)
            case .post: PrefixedInteger.write(3, prefixBits: 7, flags: 0x80, to: &block, at: &end)
            default:
                let method = head.methodBytes
                fields.writeField(
                    index: 2,
                    form: .literal,
                    value: method.readableBytesUInt8Span,
                    to: &block,
                    at: &end
                )
            }
            PrefixedInteger.write(scheme == .https ? 7 : 6, prefixBits: 7, flags: 0x80, to: &block, at: &end)
            fields.writeField(
                index: 1,
                form: .indexed,
                value: authority.readableBytesUInt8Span,
                to: &block,
                at: &end
            )
            fields.writeField(index: 4, form: .literal, value: path.readableBytesUInt8Span, to: &block, at: &end)
            fields.writeLines(
                of: head.fields,
                dropping: dropping.union([.host]),
                neverIndexing: secret,
                keepsTE: true,
                to: &block,
                at: &end
            )
            fields.writeLines(of: appending, neverIndexing: secret, keepsTE: true, to: &block, at: &end)
            return end
        }
    }

    /// Appends the block of a response, informational or final (RFC 9113, section 8.3.2). Not for 101, which HTTP/2
    /// does not have.
    ///
    /// A 1xx or 204 loses `Content-Length`, as `ResponseHead.write` has it.
    package mutating func write(
        response head: ResponseHead,
        dropping: KnownFieldSet,
        appending: AppendedFields,
        into buffer: inout ByteBuffer
    ) {
        let isBodiless = head.status < 200 || head.status == 204
        buffer.append(atMost: Self.mostBytes(of: head.fields, appending)) { block in
            var end = 0
            fields.writeSizeUpdates(to: &block, at: &end)
            fields.writeStatus(head.status, to: &block, at: &end)
            fields.writeLines(
                of: head.fields,
                dropping: isBodiless ? dropping.union([.contentLength]) : dropping,
                to: &block,
                at: &end
            )
            fields.writeLines(of: appending, to: &block, at: &end)
            return end
        }
    }

    /// Appends the block of an answer that has no head.
    package mutating func write(status: Int, fields: AppendedFields, into buffer: inout ByteBuffer) {
        buffer.append(atMost: Self.mostBytes(of: nil, fields)) { block in
            var end = 0
            self.fields.writeSizeUpdates(to: &block, at: &end)
            self.fields.writeStatus(status, to: &block, at: &end)
            self.fields.writeLines(of: fields, to: &block, at: &end)
            return end
        }
    }

    package mutating func write(trailers: FieldSection, into buffer: inout ByteBuffer) {
        buffer.append(atMost: Self.mostBytes(of: trailers, [:])) { block in
            var end = 0
            fields.writeSizeUpdates(to: &block, at: &end)
            fields.writeLines(of: trailers, dropping: [], to: &block, at: &end)
            return end
        }
    }

    /// More than a block can take: around name and value of a line stand 4 bytes there and at most 11 here, 3 if both
    /// are shorter than 127, and a line that is to be appended is at most twice as long as a block has it.
    private static func mostBytes(of fields: FieldSection?, _ lines: AppendedFields) -> Int {
        (fields.map { $0.bytes.readableBytes + 8 * $0.count } ?? 0) + 2 * lines.bytes.readableBytes + 64
    }
}
