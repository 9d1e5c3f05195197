import Bytes

/// An absolute-form request-target (RFC 9112, section 3.2.2), taken apart without copying.
///
/// `ws://` and `wss://` stand for `http://` and `https://` (RFC 6455, section 3): some clients write them as they are.
struct AbsoluteTarget {
    let scheme: URIScheme
    let authority: Authority
    /// The offset at which the path begins, or the query when there is no path, or the end.
    let originOffset: Int

    init(parsing target: Span<UInt8>) throws(Refusal) {
        let start: Int
        if target.hasPrefixIgnoringCase("http://") {
            scheme = .http
            start = 7
        } else if target.hasPrefixIgnoringCase("https://") {
            scheme = .https
            start = 8
        } else if target.hasPrefixIgnoringCase("ws://") {
            scheme = .http
            start = 5
        } else if target.hasPrefixIgnoringCase("wss://") {
            scheme = .https
            start = 6
        } else {
            throw .unsupportedTarget
        }
        var end = start
        scan: while end < target.count {
            switch target[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            default: end += 1
            }
        }
        do {
            authority = try Authority(parsing: target.extracting(start..<end), defaultPort: scheme.defaultPort)
        } catch {
            throw .malformedAuthority(error)
        }
        originOffset = end
    }
}
