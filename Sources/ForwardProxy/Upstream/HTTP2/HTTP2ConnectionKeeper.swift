/// Holds a connection that speaks HTTP/2 for as long as it takes requests. Called on its event loop.
protocol HTTP2ConnectionKeeper: AnyObject {
    /// Indicates whether there are so many connections that one need not be kept for long when it is idle.
    var hasSurplusOfShared: Bool { get }
    /// There may be more places than before.
    func roomCame()
    /// No further request can be leased a place. Called once.
    ///
    /// - Parameter failure: Nil when the connection goes on for the requests that it carries.
    func left(_ connection: HTTP2UpstreamHandler, because failure: UpstreamFailure?)
}
