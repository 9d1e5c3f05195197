/// What a CONNECT request has settled for the requests that come through it.
package struct Interception: Sendable {
    package let route: APIRoute
    /// As the client named it: the name on the leaf certificate, and what Host must say.
    package let authority: Authority
    /// Where the requests go.
    package let upstream: Authority
    /// `nil` when no clients are configured.
    package let client: Client?
    /// The account that Proxy-Authorization named.
    package let accountName: String?
}
