import HTTP1Codec
import HTTP2Codec
import NIOCore

/// The place of one request on an upstream connection, whatever version of HTTP is spoken there. Called on its event
/// loop.
///
/// After ``lease(to:)`` one request is written: ``write(_:as:scratch:)``, any number of ``writeBody(_:)``,
/// ``writeEnd(trailers:)``.
/// The lessee is told of the response. The lease ends with ``release(reusable:)``, with ``close(_:)``, or by the
/// lessee's being told that the connection is gone.
protocol UpstreamStream: AnyObject {
    /// Indicates whether bytes of a request's body can be taken now.
    var isWritable: Bool { get }
    /// Bytes that were written for the request and are still to be sent, as far as they are told from those of others.
    var unsentBytes: Int { get }
    /// Indicates whether the connection has carried an earlier request, and may be gone without our having noticed.
    var isReused: Bool { get }

    /// The time that making its connection took; nil when nobody has measured.
    var connectTimes: ConnectTimes? { get }
    /// The certificates that the server presented, and how they were judged; nil without TLS.
    var verdict: CertificateVerdict? { get }
    /// The server's address; nil when it is not known.
    var address: SocketAddress? { get }
    /// The version of HTTP, as ALPN names it (RFC 7301).
    var version: String { get }

    func lease(to lessee: any UpstreamLessee)
    /// Writes the head, with the body if that is at hand already.
    /// - Parameter scratch: The scratch that holds the fields to be appended.
    func write(_ head: RequestHead, as request: OutgoingRequest, scratch: HeadScratch)
    func writeBody(_ bytes: ByteBuffer)
    func writeEnd(trailers: FieldSection?)
    func flush()
    /// The lessee can take bytes again.
    func resumeReading()
    /// Ends the lease and HTTP with it: from now on the bytes of the connection are the tunnel's.
    /// - Returns: False when the connection cannot be had for that.
    func switchProtocols(to tunnel: TunnelHandler) -> Bool
    /// - Parameter reusable: Whether request and response are through and the connection may carry another one.
    func release(reusable: Bool)
    /// Ends whatever it does, at once.
    func close(_ cause: StreamEnd)
}

extension UpstreamStream {
    /// Indicates whether more is still to be sent for the request than a connection takes at once.
    var holdsRequestUp: Bool { !isWritable && unsentBytes > 0 }
}

/// The reason why a request is given up while its connection could go on.
enum StreamEnd: Equatable {
    /// The response is not waited for any more.
    case cancelled
    /// The response did not come in time.
    case timedOut
    /// The client reset its stream, with this code (RFC 9113, section 7).
    case reset(HTTP2ErrorCode)
}

/// The one who has leased an ``UpstreamStream`` for one request. Called on the connection's event loop.
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
