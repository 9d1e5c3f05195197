/// What an absolute-form request has settled for those behind it that name the same origin, octet for octet. A class,
/// so that each of them holds one reference.
package final class KnownOrigin: Sendable {
    package let route: APIRoute
    /// Where the requests go.
    package let upstream: Authority
    /// Scheme and authority, as the client wrote them.
    private let octets: [UInt8]
    /// Where the authority begins.
    private let authorityStart: Int
    /// Whether the same authority in a Host field is what the upstream is to be told.
    let hostNamesUpstream: Bool

    /// - Parameter target: an absolute-form request-target, of which `originOffset` octets are scheme and authority.
    init(_ target: Span<UInt8>, originOffset: Int, route: APIRoute, upstream: Authority) {
        self.route = route
        self.upstream = upstream
        var octets: [UInt8] = []
        octets.reserveCapacity(originOffset)
        for index in 0..<originOffset { octets.append(target[index]) }
        self.octets = octets
        authorityStart = (octets.firstIndex(of: UInt8(ascii: ":")) ?? 0) + "://".utf8.count
        let authority = target.extracting(authorityStart..<originOffset)
        let named = try? Authority(parsing: authority, defaultPort: route.upstreamScheme.defaultPort)
        hostNamesUpstream = named == upstream
    }

    /// Where the origin-form begins in a request-target of this origin; `nil` when it is of another one, or the Host
    /// field does not repeat the authority as it stands there.
    func originOffset(of target: Span<UInt8>, host: Span<UInt8>?) -> Int? {
        let octets = self.octets
        let (count, own) = (octets.count, octets.span)
        guard target.count > count, target[count] == UInt8(ascii: "/") else { return nil }
        guard target.extracting(first: count).equals(own) else { return nil }
        if let host, !host.equals(own.extracting(authorityStart...)) { return nil }
        return count
    }
}
