/// A client's connection, as far as the proxy acts upon all of them. Called on its event loop.
protocol ClientConnection: AnyObject {
    /// The worker is another one. A connection between requests that would not be allowed now is closed.
    func configurationChanged()
    /// The proxy is stopping: a connection between requests ends now, any other after its responses.
    func drain()
    func closeNow()
}
