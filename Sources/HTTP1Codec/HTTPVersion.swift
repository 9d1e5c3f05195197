/// The versions that are spoken; any other is refused with 505 (RFC 9110, section 15.6.6).
package enum HTTPVersion: Sendable, Equatable {
    case http10
    case http11
    /// A head that came by HTTP/2 and is kept in the form of HTTP/1.1.
    case http2
}
