package import Bytes
package import Credentials
package import NIOCore
package import Routing
package import UpstreamTrust

/// One API: how requests to its hosts are authorized and sent on.
package struct APISettings: Sendable {
    package enum ExistingAuthorization: String, Sendable, CaseIterable {
        /// The client's Authorization field is dropped and the signature sent.
        case replace
        /// A request that has one goes on as it is, unsigned.
        case keep
        /// A request that has one is refused.
        case refuse
    }

    /// Its hosts, and what of its requests routing looks at. The account names are those of ``accounts``, in the same
    /// order.
    package var route: APIRoute
    /// The address to connect to instead of resolving the request's host. TLS name, Host and signature are unaffected.
    package var connectTo: Authority?
    package var scheme: AuthorizationScheme
    /// Every source is one that the scheme has a use for. `Account.index` counts them. Empty only where accounts can be
    /// enrolled.
    package var accounts: [AccountSettings]
    /// Bytes of the largest body that is collected because it takes part in the signature.
    package var maxBody: Int
    package var existingAuthorization: ExistingAuthorization
    package var tls: TLSPolicy
    /// The proxy that connections to the API are made through; nil: none.
    package var upstreamProxy: UpstreamProxy?
    /// Indicates whether HTTP/2 is spoken with servers that offer it.
    package var usesHTTP2: Bool
    /// The gateway to the API; nil for none. With one the first host of the route must be a single one.
    package var gateway: GatewaySettings?
    /// Requests to it that may be in flight; nil: as many as come.
    package var requests: Int?
    /// The time for the head of a response, from the end of the request; nil: as long as `ProxyTimeouts` say.
    package var responseHeaderTimeout: TimeAmount?

    package init(
        route: APIRoute,
        connectTo: Authority? = nil,
        scheme: AuthorizationScheme,
        accounts: [AccountSettings],
        maxBody: Int = 1024 * 1024,
        existingAuthorization: ExistingAuthorization = .replace,
        tls: TLSPolicy = TLSPolicy(),
        upstreamProxy: UpstreamProxy? = nil,
        usesHTTP2: Bool = true,
        gateway: GatewaySettings? = nil,
        requests: Int? = nil,
        responseHeaderTimeout: TimeAmount? = nil
    ) {
        self.route = route
        self.connectTo = connectTo
        self.scheme = scheme
        self.accounts = accounts
        self.maxBody = maxBody
        self.existingAuthorization = existingAuthorization
        self.tls = tls
        self.upstreamProxy = upstreamProxy
        self.usesHTTP2 = usesHTTP2
        self.gateway = gateway
        self.requests = requests
        self.responseHeaderTimeout = responseHeaderTimeout
    }
}

extension APISettings {
    /// The name in the configuration; also half of each credential's name in the vault.
    package var name: String { route.name }

    /// The hosts that its requests may be for, as the configuration names them.
    package var hosts: [HostPattern] { route.hosts }

    package var upstreamScheme: URIScheme { route.upstreamScheme }

    /// Returns whether connections for a host are made to a name that the configuration has, rather than to one that a
    /// client has chosen under a wildcard.
    package func connectsToConfiguredName(for authority: Authority) -> Bool {
        connectTo != nil || hosts.contains { $0.name == .exact(authority.host) }
    }

    /// Returns the binding that a credential of one of ``accounts`` is obtained under; nil for an account that keeps
    /// none in the vault.
    package func binding(of account: AccountSettings) -> CredentialBinding? {
        CredentialBinding(account, scheme: scheme, hosts: boundHosts, address: boundAddress)
    }

    /// The same for every account that is enrolled.
    /// - Parameter target: The place where its claims are verified.
    package func binding(enrolledBy target: EnrolmentSettings.Target?) -> CredentialBinding {
        CredentialBinding(enrolledWith: scheme, verifiedBy: target, hosts: boundHosts, address: boundAddress)
    }

    /// Returns what one of ``accounts`` does with what the vault holds for it.
    package func credentialUse(of account: AccountSettings) -> CredentialUse {
        binding(of: account) == nil ? .unneeded : .obtained
    }

    private var boundHosts: [String] { hosts.map { "\(upstreamScheme)://\($0)" } }

    /// The address of ``connectTo``, where this alone says who is sent a token. A public authority vouches that a
    /// server is the host's, whatever its address; without TLS or the check of names nobody does, and a private
    /// authority may have certified the same names for several servers.
    private var boundAddress: String? {
        if upstreamScheme == .https, tls.verifiesHostname, tls.trust == .system { return nil }
        return connectTo.map { "\($0)" }
    }
}

/// A listener of an API's own, for clients that take it for the API's first host.
package struct GatewaySettings: Sendable, Hashable {
    package var address: ListenAddress
    /// Indicates whether fields of responses that point at the upstream are made to point at the gateway.
    package var mapsResponses: Bool
    /// Names that clients may use for it in Host, besides its address, loopback addresses and `localhost`; without
    /// ports, in lower case or in the canonical form of an address.
    package var hosts: [String]

    package init(address: ListenAddress = .anyLoopback, mapsResponses: Bool = true, hosts: [String] = []) {
        self.address = address
        self.mapsResponses = mapsResponses
        self.hosts = hosts
    }
}
