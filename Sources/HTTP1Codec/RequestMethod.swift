/// The request method, as far as framing, routing or retry depend on it. Methods are case-sensitive (RFC 9110, section 9.1).
///
/// `other` is one of `otherNames`: methods which are registered or which llhttp knows, so that no hop behind this one
/// disagrees about where the request line ends.
package enum RequestMethod: Sendable, Equatable, CaseIterable {
    case get, head, post, put, delete, connect, options, trace, patch, other

    /// `nil` when the method is not known; such a request is refused with 501.
    package init?(octets: Span<UInt8>) {
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
        default:
            for name in Self.otherNames where octets.spells(name) {
                self = .other
                return
            }
            return nil
        }
    }

    static let otherNames: [String] = [
        "ACL", "BIND", "CHECKOUT", "COPY", "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
        "MOVE", "NOTIFY", "PROPFIND", "PROPPATCH", "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH", "SOURCE",
        "SUBSCRIBE", "UNBIND", "UNLINK", "UNLOCK", "UNSUBSCRIBE",
    ]
}
