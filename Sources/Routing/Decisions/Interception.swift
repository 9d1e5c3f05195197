import Bytes

/// The outcome of a CONNECT request for the requests that come through it. A class, so that each of them holds one
/// reference.
package final class Interception: Sendable {
    package let route: APIRoute
    /// The authority as the client named it: the name on the leaf certificate, and what Host must say.
    package let authority: Authority
    /// The authority that the requests go to.
    package let upstream: Authority
    /// The client that the tunnel is for; nil when no clients are configured.
    package let client: Client?
    /// The account that Proxy-Authorization named.
    package let accountName: String?
    /// The value of nearly every Host field: the authority without its default port.
    let usualHost: String
    /// Indicates whether that is what the upstream is to be told as well.
    let usualHostNamesUpstream: Bool

    init(route: APIRoute, authority: Authority, upstream: Authority, client: Client?, accountName: String?) {
        self.route = route
        self.authority = authority
        self.upstream = upstream
        self.client = client
        self.accountName = accountName
        usualHost = authority.fieldValue(defaultPort: 443)
        usualHostNamesUpstream = upstream == authority && route.upstreamScheme == .https
    }
}
