package import NIOCore

/// An event that a `RequestDecoder` reports of one request, in this order.
package enum RequestEvent: Sendable {
    case head(RequestHead)
    /// Bytes of the body without any transfer coding; a slice of what was appended, never empty.
    case body(ByteBuffer)
    /// The request is complete. `nil` if there is no trailer section.
    case end(trailers: FieldSection?)
}
