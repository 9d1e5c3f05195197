import CredentialStores
import Credentials
import Crypto
import FoundationEssentials
import ForwardProxy
import LocalAuthority
import Logging
import NIOCore
import NIOPosix
import OAuthSigning
import ProviderSimulator
import Routing
import Settings
import UpstreamTrust

/// The setup of the demo: its parties, with keys and secrets that are made for this one run.
struct DemoSetup {
    static let host = DemoRequest.host
    /// A host of the same provider, configured with a pin that no certificate of it has.
    static let wrongPinHost = "wrong-pin.demo.test"
    /// All that the proxy serves, and that its CA may sign for.
    static let hosts = [host, wrongPinHost]

    let application = RegisteredClient(
        consumerKey: "demo-application",
        consumerSecret: Secret(RandomText.alphanumeric(count: 40))
    )
    let platform = RegisteredClient(
        consumerKey: "demo-platform",
        consumerSecret: Secret(RandomText.alphanumeric(count: 40))
    )
    let platformToken: AcceptedToken
    let certificates: ProviderCertificates
    /// The pin of the provider's leaf: what the proxy is told to insist on.
    let pin: Pin

    init(now: Date) throws {
        let user = ProviderUser(id: "18151210", screenName: "ada_lovelace")
        platformToken = AcceptedToken(
            credentials: TokenCredentials(
                token: "\(user.id)-platform",
                secret: Secret(RandomText.alphanumeric(count: 45))
            ),
            consumerKey: platform.consumerKey,
            user: user
        )
        certificates = try ProviderCertificates(dnsNames: Self.hosts, now: now)
        pin = try Pin.publicKey(of: certificates.leaf)
    }

    func makeProvider(logger: Logger) throws -> ProviderServer {
        let provider = OAuthProvider(
            settings: ProviderSettings(
                realm: "https://\(Self.host)",
                clients: [application, platform],
                tokens: [platformToken]
            )
        )
        return try ProviderServer(
            provider: provider,
            certificates: certificates,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
    }

    /// A proxy on any free port of loopback, with its CA and its vault in the directory.
    func makeProxy(
        provider: SocketAddress,
        authority: LocalAuthority,
        vaultDirectory: String,
        logger: Logger
    ) async throws -> ProxyServer {
        let connectTo = try Authority(parsing: provider.urlText, defaultPort: nil)
        let wrongPin = Pin(SHA256.hash(data: Array("no such key".utf8)))
        let apis = [
            try signingAPI(connectTo: connectTo, policy: pinned(to: pin)),
            try wrongPinAPI(connectTo: connectTo, policy: pinned(to: wrongPin)),
        ]
        let vault = try await BlockingWork.run {
            DirectoryStore(try Vault(directory: vaultDirectory, key: .generate()))
        }
        return try await ProxyServer(
            ProxyConfiguration(
                settings: ProxySettings(
                    router: Router(apis: APITable(apis.map(\.route)), access: AccessPolicy(otherHosts: .refuse)),
                    apis: apis
                ),
                authority: authority,
                vault: vault,
                accessLog: nil
            ),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
    }

    /// One account that has no token yet, and how to get one.
    private func signingAPI(connectTo: Authority, policy: TLSPolicy) throws -> APISettings {
        let paths = ProviderPaths()
        let reverseAuth = ReverseAuthSettings(
            requestTokenURL: "https://\(Self.host)\(paths.requestToken)",
            accessTokenURL: "https://\(Self.host)\(paths.accessToken)",
            signedAs: (client: ClientCredentials(platform), token: platformToken.credentials)
        )
        return APISettings(
            route: APIRoute(index: 0, name: "demo", hosts: [try HostPattern(Self.host)], accounts: ["default"]),
            connectTo: connectTo,
            scheme: .oauth1(OAuth1Settings(client: ClientCredentials(application))),
            accounts: [AccountSettings(name: "default", source: .reverseAuth(reverseAuth))],
            tls: policy
        )
    }

    private func wrongPinAPI(connectTo: Authority, policy: TLSPolicy) throws -> APISettings {
        APISettings(
            route: APIRoute(
                index: 1,
                name: "wrong-pin",
                hosts: [try HostPattern(Self.wrongPinHost)],
                accounts: ["default"]
            ),
            connectTo: connectTo,
            scheme: .oauth1(OAuth1Settings(client: ClientCredentials(application))),
            accounts: [AccountSettings(name: "default", source: .twoLegged)],
            tls: policy
        )
    }

    private func pinned(to pin: Pin) -> TLSPolicy {
        TLSPolicy(
            trust: .certificates([certificates.root]),
            pinning: [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
        )
    }
}

extension ClientCredentials {
    fileprivate init(_ client: RegisteredClient) {
        self.init(identifier: client.consumerKey, sharedSecret: client.consumerSecret)
    }
}
