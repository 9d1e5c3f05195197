import HTTP1Codec
import NIOCore

/// The body of a request that was collected, as it is sent: with the head, or behind it where trailers follow.
struct OutgoingBody {
    let bytes: ByteBuffer
    /// The trailers that follow it; nil: none.
    let trailers: FieldSection?
    /// Indicates whether the client has sent it, and has been told to continue where it asked for that.
    let isCollected: Bool

    /// - Parameters:
    ///   - signed: The body with the signature in it; nil where the signature is not in the body.
    ///   - collected: The body as it came; nil: it is sent as it comes.
    ///   - trailers: Those of the request, as far as they are forwarded.
    ///   - framing: That of the request as it came.
    init?(signed: [UInt8]?, collected: ByteBuffer?, trailers: FieldSection?, framing: BodyFraming) {
        guard let bytes = signed.map({ ByteBuffer(bytes: $0) }) ?? collected else { return nil }
        self.bytes = bytes
        isCollected = collected != nil
        // The length that the head says is that of the body as it came.
        let hasOtherLength = if case .length = framing { signed != nil } else { false }
        let mayFollow = collected != nil && !hasOtherLength && trailers?.isEmpty == false
        self.trailers = mayFollow ? trailers : nil
    }

    /// The body, where it goes with the head.
    var withHead: ByteBuffer? { trailers == nil ? bytes : nil }
}
