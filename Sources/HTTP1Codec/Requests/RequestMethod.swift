import Bytes

/// The request method, as far as framing, routing or retry depend on it. Methods are case-sensitive, and any token may
/// be one (RFC 9110, section 9.1).
package enum RequestMethod: Sendable, Equatable, CaseIterable {
    case get, head, post, put, delete, connect, options, trace, patch, other

    /// - Parameter bytes: A token.
    package init(bytes: Span<UInt8>) {
        switch bytes.count {
        case 3 where bytes.spells("GET"): self = .get
        case 3 where bytes.spells("PUT"): self = .put
        case 4 where bytes.spells("POST"): self = .post
        case 4 where bytes.spells("HEAD"): self = .head
        case 5 where bytes.spells("PATCH"): self = .patch
        case 5 where bytes.spells("TRACE"): self = .trace
        case 6 where bytes.spells("DELETE"): self = .delete
        case 7 where bytes.spells("CONNECT"): self = .connect
        case 7 where bytes.spells("OPTIONS"): self = .options
        default: self = .other
        }
    }

    /// Indicates whether a request may be sent again without knowing what became of it (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace: true
        case .post, .connect, .patch, .other: false
        }
    }
}
