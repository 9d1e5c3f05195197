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
        guard let beginning = URIBeginning(of: target, webSockets: true) else { throw .unsupportedTarget }
        scheme = beginning.scheme
        originOffset = beginning.authority.upperBound
        do {
            authority = try Authority(parsing: target.extracting(beginning.authority), defaultPort: scheme.defaultPort)
        } catch {
            throw .malformedAuthority(error)
        }
    }
}
