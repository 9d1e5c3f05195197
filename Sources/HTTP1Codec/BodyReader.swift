import NIOCore

/// Takes one message body out of the bytes that arrive.
struct BodyReader: Sendable {
    private enum Kind { case length, chunked, untilClose }

    private var kind = Kind.length
    private var remaining: UInt64 = 0
    private var chunks = ChunkedBodyReader()

    var endsWithConnection: Bool { self.kind == .untilClose }

    mutating func start(_ framing: BodyFraming) {
        self.remaining = 0
        switch framing {
        case .none:
            self.kind = .length
        case .length(let length):
            self.kind = .length
            self.remaining = length
        case .chunked:
            self.kind = .chunked
            self.chunks.reset()
        case .untilClose, .endOfStream:
            self.kind = .untilClose
        }
    }

    /// - Returns: `nil` if more bytes are needed, or the end of the connection.
    mutating func next(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> BodyPart? {
        switch self.kind {
        case .length:
            if self.remaining == 0 { return .end(trailers: nil) }
            if input.count == 0 { return nil }
            let bytes = input.take(Int(clamping: self.remaining))
            self.remaining -= UInt64(bytes.readableBytes)
            return .bytes(bytes)
        case .chunked:
            return try self.chunks.next(from: &input, limits: limits)
        case .untilClose:
            return input.count == 0 ? nil : .bytes(input.takeAll())
        }
    }
}
