package import Credentials
package import Routing
package import UpstreamTrust

/// One API: its hosts, how its requests are authorized and as whom, and how its servers are verified.
package struct APIConfiguration: Sendable {
    /// Name, hosts, scheme, paths and methods. Its account names are those of `accounts`, in the same order.
    package var route: APIRoute
    /// The authority to connect to instead of resolving the host. TLS name, Host and signature are unaffected.
    package var connectTo: Authority?
    package var scheme: AuthorizationScheme
    /// In the order of the file; `Account.index` counts them. Every source is one that the scheme has a use for. Empty
    /// only where accounts can be enrolled.
    package var accounts: [AccountSettings]
    /// Bytes of a body that may be collected for signing.
    package var maxBody: Int
    package var onExistingAuthorization: ExistingAuthorization
    package var tls: TLSPolicy
    /// The proxy that its servers are reached through: its own, else that of the whole file; nil: none.
    package var upstreamProxy: UpstreamProxy?
    /// Indicates whether HTTP/2 is spoken with its servers where they offer it: its own word, else that of the whole
    /// file.
    package var usesHTTP2: Bool
    package var gateway: GatewayConfiguration?
    /// Requests to it that may be in flight, by its own word, else by that of the whole file; `nil`: as many as come.
    package var requests: Int?
    /// The time for the head of a response, by its own word; `nil`: as `Timeouts` say.
    package var responseHeaderTimeout: Duration?

    package var name: String { route.name }
}
