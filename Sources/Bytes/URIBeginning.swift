/// The beginning of an `http` or `https` URI, up to the end of its authority (RFC 3986, section 3), taken apart without
/// copying.
package struct URIBeginning: Hashable, Sendable {
    package let scheme: URIScheme
    /// The place of the authority, which may be empty: up to the path, or the query when there is no path, or the
    /// fragment, or the end.
    package let authority: Range<Int>

    /// - Parameters:
    ///   - uri: The URI, with a scheme in letters of either case.
    ///   - base: The scheme of a reference that begins with `//` (RFC 3986, section 4.2); nil when there is none such.
    ///   - webSockets: Whether `ws` and `wss` stand for `http` and `https` (RFC 6455, section 3).
    /// - Returns: Nil for any other scheme, and without one.
    package init?(of uri: Span<UInt8>, base: URIScheme? = nil, webSockets: Bool = false) {
        let start: Int
        if uri.hasPrefixIgnoringCase("http://") {
            scheme = .http
            start = 7
        } else if uri.hasPrefixIgnoringCase("https://") {
            scheme = .https
            start = 8
        } else if webSockets, uri.hasPrefixIgnoringCase("ws://") {
            scheme = .http
            start = 5
        } else if webSockets, uri.hasPrefixIgnoringCase("wss://") {
            scheme = .https
            start = 6
        } else if let base, uri.hasPrefixIgnoringCase("//") {
            scheme = base
            start = 2
        } else {
            return nil
        }
        var end = start
        scan: while end < uri.count {
            switch uri[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            default: end += 1
            }
        }
        authority = start..<end
    }
}
