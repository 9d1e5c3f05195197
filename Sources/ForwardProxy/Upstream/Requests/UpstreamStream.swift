import HTTP1Codec
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

    func lease(to lessee: any UpstreamLessee)
    /// Writes the head, with the body if that is at hand already.
    /// - Parameter scratch: With the field lines that are to be appended.
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
