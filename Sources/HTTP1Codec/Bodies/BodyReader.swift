import NIOCore

/// Takes one message body out of the bytes that arrive.
struct BodyReader: Sendable {
    private enum Rest {
        case bytes(UInt64)
        case chunks
        case untilClose
    }

    private var rest = Rest.bytes(0)
    private var chunks = ChunkedBodyReader()

    var endsWithConnection: Bool {
        if case .untilClose = rest { true } else { false }
    }

    mutating func start(_ framing: BodyFraming) {
        switch framing {
        case .none:
            rest = .bytes(0)
        case .length(let length):
            rest = .bytes(length)
        case .chunked:
            rest = .chunks
            chunks.reset()
        case .untilClose, .endOfStream:
            rest = .untilClose
        }
    }

    /// - Returns: `nil` if more bytes are needed, or the end of the connection.
    mutating func next(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> BodyPart? {
        switch rest {
        case .bytes(0):
            return .end(trailers: nil)
        case .bytes(let count):
            if input.count == 0 { return nil }
            let bytes = input.take(Int(clamping: count))
            rest = .bytes(count - UInt64(bytes.readableBytes))
            return .bytes(bytes)
        case .chunks:
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
