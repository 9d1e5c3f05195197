package import Credentials
import HTTP1Codec
package import NIOCore
import Logging
package import Routing
package import Settings

/// Sends single requests to providers, as the running proxy does for its exchanges: under the API's TLS policy, to
/// addresses that may be connected to. For commands that get a token without a proxy.
package struct ProviderClient: Sendable {
    private let transport: ExchangeTransport
    private let apis: [APIContext]

    /// - Parameters:
    ///   - apis: The APIs, in the order that ``send(_:api:)`` counts them in.
    ///   - networks: The addresses that may be connected to.
    ///   - clock: The clock that all its times are taken from.
    ///   - group: The group whose next event loop does all the work.
    /// - Throws: When an API's TLS policy cannot be carried out.
    package init(
        apis: [APISettings],
        networks: NetworkPolicy,
        timeouts: ProxyTimeouts,
        clock: any ProxyClock = SystemClock.shared,
        group: any EventLoopGroup
    ) async throws {
        let contexts = try apis.map {
            try APIContext(settings: $0, target: nil, clock: nil, trust: nil, machine: clock)
        }
        self.apis = contexts
        let loop = group.next()
        transport = try await loop.submit {
            let connector = UpstreamConnector(
                loop: loop,
                networks: networks,
                names: NameResolvers(ofCommand: clock),
                terms: UpstreamTerms(messageLimits: MessageLimits(), timeouts: timeouts, clock: clock)
            )
            let pool = UpstreamPool(
                connector: connector,
                apis: contexts,
                upstreamProxy: nil,
                limits: UpstreamPoolLimits(idlePerTarget: 1, perClient: nil),
                usages: ClientUsages(clock: clock, logger: Logger(label: "paraph")),
                metrics: nil
            )
            return ExchangeTransport(loop: loop, pool: pool, apis: contexts, timeouts: timeouts, clock: clock)
        }.get()
    }

    /// Returns a conversation with the provider of an API, that nothing is logged of.
    ///
    /// - Parameter correctsClock: Whether the provider's clock is followed when it refuses this machine's.
    package func conversation(api: Int, correctsClock: Bool) -> ProviderConversation {
        transport.conversation(
            with: apis[api],
            at: api,
            correctsClock: correctsClock,
            logger: Logger(label: "paraph") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// The provider's whole answer.
    ///
    /// - Parameter api: The API whose hosts the request goes to, by its place in the settings.
    /// - Throws: A failure that says why there is none.
    package func send(_ request: ExchangeRequest, api: Int) async throws(ExchangeFailure) -> ExchangeResponse {
        try await transport.send(request, api: api)
    }
}
