import Bytes
import Credentials
import HTTP1Codec
import Logging
import NIOCore
import NIOPosix
import ProviderSimulator
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Connections to one target", .generousLimit, .timed)
struct TargetConnectorTests {
    /// A name that is looked up for a connection, and for whom.
    enum Lookup: CaseIterable {
        case ofNoAPI, ofHost, ofHostForProxyItself, underWildcard, underWildcardForProxyItself, atAddress

        var host: String? {
            switch self {
            case .ofNoAPI: nil
            case .ofHost, .ofHostForProxyItself: "one.api.test"
            case .underWildcard, .underWildcardForProxyItself, .atAddress: "*.api.test"
            }
        }

        var isForProxyItself: Bool {
            switch self {
            case .ofHostForProxyItself, .underWildcardForProxyItself: true
            case .ofNoAPI, .ofHost, .underWildcard, .atAddress: false
            }
        }

        /// Indicates whether the threads are those for names that clients choose.
        var isAmongOthers: Bool {
            switch self {
            case .ofNoAPI, .underWildcard: true
            case .ofHost, .ofHostForProxyItself, .underWildcardForProxyItself, .atAddress: false
            }
        }
    }

    private let clock = ManualClock()
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func settings(
        host: String,
        connectTo: String? = nil,
        scheme: URIScheme = .http,
        usesHTTP2: Bool = true
    ) throws -> APISettings {
        let root = try ServerIdentity.shared.get().root
        return APISettings(
            route: APIRoute(
                index: 0,
                name: "api",
                hosts: [try HostPattern(host)],
                accounts: [],
                upstreamScheme: scheme
            ),
            connectTo: try connectTo.map { try Authority(parsing: $0, defaultPort: nil) },
            scheme: .bearer(.bearer),
            accounts: [],
            tls: TLSPolicy(trust: .certificates([root])),
            usesHTTP2: usesHTTP2
        )
    }

    private func connector(
        _ settings: APISettings?,
        names: NameResolvers,
        own: ClientUsage
    ) throws -> TargetConnector {
        let connector = UpstreamConnector(
            loop: loop,
            networks: NetworkPolicy(denied: []),
            names: names,
            terms: UpstreamTerms(messageLimits: MessageLimits(), timeouts: ProxyTimeouts(), clock: clock)
        )
        return TargetConnector(
            to: try Authority(parsing: "one.api.test:443", defaultPort: nil),
            api: try settings.map {
                try APIContext(settings: $0, target: nil, clock: nil, trust: nil, machine: clock)
            },
            connector: settings == nil ? connector.forOtherHosts : connector,
            upstreamProxy: nil,
            own: own,
            metrics: nil
        )
    }

    @Test("A name that clients choose is looked up apart from those of the configuration", arguments: Lookup.allCases)
    func lookups(_ lookup: Lookup) async throws {
        let gate = DispatchGate()
        let names = NameResolvers(clock: clock, lineLimit: 16) { _, _ in gate.pass() }
        names.start()
        defer { names.shutdown() }
        let usages = ClientUsages(clock: clock, logger: Logger(label: "test"))
        let client = lookup.isForProxyItself ? usages.own : usages.usage(of: .client("one"))
        let address = lookup == .atAddress ? "elsewhere.test:8443" : nil
        let api = try lookup.host.map { try settings(host: $0, connectTo: address) }
        let failure = loop.makePromise(of: UpstreamFailure?.self)
        try await loop.submit { () throws -> Void in
            let claim = try #require(ConnectionClaim.upstream(for: client, limit: nil))
            let connector = try connector(api, names: names, own: usages.own)
            connector.open(for: client, http1: false, claim: claim, dial: nil) { result in
                switch result {
                case .success: failure.succeed(nil)
                case .failure(let failed): failure.succeed(failed.reason)
                }
            }
        }.get()
        #expect(names.others.waiterCount == (lookup.isAmongOthers ? 1 : 0))
        #expect(names.configured.waiterCount == (lookup.isAmongOthers ? 0 : 1))
        #expect(client.connections.held == 1)
        gate.open()
        guard case .nameNotResolved(let host) = try await failure.futureResult.get() else {
            Issue.record("A name without addresses was connected to")
            return
        }
        #expect(host == (lookup == .atAddress ? "elsewhere.test" : "one.api.test"))
        #expect(client.connections.held == 0)
    }

    @Test(
        "HTTP/2 is offered where the API is reached by TLS and its settings have it",
        arguments: [
            (URIScheme.https, true, true), (.https, false, false), (.http, true, false),
        ]
    )
    func http2(scheme: URIScheme, usesHTTP2: Bool, isOffered: Bool) throws {
        let names = NameResolvers(ofCommand: clock) { _, _ in [] }
        let own = ClientUsages(clock: clock, logger: Logger(label: "test")).own
        let settings = try settings(host: "one.api.test", scheme: scheme, usesHTTP2: usesHTTP2)
        #expect(try connector(settings, names: names, own: own).mayUseHTTP2 == isOffered)
        #expect(try !connector(nil, names: names, own: own).mayUseHTTP2)
    }

    @Test(
        "A look-up that failed for one client may succeed for another where clients choose the name",
        arguments: [("*.api.test", true), ("one.api.test", false)]
    )
    func failedLookups(host: String, concernsOneClient: Bool) throws {
        let names = NameResolvers(ofCommand: clock) { _, _ in [] }
        let own = ClientUsages(clock: clock, logger: Logger(label: "test")).own
        let connector = try connector(try settings(host: host), names: names, own: own)
        #expect(connector.concernsOneClient(.nameLookupTimeout(host: host)) == concernsOneClient)
        #expect(connector.concernsOneClient(.tooManyNameLookups(host: host)) == concernsOneClient)
        #expect(!connector.concernsOneClient(.nameNotResolved(host: host)))
        #expect(!connector.concernsOneClient(.connectTimeout))
    }
}
