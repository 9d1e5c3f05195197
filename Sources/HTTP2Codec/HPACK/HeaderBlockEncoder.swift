package import HTTP1Codec
package import NIOCore

/// Writes heads as header blocks (RFC 7541; RFC 9113, section 8), one encoder for each direction of a connection.
///
/// Names become lower case. What belongs to a connection of HTTP/1.1 is left out (RFC 9113, section 8.2.2): the fields
/// that are nominated, Connection, Keep-Alive, Proxy-Connection, Transfer-Encoding, Upgrade and HTTP2-Settings, and a
/// TE that does not say `trailers`.
package struct HeaderBlockEncoder: Sendable {
    /// The block in the making.
    private var block = OctetStore()
    /// The smallest limit of the peer, and the last, that the next block has to acknowledge (RFC 7541, section 4.2).
    private var smallestLimit: Int?
    private var tableLimit = Self.protocolTableLimit

    /// SETTINGS_HEADER_TABLE_SIZE before the peer has said anything (RFC 9113, section 6.5.2); no more is ever used.
    private static let protocolTableLimit = 4_096

    private static let connectionFields: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade, .http2Settings,
    ]
    private static let neverIndexed: KnownFieldSet = [.authorization, .proxyAuthorization, .cookie, .setCookie]

    package init() {}

    /// Takes over the peer's SETTINGS_HEADER_TABLE_SIZE.
    package mutating func peerTableLimit(_ octets: Int) {
        let limit = min(octets, Self.protocolTableLimit)
        guard limit != self.tableLimit else { return }
        self.smallestLimit = min(limit, self.smallestLimit ?? self.tableLimit)
        self.tableLimit = limit
    }

    /// Appends the block of a request (RFC 9113, section 8.3.1). Not for CONNECT.
    ///
    /// - Parameters:
    ///   - target: An origin-form or an asterisk, which becomes `:path`; `nil` keeps the head's, which then is one.
    ///   - dropping: Names whose lines are left out, besides Host, which `:authority` replaces.
    ///   - appending: Complete field lines, each ended by CR LF, or nothing.
    package mutating func write(
        request head: RequestHead,
        scheme: RequestScheme,
        authority: ByteBuffer,
        target: ByteBuffer?,
        dropping: KnownFieldSet,
        appending: ByteBuffer,
        into buffer: inout ByteBuffer
    ) {
        self.begin()
        switch head.method {
        case .get: self.block.append(0x82)
        case .post: self.block.append(0x83)
        default: self.literal(index: 2, value: head.methodOctets.readableBytesUInt8Span)
        }
        self.block.append(scheme == .https ? 0x87 : 0x86)
        self.literal(index: 1, value: authority.readableBytesUInt8Span)
        let target = target ?? head.target
        self.literal(index: 4, value: target.readableBytesUInt8Span)
        self.lines(of: head.fields, dropping: dropping.union([.host]), keepsTE: true)
        self.lines(appending)
        self.finish(into: &buffer)
    }

    /// Appends the block of a response, informational or final (RFC 9113, section 8.3.2). Not for 101, which HTTP/2
    /// does not have.
    ///
    /// A 1xx or 204 loses `Content-Length`, as `ResponseHead.write` has it.
    package mutating func write(
        response head: ResponseHead,
        dropping: KnownFieldSet,
        appending: ByteBuffer,
        into buffer: inout ByteBuffer
    ) {
        let isBodiless = head.status < 200 || head.status == 204
        self.begin()
        self.status(head.status)
        self.lines(of: head.fields, dropping: isBodiless ? dropping.union([.contentLength]) : dropping)
        self.lines(appending)
        self.finish(into: &buffer)
    }

    /// Appends the block of an answer that has no head.
    ///
    /// - Parameter fields: Complete field lines, each ended by CR LF, or nothing.
    package mutating func write(status: Int, fields: ByteBuffer, into buffer: inout ByteBuffer) {
        self.begin()
        self.status(status)
        self.lines(fields)
        self.finish(into: &buffer)
    }

    package mutating func write(trailers: FieldSection, into buffer: inout ByteBuffer) {
        self.begin()
        self.lines(of: trailers, dropping: [])
        self.finish(into: &buffer)
    }
}

extension HeaderBlockEncoder {
    private mutating func begin() {
        self.block.removeAll(keepingAtMost: 4_096)
        guard let smallest = self.smallestLimit else { return }
        self.smallestLimit = nil
        if smallest < self.tableLimit {
            PrefixedInteger.write(smallest, prefixBits: 5, flags: 0x20, into: &self.block)
        }
        PrefixedInteger.write(self.tableLimit, prefixBits: 5, flags: 0x20, into: &self.block)
    }

    private mutating func finish(into buffer: inout ByteBuffer) {
        self.block.write(into: &buffer)
    }

    private mutating func status(_ status: Int) {
        switch status {
        case 200: self.block.append(0x88)
        case 204: self.block.append(0x89)
        case 206: self.block.append(0x8A)
        case 304: self.block.append(0x8B)
        case 400: self.block.append(0x8C)
        case 404: self.block.append(0x8D)
        case 500: self.block.append(0x8E)
        default:
            self.block.append(0x08)
            self.block.append(0x03)
            self.block.append(UInt8(truncatingIfNeeded: 0x30 + status / 100 % 10))
            self.block.append(UInt8(truncatingIfNeeded: 0x30 + status / 10 % 10))
            self.block.append(UInt8(truncatingIfNeeded: 0x30 + status % 10))
        }
    }

    private mutating func lines(of fields: FieldSection, dropping: KnownFieldSet, keepsTE: Bool = false) {
        let octets = fields.octets.readableBytesUInt8Span
        let dropped = dropping.union(Self.connectionFields)
        for entry in fields.entries where !entry.isNominated && !dropped.contains(entry.known) {
            let value = octets.extracting(entry.value)
            if entry.known == .te, !keepsTE || !value.spellsIgnoringCase("trailers") { continue }
            self.field(entry.known, name: octets.extracting(entry.name), value: value)
        }
    }

    /// Encodes lines that a caller made, which are well-formed.
    private mutating func lines(_ buffer: ByteBuffer) {
        let octets = buffer.readableBytesUInt8Span
        var start = 0
        while start < octets.count {
            let end = OctetScan.firstControl(in: octets, from: start)
            guard let entry = try? FieldEntry(line: start..<end, of: octets) else { return }
            if !Self.connectionFields.contains(entry.known) {
                self.field(entry.known, name: octets.extracting(entry.name), value: octets.extracting(entry.value))
            }
            start = end + 2
        }
    }

    private mutating func field(_ known: KnownField, name: Span<UInt8>, value: Span<UInt8>) {
        let flags: UInt8 = Self.neverIndexed.contains(known) ? 0x10 : 0
        let index = StaticNames.shared.index(of: known, name: name)
        if index != 0 {
            PrefixedInteger.write(index, prefixBits: 4, flags: flags, into: &self.block)
        } else {
            self.block.append(flags)
            PrefixedInteger.write(name.count, prefixBits: 7, flags: 0, into: &self.block)
            self.block.appendLowerCase(name)
        }
        self.string(value)
    }

    private mutating func literal(index: Int, value: Span<UInt8>) {
        PrefixedInteger.write(index, prefixBits: 4, flags: 0, into: &self.block)
        self.string(value)
    }

    private mutating func string(_ value: Span<UInt8>) {
        PrefixedInteger.write(value.count, prefixBits: 7, flags: 0, into: &self.block)
        self.block.append(value)
    }
}
