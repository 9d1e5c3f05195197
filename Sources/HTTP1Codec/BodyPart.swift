import NIOCore

/// The part of a body that a `BodyReader` finds next.
enum BodyPart: Sendable {
    case bytes(ByteBuffer)
    case end(trailers: FieldSection?)
}
