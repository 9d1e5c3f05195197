import HTTP1Codec
import NIOCore

/// The client's side of one exchange, whatever version of HTTP the client speaks. Called on its event loop.
///
/// A response is written with ``writeHead(_:to:proxyStatus:requestIsComplete:)``, any number of ``writeBody(_:)`` and
/// ``writeEnd(trailers:)``. What is written may be gathered until ``writeGathered()``, and is under way after
/// ``flush()``.
protocol ExchangeClient: AnyObject {
    /// Indicates whether bytes of a response can be taken now.
    var isWritable: Bool { get }

    /// The connections to servers that belong to the client's; nil as long as there is none.
    var ownedConnections: OwnedConnections? { get set }

    /// The client's address; nil when it is not known.
    var address: SocketAddress? { get }

    /// Returns what is counted for the client.
    /// - Parameter name: That of a configured client; nil: whoever is at the connection's address.
    func usage(of name: String?) -> ClientUsage

    /// Indicates whether the client can be told that a response is not to be had, and why, without an answer.
    var takesResets: Bool { get }

    // MARK: Response

    /// Tells a client that waits for it to send the body it announced.
    func writeContinue()
    func writeInterim(_ response: ResponseHead)
    /// - Parameters:
    ///   - proxyStatus: A member for the Proxy-Status field; nil: none of ours.
    ///   - requestIsComplete: Whether the whole request has been read.
    func writeHead(_ response: ResponseHead, to request: RequestHead, proxyStatus: String?, requestIsComplete: Bool)
    func writeBody(_ bytes: ByteBuffer)
    func writeEnd(trailers: FieldSection?)
    func writeGathered()
    func flush()
    /// Takes the response's head back if nothing of it has left yet.
    /// - Returns: False when there is none, or when it has.
    func withdrawHead() -> Bool

    // MARK: Course

    /// The exchange can take more of the request.
    func requestBodyWanted()
    /// The whole request is out, and the head of the final response may take this long.
    func awaitResponse(for time: TimeAmount)
    /// Notes that bytes have moved.
    func progress()
    /// More of the request has to come within this time.
    func awaitRequest(for time: TimeAmount)
    /// The response is through, and so is the request.
    func exchangeFinished()
    /// The response is through, but the client has not been read to the end of its request.
    func exchangeFinishedUnread()
    /// The client must see that its response is not whole.
    /// - Parameter reason: Nil when it is not the upstream's doing.
    func abort(_ reason: UpstreamFailure?)
    /// The connection of the client and the upstream's become a tunnel.
    /// - Parameter response: With status 101.
    func switchProtocols(_ response: ResponseHead, of exchange: Exchange, on stream: any UpstreamStream)
    /// Sends the proxy's own answer instead of a response.
    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool)
}
