package import OAuthSigning
package import UpstreamTrust

/// The servers of etcd that credentials are kept in, and how they are reached.
package struct EtcdSettings: Equatable, Sendable {
    /// The user that requests are made as.
    package struct User: Equatable, Sendable {
        package let name: String
        package let password: Secret

        package init(name: String, password: Secret) {
            self.name = name
            self.password = password
        }
    }

    /// The servers, at least one.
    package var endpoints: [EtcdEndpoint]
    /// The prefix of all keys, which nobody else uses.
    package var prefix: String
    /// The roots of the servers' certificates.
    package var trust: TrustRoots
    /// The certificate that the servers are shown, and its key; nil for none.
    package var identity: TLSIdentity?
    /// The user to log in as; nil when etcd asks for none.
    package var user: User?

    package init(endpoints: [EtcdEndpoint], prefix: String, trust: TrustRoots, identity: TLSIdentity?, user: User?) {
        self.endpoints = endpoints
        self.prefix = prefix
        self.trust = trust
        self.identity = identity
        self.user = user
    }
}
