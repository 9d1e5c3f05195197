package import NIOCore

/// The limits on how long the proxy waits, and for what.
package struct ProxyTimeouts: Sendable, Equatable {
    /// The time for an upstream TCP connection, name resolution included.
    package var connect: TimeAmount = .seconds(10)
    /// The time for a TLS handshake, on either side.
    package var handshake: TimeAmount = .seconds(10)
    /// The time for a whole request head, from the first byte, or from the opening of the connection.
    package var requestHeader: TimeAmount = .seconds(30)
    /// The time for the head of a response, from the end of the request, unless the API says otherwise.
    package var responseHeader: TimeAmount = .seconds(60)
    /// The time for a request to wait for its account's token, however many exchanges it waits for: that of another
    /// replica's lease, and then of an exchange of one's own.
    package var token: TimeAmount = .seconds(25)
    /// The time for anything to move: between requests, within a body, on a tunnel, on a pooled connection.
    package var idle: TimeAmount = .minutes(5)
    /// The time for a request to use an idle upstream connection over ``ProxyLimits/pooledPerHost``. Not configured.
    package var surplus: TimeAmount = .seconds(1)
    /// The time for a connection to make ``Progress`` where it is the client's turn; after that it may give way to
    /// newcomers. Not configured.
    package var progress: TimeAmount = .seconds(5)
    /// The time for requests in flight after a signal to stop.
    package var drain: TimeAmount = .seconds(30)
    /// The time for which an upstream connection is used for new requests, so that what was looked at when it was made
    /// is looked at again: certificates that expire, pins, what a name resolves to. Up to a tenth less, so that
    /// connections which were made together do not all end together.
    package var connectionAge: TimeAmount = .hours(1)

    package init() {}

    /// Returns when an upstream connection that is made now has reached its greatest age.
    package func endOfUse(madeAt now: NIODeadline) -> NIODeadline {
        let age = connectionAge.nanoseconds
        return now + .nanoseconds(age - Int64.random(in: 0...age / 10))
    }
}
