import NIOCore

/// Takes one message body out of the bytes that arrive.
struct BodyReader: Sendable {
    private enum Kind { case length, chunked, untilClose }

    private var kind = Kind.length
    private var remaining: UInt64 = 0
    private var chunks = ChunkedBodyReader()

    var endsWithConnection: Bool { kind == .untilClose }

    mutating func start(_ framing: BodyFraming) {
        remaining = 0
        switch framing {
        case .none:
            kind = .length
        case .length(let length):
            kind = .length
            remaining = length
        case .chunked:
            kind = .chunked
            chunks.reset()
        case .untilClose, .endOfStream:
            kind = .untilClose
        }
    }

    /// - Returns: `nil` if more bytes are needed, or the end of the connection.
    mutating func next(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> BodyPart? {
        switch kind {
        case .length:
            if remaining == 0 { return .end(trailers: nil) }
            if input.count == 0 { return nil }
            let bytes = input.take(Int(clamping: remaining))
            remaining -= UInt64(bytes.readableBytes)
            return .bytes(bytes)
        case .chunked:
            return try chunks.next(from: &input, limits: limits)
        case .untilClose:
            return input.count == 0 ? nil : .bytes(input.takeAll())
        }
    }
}

/// The part of a body that a `BodyReader` finds next.
enum BodyPart: Sendable {
    case bytes(ByteBuffer)
    case end(trailers: FieldSection?)
}
