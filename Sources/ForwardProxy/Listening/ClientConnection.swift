import NIOCore

/// A client's connection, as far as the proxy acts upon all of them. Called on its event loop.
protocol ClientConnection: AnyObject {
    var peer: PeerAddress { get }
    /// Nil as long as requests are not counted.
    var peerRequests: PeerRequests? { get set }
    /// Since when it has been between requests; nil while it is not, or where it is over the limit anyway.
    var idleSince: NIODeadline? { get }
    /// Since when a head or a handshake has been awaited that has begun; nil while none is.
    var silentSince: NIODeadline? { get }
    /// Whether an idle connection may end: the client has, or soon has, all that was sent.
    var mayGiveWay: Bool { get }
    /// An idle or silent connection ends at once: somebody else needs the place.
    func giveWay()
    /// The worker is another one. A connection between requests that would not be allowed now is closed.
    func configurationChanged()
    /// The proxy is stopping: a connection between requests ends now, any other after its responses.
    func drain()
    func closeNow()
}
