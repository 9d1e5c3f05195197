import NIOCore
import Settings

/// A client's connection, as far as the proxy acts upon all of them. Called on its event loop.
protocol ClientConnection: AnyObject {
    var peer: PeerAddress { get }
    /// The name of the client, where clients are listed and it is known.
    var clientName: String? { get }
    /// Returns what is counted for the client.
    ///
    /// - Parameter name: That of a configured client; nil: whoever is at ``peer``.
    func usage(of name: String?) -> ClientUsage
    /// The time since which it has been between requests, of which some have been answered; nil while it is not, or
    /// where it is over the limit anyway.
    var keptSince: NIODeadline? { get }
    /// The same where the first request is awaited, and nothing of it has come.
    var silentSince: NIODeadline? { get }
    /// Returns the time since which it has made no ``Progress``, though it is the client's turn: a head or a handshake
    /// that has begun is awaited, or a body, or that what was sent is taken. Nil where it is not the client that is
    /// waited for.
    func slowSince(at now: NIODeadline) -> NIODeadline?
    /// The time since which it has taken nothing of what was sent; nil where it has, or soon has, all. For one between
    /// requests.
    func unreadSince(at now: NIODeadline) -> NIODeadline?
    /// The time since which it has been there without anybody being named for it, where clients are listed; nil where
    /// somebody has.
    var unnamedSince: NIODeadline? { get }
    /// Indicates whether it has a place: it is not one too many.
    var isPlaced: Bool { get }
    /// Returns the memory that it holds for requests of a client, where that is counted.
    func heldMemory(of client: ClientUsage) -> [HeldMemory]
    /// Ends a head that has begun and is not whole, so that others can have its memory.
    ///
    /// - Returns: Whether there was one whose memory is counted.
    func endUnfinishedHead() -> Bool
    /// Its admission, where it came over the limit.
    var admission: ConnectionCounter.Place? { get }
    /// Indicates whether an idle connection may end: the client has, or soon has, all that was sent, and nothing of it
    /// waits to be read.
    var mayGiveWay: Bool { get }
    /// An idle, slow or unnamed connection ends at once: somebody else needs the place.
    func giveWay()
    /// The worker is another one. A connection between requests that would not be allowed now is closed.
    func configurationChanged()
    /// The proxy is stopping: a connection between requests ends now, any other after its responses. One that has had no
    /// request is given a moment for its first: whoever connected before the end is served.
    func drain()
    func closeNow()
}

extension ClientConnection {
    /// The client or address that it is counted for among `limits.connections`.
    var holder: ClientKey { clientName.map { .client($0) } ?? .peer(peer) }
}
