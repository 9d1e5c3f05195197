/// Holds connections to servers between requests. Called on their event loop.
protocol ConnectionKeeper: AnyObject {
    /// Takes a connection that is idle now, and closes one that nobody could use.
    func keep(_ connection: UpstreamConnection)
    /// An idle connection is gone.
    func forget(_ connection: UpstreamConnection)
}
