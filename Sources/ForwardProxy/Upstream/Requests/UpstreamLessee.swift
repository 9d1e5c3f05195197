import HTTP1Codec
import NIOCore

/// Whoever has leased an ``UpstreamStream`` for one request. Called on the connection's event loop.
protocol UpstreamLessee: AnyObject {
    /// Indicates whether response bytes can be taken now. While false none are handed over, and by HTTP/1.1 the
    /// connection is not read.
    var takesResponseBytes: Bool { get }
    func upstreamResponseHead(_ head: ResponseHead)
    func upstreamResponseBody(_ bytes: ByteBuffer)
    /// - Parameter reusable: Whether the upstream connection could carry another request.
    func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool)
    /// A run of the calls above is over.
    func upstreamDelivered()
    /// All that one read brought has been handed over: the time to flush.
    func upstreamReadComplete()
    func upstreamWritabilityChanged(isWritable: Bool)
    /// The connection is gone before the response ended. The lease is over.
    func upstreamClosed(_ reason: UpstreamFailure)
}
