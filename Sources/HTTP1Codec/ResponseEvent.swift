package import NIOCore

/// An event that a `ResponseDecoder` reports of one response, in this order; informational heads come before the final
/// one and have neither body nor end.
package enum ResponseEvent: Sendable {
    case head(ResponseHead)
    /// Bytes of the body without any transfer coding; a slice of what was appended, never empty.
    case body(ByteBuffer)
    /// The response is complete. `nil` if there is no trailer section.
    case end(trailers: FieldSection?)
}
