/// The limits on how long the proxy waits, and for what.
package struct Timeouts: Hashable, Sendable {
    /// The time for an upstream TCP connection, name resolution included.
    package var connect: Duration = .seconds(10)
    /// The time for a TLS handshake, on either side.
    package var handshake: Duration = .seconds(10)
    /// The time for a whole request head.
    package var requestHeader: Duration = .seconds(30)
    /// The time for the head of a response, from the end of the request, unless an API says otherwise.
    package var responseHeader: Duration = .seconds(60)
    /// The time for anything to move on an open connection.
    package var idle: Duration = .seconds(300)
    /// The time for requests in flight after a signal to stop.
    package var drain: Duration = .seconds(30)
    /// The time for which an upstream connection is used for new requests.
    package var connectionAge: Duration = .seconds(3600)

    package init() {}
}
