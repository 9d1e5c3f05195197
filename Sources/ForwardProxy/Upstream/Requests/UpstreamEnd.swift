/// The way in which the upstream took itself away from a request before its response was complete.
enum UpstreamEnd: Hashable {
    /// The connection ended: whether the request was processed is not known.
    case connection
    /// The request's stream was reset, and nothing else: its connection was not stale.
    case stream
    /// The request's stream was refused on a connection that lives on: it was not processed (RFC 9113, section 8.7).
    case streamRefused
    /// The request was not processed, and has to come by HTTP/1.1 (RFC 9113, section 7).
    case http1Required
    /// The connection is ending, and the request was not processed (GOAWAY; RFC 9113, section 6.8).
    case goneAway

    /// Indicates whether the upstream says that the request was not processed.
    var isUnprocessed: Bool {
        switch self {
        case .streamRefused, .http1Required, .goneAway: true
        case .connection, .stream: false
        }
    }
}
