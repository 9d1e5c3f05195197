package import NIOCore

/// Reads requests from the bytes of one connection, strictly by RFC 9112, one event at each call.
///
/// Append what arrives, then call `next()` until it returns `nil`. After `.end` nothing of the following request is
/// looked at before `next()` is called again, so the caller decides when that is. After a CONNECT head there is no end:
/// take what follows with `takeBuffered()`.
///
/// At least as strict as llhttp; where stricter, the reason stands at the check.
package struct RequestDecoder: ~Copyable, Sendable {
    private enum Phase {
        /// No byte of a head has come, after an empty line or not (RFC 9112, section 2.2).
        case awaitingHead(afterEmptyLine: Bool)
        case head
        case body(keepsAlive: Bool)
        case connected
        case closed
        case failed(MessageError)
    }

    private let limits: MessageLimits
    private var input = InputBuffer()
    private var head = HeadReader<RequestLine>()
    private var body = BodyReader()
    private var phase = Phase.awaitingHead(afterEmptyLine: false)

    package init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
    }

    /// Bytes that were appended and are not part of any event yet.
    package var bufferedBytes: Int { input.count }

    package mutating func append(_ bytes: ByteBuffer) {
        input.append(bytes)
    }

    /// Takes what was appended and not read, for a tunnel.
    package mutating func takeBuffered() -> ByteBuffer {
        input.takeAll()
    }

    /// - Returns: The next event, or `nil` if more bytes are needed.
    /// - Throws: The fault of the message, and the same again at each later call.
    package mutating func next() throws(MessageError) -> RequestEvent? {
        do throws(MessageError) {
            return try advance()
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    private mutating func advance() throws(MessageError) -> RequestEvent? {
        switch phase {
        case .awaitingHead(let afterEmptyLine):
            return try beginHead(afterEmptyLine: afterEmptyLine) ? nextHead() : nil
        case .head:
            return try nextHead()
        case .body(let keepsAlive):
            switch try body.next(from: &input, limits: limits) {
            case .bytes(let bytes): return .body(bytes)
            case .end(let trailers):
                phase = keepsAlive ? .awaitingHead(afterEmptyLine: false) : .closed
                return .end(trailers: trailers)
            case nil: return nil
            }
        case .connected:
            return nil
        case .closed:
            // RFC 9112, section 9.6: nothing after the request with the close option may be processed. Empty lines are
            // what old clients send after a body.
            while let byte = input.byte(at: 0) {
                guard byte == 0x0D || byte == 0x0A else { throw .messageAfterClose }
                input.skip(1)
            }
            return nil
        case .failed(let error):
            throw error
        }
    }

    private mutating func nextHead() throws(MessageError) -> RequestEvent? {
        guard let length = try self.head.read(input, limits: limits), let line = self.head.line else {
            return nil
        }
        let framing = try self.head.framing(of: line)
        let fields = self.head.fields
        let head = RequestHead(
            fields: FieldSection(bytes: input.take(length), entries: fields.entries, present: fields.present),
            framing: framing,
            connection: fields.connection,
            expectsContinue: fields.expectsContinue && line.version == .http11 && framing != .none,
            line: line
        )
        phase = line.method == .connect ? .connected : .body(keepsAlive: head.keepAlive)
        body.start(framing)
        return .head(head)
    }

    /// Makes ready for the head that the buffered bytes begin, past one empty line (RFC 9112, section 2.2).
    ///
    /// - Returns: Whether there is a byte of the head.
    private mutating func beginHead(afterEmptyLine: Bool) throws(MessageError) -> Bool {
        guard var first = input.byte(at: 0) else { return false }
        if first == 0x0D {
            // The second line is refused without its LF, which below is not waited for either.
            guard !afterEmptyLine else { throw .emptyLineRepeated }
            guard let second = input.byte(at: 1) else { return false }
            guard second == 0x0A else { throw .bareCarriageReturn }
            phase = .awaitingHead(afterEmptyLine: true)
            input.skip(2)
            guard let next = input.byte(at: 0) else { return false }
            guard next != 0x0D else { throw .emptyLineRepeated }
            first = next
        }
        // Whatever is no HTTP at all, such as a TLS handshake, is refused at its first byte.
        guard first.isToken else { throw first == 0x0A ? .bareLineFeed : .requestLineMalformed }
        head.reset()
        phase = .head
        return true
    }
}

/// An event that a `RequestDecoder` reports of one request, in this order.
package enum RequestEvent: Sendable {
    case head(RequestHead)
    /// Bytes of the body without any transfer coding; a slice of what was appended, never empty.
    case body(ByteBuffer)
    /// The request is complete. `nil` if there is no trailer section.
    case end(trailers: FieldSection?)
}

extension HeadReader<RequestLine> {
    /// Returns what the whole head says about the body (RFC 9112, section 6.3).
    fileprivate func framing(of line: RequestLine) throws(MessageError) -> BodyFraming {
        if line.version == .http11, !fields.present.contains(.host) { throw .hostMissing }
        let framing = try fields.framing(line.version) ?? .none
        guard line.method == .connect else { return framing }
        guard framing == .none || framing == .length(0) else { throw .connectWithBody }
        return .none
    }
}
