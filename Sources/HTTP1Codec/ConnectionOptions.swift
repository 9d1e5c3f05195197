/// The options of the connection itself by the `Connection` fields of a head (RFC 9112, section 9).
package struct ConnectionOptions: Sendable, Equatable {
    package var close = false
    package var keepAlive = false
    package var upgrade = false

    /// Returns whether the connection may carry another message after this one. `close` wins over `keep-alive`.
    func keepsAlive(_ version: HTTPVersion) -> Bool {
        switch version {
        case .http11: !close
        case .http2: true
        case .http10: keepAlive && !close
        }
    }
}
