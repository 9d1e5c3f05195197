package import NIOCore

/// Reads responses from the bytes of one connection, strictly by RFC 9112, one event at each call.
///
/// Say which request was sent with `expect(responseTo:)`, append what arrives, then call `next()` until it returns
/// `nil`. After a 101, and after a 2xx to CONNECT, there is no end: take what follows with `takeBuffered()`.
package struct ResponseDecoder: ~Copyable, Sendable {
    private enum Phase {
        /// No byte of a head has come.
        case awaitingHead
        case head
        case body(keepsAlive: Bool)
        case switched
        case closed
        case failed(MessageError)
    }

    private let limits: MessageLimits
    private var input = InputBuffer()
    private var expected = CircularBuffer<RequestMethod>(initialCapacity: 1)
    private var head = HeadReader<StatusLine>()
    private var body = BodyReader()
    private var phase = Phase.awaitingHead
    private var informationalCount = 0

    package init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
    }

    /// Bytes that were appended and are not part of any event yet.
    package var bufferedBytes: Int { input.count }

    /// Expects the response to a request. To be called once for each, in order, before its response can arrive.
    package mutating func expect(responseTo method: RequestMethod) {
        expected.append(method)
    }

    package mutating func append(_ bytes: ByteBuffer) {
        input.append(bytes)
    }

    /// Takes what was appended and not read, for a tunnel.
    package mutating func takeBuffered() -> ByteBuffer {
        input.takeAll()
    }

    /// - Returns: The next event, or `nil` if more bytes are needed.
    /// - Throws: The fault of the message, and the same again at each later call.
    package mutating func next() throws(MessageError) -> ResponseEvent? {
        do throws(MessageError) {
            return try advance()
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    /// Says that no byte follows. Call it, like `next()`, until it returns `nil`.
    ///
    /// - Returns: Events that are still due; the last is the end of a body that ends with the connection. `nil` also
    ///   when a response is awaited but has not begun.
    /// - Throws: `truncated` inside a message.
    package mutating func finish() throws(MessageError) -> ResponseEvent? {
        if let event = try next() { return event }
        switch phase {
        case .body where body.endsWithConnection:
            phase = .closed
            return .end(trailers: nil)
        case .head, .body:
            phase = .failed(.truncated)
            throw .truncated
        case .awaitingHead, .switched, .closed:
            return nil
        case .failed(let error):
            throw error
        }
    }

    private mutating func advance() throws(MessageError) -> ResponseEvent? {
        switch phase {
        case .awaitingHead, .head:
            return try nextHead()
        case .body(let keepsAlive):
            switch try body.next(from: &input, limits: limits) {
            case .bytes(let bytes): return .body(bytes)
            case .end(let trailers):
                phase = keepsAlive ? .awaitingHead : .closed
                return .end(trailers: trailers)
            case nil: return nil
            }
        case .switched:
            return nil
        case .closed:
            guard input.count == 0 else { throw .messageAfterClose }
            return nil
        case .failed(let error):
            throw error
        }
    }

    private mutating func nextHead() throws(MessageError) -> ResponseEvent? {
        if input.count == 0 { return nil }
        guard let method = expected.first else { throw .unsolicitedResponse }
        if case .awaitingHead = phase {
            // Whatever is no HTTP at all is refused at its first byte.
            guard input.byte(at: 0) == 0x48 else { throw .statusLineMalformed }
            self.head.reset()
            phase = .head
        }
        guard let length = try self.head.read(input, limits: limits), let line = self.head.line else {
            return nil
        }
        let framing = try self.head.framing(of: line, to: method)
        let fields = self.head.fields
        let head = ResponseHead(
            fields: FieldSection(bytes: input.take(length), entries: fields.entries, present: fields.present),
            framing: framing,
            connection: fields.connection,
            line: line
        )
        if head.isInformational {
            informationalCount += 1
            guard informationalCount <= limits.informationalResponses else {
                throw .tooManyInformationalResponses
            }
            // Nothing may follow a message with the close option, though the final response would have to; llhttp has
            // it so as well.
            phase = head.keepAlive ? .awaitingHead : .closed
        } else {
            informationalCount = 0
            expected.removeFirst()
            let isTunnel = line.status == 101 || (method == .connect && line.status < 300)
            phase = isTunnel ? .switched : .body(keepsAlive: head.keepAlive)
            body.start(framing)
        }
        return .head(head)
    }
}

/// An event that a `ResponseDecoder` reports of one response, in this order; informational heads come before the final
/// one and have neither body nor end.
package enum ResponseEvent: Sendable {
    case head(ResponseHead)
    /// Bytes of the body without any transfer coding; a slice of what was appended, never empty.
    case body(ByteBuffer)
    /// The response is complete. `nil` if there is no trailer section.
    case end(trailers: FieldSection?)
}

extension HeadReader<StatusLine> {
    /// Returns what the whole head says about the body (RFC 9112, section 6.3).
    ///
    /// A `Transfer-Encoding` other than `chunked` was refused before. RFC 9112, section 6.3, item 4, would read such a
    /// body until the connection closes, and so does llhttp; but a recipient that knows the coding ends it elsewhere.
    fileprivate func framing(of line: StatusLine, to method: RequestMethod) throws(MessageError) -> BodyFraming {
        let framing = try fields.framing(line.version)
        let isBodiless =
            line.status < 200 || line.status == 204 || line.status == 304 || method == .head
            || (method == .connect && line.status < 300)
        return isBodiless ? .none : framing ?? .untilClose
    }
}
