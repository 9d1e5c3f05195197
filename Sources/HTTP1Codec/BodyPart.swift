import NIOCore

/// What a `BodyReader` finds next.
enum BodyPart: Sendable {
    case octets(ByteBuffer)
    case end(trailers: FieldSection?)
}
