package import Bytes
package import NIOCore

/// The head of one request, kept as the bytes that came.
package struct RequestHead: Sendable {
    package let fields: FieldSection
    package let framing: BodyFraming
    /// The options of the `Connection` fields, together with a `Proxy-Connection: close`.
    package let connection: ConnectionOptions
    /// Indicates whether the client waits for a 100 (Continue) before it sends the body it announced.
    package let expectsContinue: Bool
    let line: RequestLine

    /// A head that came by HTTP/2.
    ///
    /// - Parameter fields: The fields in the form of HTTP/1.1, with `line` and the empty line.
    package init(fields: FieldSection, line: RequestLine, framing: BodyFraming, expectsContinue: Bool) {
        self.init(
            fields: fields,
            framing: framing,
            connection: ConnectionOptions(),
            expectsContinue: expectsContinue,
            line: line
        )
    }

    init(
        fields: FieldSection,
        framing: BodyFraming,
        connection: ConnectionOptions,
        expectsContinue: Bool,
        line: RequestLine
    ) {
        self.fields = fields
        self.framing = framing
        self.connection = connection
        self.expectsContinue = expectsContinue
        self.line = line
    }

    /// Request line, field lines and the empty line, exactly as received.
    package var bytes: ByteBuffer { fields.bytes }
    package var method: RequestMethod { line.method }
    package var version: HTTPVersion { line.version }
    /// The scheme of `:scheme`; `nil` in a request that did not come by HTTP/2.
    package var scheme: URIScheme? { line.scheme }
    package var targetForm: RequestTargetForm { line.form }
    package var methodBytes: ByteBuffer { fields.slice(line.methodRange) }
    package var target: ByteBuffer { fields.slice(line.targetRange) }
    /// The range of the method in ``bytes``.
    package var methodRange: Range<Int> { line.methodRange }
    /// The range of the request target in ``bytes``.
    package var targetRange: Range<Int> { line.targetRange }
    /// Indicates whether another request may follow on this connection (RFC 9112, section 9.3).
    package var keepAlive: Bool { connection.keepsAlive(version) }

    /// The same head of which no writer passes on the lines with a name that is no known field.
    ///
    /// - Parameter name: The name in lower case.
    package func leavingOut(_ name: String) -> RequestHead {
        RequestHead(
            fields: fields.leavingOut(name),
            framing: framing,
            connection: connection,
            expectsContinue: expectsContinue,
            line: line
        )
    }

    /// Appends the head for the next hop: the same method, HTTP/1.1, every field line as it came but for those dropped,
    /// then `appending`, then the empty line.
    ///
    /// - Parameters:
    ///   - target: Replaces the request target; `nil` keeps it.
    ///   - host: Replaces the Host field, and goes first (RFC 9110, section 7.2); `nil` keeps it.
    ///   - dropping: Names whose lines are left out, besides those that a `Connection` field nominated.
    package func write(
        into buffer: inout ByteBuffer,
        target: ByteBuffer? = nil,
        host: ByteBuffer? = nil,
        dropping: KnownFieldSet,
        appending: AppendedFields
    ) {
        let bytes = fields.bytes
        buffer.reserveCapacity(
            minimumWritableBytes: bytes.readableBytes + appending.bytes.readableBytes + 64
                + (target?.readableBytes ?? 0) + (host?.readableBytes ?? 0)
        )
        let targetRange = line.targetRange
        let lineEnd = targetRange.upperBound + " HTTP/1.1\r\n".utf8.count
        if target == nil, host == nil, version == .http11 {
            fields.writeLines(after: 0..<lineEnd, dropping: dropping, into: &buffer)
        } else {
            if let target {
                bytes.copy(0..<targetRange.lowerBound, to: &buffer)
                buffer.writeBytes(target.readableBytesSpan)
            } else {
                bytes.copy(0..<targetRange.upperBound, to: &buffer)
            }
            buffer.writeStaticString(" HTTP/1.1\r\n")
            if let host {
                buffer.writeStaticString("Host: ")
                buffer.writeBytes(host.readableBytesSpan)
                buffer.writeStaticString("\r\n")
            }
            fields.writeLines(dropping: host == nil ? dropping : dropping.union([.host]), into: &buffer)
        }
        if appending.count > 0 { buffer.writeBytes(appending.bytes.readableBytesSpan) }
        buffer.writeStaticString("\r\n")
    }

    /// The fields that ``write(into:target:host:dropping:appending:)`` writes, in order. For logs.
    package func writtenFields(
        host: ByteBuffer?,
        dropping: KnownFieldSet,
        appending: AppendedFields
    ) -> [FieldLine] {
        guard let host else { return fields.writtenFields(dropping: dropping) + appending }
        let first = FieldLine(name: ByteBuffer(staticString: "Host"), value: host, known: .host, isNominated: false)
        return [first] + fields.writtenFields(dropping: dropping.union([.host])) + appending
    }
}

extension RequestHead {
    /// A head of this program's own, in the form of HTTP/1.1.
    ///
    /// - Parameters:
    ///   - target: The request target, in origin-form.
    ///   - fields: Names and values, Host among them; without those that say how long the body is.
    ///   - contentLength: The number of bytes of the body; nil: there is no body, and no field that says so.
    /// - Throws: `methodMalformed`, `targetMalformed`, `fieldNameMalformed`, `controlByte` or `headerTooLarge` for what
    ///   no recipient would take.
    package init(
        method: some Collection<UInt8>,
        target: some Collection<UInt8>,
        fields: [(name: String, value: [UInt8])],
        contentLength: Int? = nil
    ) throws(MessageError) {
        let length = contentLength.map { [(name: "Content-Length", value: Array("\($0)".utf8))] } ?? []
        var bytes = ByteBuffer()
        bytes.writeBytes(method)
        bytes.writeStaticString(" ")
        bytes.writeBytes(target)
        bytes.writeStaticString(" HTTP/1.1\r\n")
        let start = bytes.readableBytes
        var layouts: [FieldLayout] = []
        for (name, value) in fields + length {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else { throw .fieldNameMalformed }
            guard value.allSatisfy({ !$0.isControl }) else { throw .controlByte }
            guard let nameLength = UInt16(exactly: name.utf8.count), let valueLength = UInt32(exactly: value.count)
            else { throw .headerTooLarge }
            bytes.writeString(name)
            bytes.writeStaticString(": ")
            bytes.writeBytes(value)
            bytes.writeStaticString("\r\n")
            let known = KnownFieldTable.shared.field(for: FieldNameKey(name))
            layouts.append(FieldLayout(nameLength: nameLength, valueLength: valueLength, known: known))
        }
        bytes.writeStaticString("\r\n")
        guard bytes.readableBytes <= MessageLimits().headerBytes else { throw .headerTooLarge }
        self.init(
            fields: FieldSection(bytes: bytes, start: start, lines: layouts),
            line: try RequestLine(method: Array(method).span, target: Array(target).span),
            framing: contentLength.map { .length(UInt64($0)) } ?? .none,
            expectsContinue: false
        )
    }
}
