/// The request method, as far as framing, routing or retry depend on it. Methods are case-sensitive, and any token may be
/// one (RFC 9110, section 9.1).
package enum RequestMethod: Sendable, Equatable, CaseIterable {
    case get, head, post, put, delete, connect, options, trace, patch, other

    /// - Parameter octets: a token.
    package init(octets: Span<UInt8>) {
        switch octets.count {
        case 3 where octets.spells("GET"): self = .get
        case 3 where octets.spells("PUT"): self = .put
        case 4 where octets.spells("POST"): self = .post
        case 4 where octets.spells("HEAD"): self = .head
        case 5 where octets.spells("PATCH"): self = .patch
        case 5 where octets.spells("TRACE"): self = .trace
        case 6 where octets.spells("DELETE"): self = .delete
        case 7 where octets.spells("CONNECT"): self = .connect
        case 7 where octets.spells("OPTIONS"): self = .options
        default: self = .other
        }
    }
}
