import HTTP1Codec
import NIOCore

/// A response that may refuse the signature or the token, held back while it is read.
struct HeldResponse {
    let head: ResponseHead
    var body = ByteBuffer()
    /// The timer that ends the inspection of a response that takes too long; kept so that it can be cancelled.
    var timer: Scheduled<Void>?

    init(_ head: ResponseHead) {
        self.head = head
    }
}
