import NIOCore

/// What a `BodyReader` finds next.
enum BodyPart: Sendable {
    case bytes(ByteBuffer)
    case end(trailers: FieldSection?)
}
