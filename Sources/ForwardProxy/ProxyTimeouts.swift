package import NIOCore

/// How long the proxy waits, and for what.
package struct ProxyTimeouts: Sendable, Equatable {
    /// For an upstream TCP connection, name resolution included.
    package var connect: TimeAmount = .seconds(10)
    /// For a TLS handshake, on either side.
    package var handshake: TimeAmount = .seconds(10)
    /// For a whole request head, from the first octet, or from the opening of the connection.
    package var requestHeader: TimeAmount = .seconds(30)
    /// For the head of a response, from the end of the request, unless the API says otherwise.
    package var responseHeader: TimeAmount = .seconds(60)
    /// For anything to move: between requests, within a body, on a tunnel, on a pooled connection.
    package var idle: TimeAmount = .minutes(5)
    /// For a request to use an idle upstream connection over ``ProxyLimits/pooledPerHost``. Not configured.
    package var surplus: TimeAmount = .seconds(1)
    /// For a connection to make ``Progress`` where it is the client's turn; after that it may give way to newcomers. Not
    /// configured.
    package var progress: TimeAmount = .seconds(5)
    /// For requests in flight after a signal to stop.
    package var drain: TimeAmount = .seconds(30)

    package init() {}
}
