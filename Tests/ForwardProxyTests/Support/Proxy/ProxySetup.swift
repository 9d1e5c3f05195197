import Bytes
import Credentials
import NIOCore
import OAuthSigning
import ProviderSimulator
import Routing
import Settings
import UpstreamTrust

@testable import ForwardProxy

/// The settings that a proxy under test is started with.
struct ProxySetup {
    /// One API, in the terms that routing and proxying share.
    struct API {
        var name = "api"
        var hosts = ["api.test"]
        var upstream = URIScheme.http
        var port: Int
        /// The host that is connected to in the place of the API's hosts; nil: these themselves.
        var connectHost: String? = "127.0.0.1"
        var accounts = [AccountSettings(name: "default", source: .issued(Secrets.token))]
        var scheme = AuthorizationScheme.oauth1(OAuth1Settings(client: Secrets.client))
        var maxBody = 1024 * 1024
        var existingAuthorization = APISettings.ExistingAuthorization.replace
        var tls = TLSPolicy()
        var upstreamProxy: UpstreamProxy?
        var acceptsEnrolled = false
        var methods: [String]?
        var gateway: GatewaySettings?
        var requests: Int?
        var responseHeaderTimeout: TimeAmount?
    }

    /// All that must never be seen in a log.
    enum Secrets {
        static let clientSecret = "hidden-client-secret"
        static let tokenSecret = "hidden-token-secret"
        static let client = ClientCredentials(identifier: "key", sharedSecret: Secret(clientSecret))
        static let token = TokenCredentials(token: "account-token", secret: Secret(tokenSecret))
    }

    var apis: [API]
    /// That of the proxy's own listener.
    var identity: TLSIdentity?
    var access = AccessPolicy()
    var enrolment: EnrolmentSettings?
    var upstreamProxy: UpstreamProxy?
    var limits = ProxyLimits()
    var timeouts = Self.patient
    var namesAccountsInMetrics = false
    var isTwoLooped = false
    var resolve: NameLookups.Resolve = SystemAddresses.of(_:port:)

    /// All limits of time are the same, so that one that a test sets is the only one to end when the test lets it.
    static var patient: ProxyTimeouts {
        var timeouts = ProxyTimeouts()
        (timeouts.connect, timeouts.handshake) = (.minutes(10), .minutes(10))
        (timeouts.requestHeader, timeouts.responseHeader, timeouts.idle) = (.minutes(10), .minutes(10), .minutes(10))
        (timeouts.surplus, timeouts.progress) = (.minutes(10), .minutes(10))
        timeouts.drain = .minutes(10)
        timeouts.connectionAge = .hours(24)
        return timeouts
    }

    init(apis: [API]) {
        self.apis = apis
    }

    /// One API in clear text.
    init(plain upstream: ScriptedUpstream) {
        self.init(apis: [API(port: upstream.port)])
    }

    /// One API over TLS, whose root is trusted.
    init(secure upstream: ScriptedUpstream) throws {
        let root = try ServerIdentity.shared.get().root
        self.init(
            apis: [API(upstream: .https, port: upstream.port, tls: TLSPolicy(trust: .certificates([root])))]
        )
    }

    func settings() throws -> ProxySettings {
        let settings = try apis.enumerated().map { index, api in
            APISettings(
                route: APIRoute(
                    index: index,
                    name: api.name,
                    hosts: try api.hosts.map { try HostPattern($0) },
                    accounts: api.accounts.map(\.name),
                    upstreamScheme: api.upstream,
                    methods: api.methods,
                    acceptsEnrolled: api.acceptsEnrolled
                ),
                connectTo: try api.connectHost.map {
                    try Authority(parsing: "\($0):\(api.port)", defaultPort: nil)
                },
                scheme: api.scheme,
                accounts: api.accounts,
                maxBody: api.maxBody,
                existingAuthorization: api.existingAuthorization,
                tls: api.tls,
                upstreamProxy: api.upstreamProxy,
                gateway: api.gateway,
                requests: api.requests,
                responseHeaderTimeout: api.responseHeaderTimeout
            )
        }
        return ProxySettings(
            identity: identity,
            router: Router(apis: APITable(settings.map(\.route)), access: access),
            apis: settings,
            enrolment: enrolment,
            upstreamProxy: upstreamProxy,
            limits: limits,
            timeouts: timeouts,
            namesAccountsInMetrics: namesAccountsInMetrics
        )
    }
}
