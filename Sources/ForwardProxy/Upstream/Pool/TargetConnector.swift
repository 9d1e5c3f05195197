import Credentials
import NIOCore
import Routing
import Settings

/// Makes the connections to one target, by the settings of its API if it has one.
struct TargetConnector {
    private let authority: Authority
    /// The API of the target; nil for a host of none.
    private let api: APIContext?
    private let connector: UpstreamConnector
    /// Indicates whether clients choose the name that is looked up: any host of no API, or any under an API's wildcard.
    private let nameIsChosen: Bool
    private let upstreamProxy: UpstreamProxy?
    /// The proxy itself, among those whom connections are counted for.
    private let own: ClientUsage
    private let metrics: APIMetrics?

    /// - Parameters:
    ///   - api: Nil for a host of no API.
    ///   - upstreamProxy: The other proxy that connections are made through; nil: none.
    ///   - own: The proxy itself, among those whom connections are counted for.
    ///   - metrics: Of its API; nil: nothing is counted.
    init(
        to authority: Authority,
        api: APIContext?,
        connector: UpstreamConnector,
        upstreamProxy: UpstreamProxy?,
        own: ClientUsage,
        metrics: APIMetrics?
    ) {
        self.authority = authority
        self.api = api
        self.connector = connector
        nameIsChosen = api?.settings.connectsToConfiguredName(for: authority) != true
        self.upstreamProxy = upstreamProxy
        self.own = own
        self.metrics = metrics
    }

    /// Indicates whether HTTP/2 is offered to the target.
    var mayUseHTTP2: Bool { api?.tls != nil && api?.settings.usesHTTP2 == true }

    /// The time for a request to use an idle connection over the limit.
    var surplusTime: TimeAmount { connector.timeouts.surplus }

    /// A connection that may carry a request.
    ///
    /// - Parameters:
    ///   - client: Whom the look-up of the name is counted for.
    ///   - http1: Whether HTTP/1.1 alone is offered.
    ///   - claim: The claim that the connection is counted by, which is released at its end.
    ///   - dial: Gives it up, before it is connected, with the client that waits for it; nil: others may use it.
    ///   - completion: Called once, on the loop.
    func open(
        for client: ClientUsage,
        http1: Bool,
        claim: ConnectionClaim,
        dial: ClientDial?,
        completion: @escaping (Result<NegotiatedConnection, FailedConnection>) -> Void
    ) {
        let (connector, holder) = lookups(for: client)
        connector.open(
            to: authority,
            connectTo: api?.settings.connectTo,
            through: upstreamProxy,
            tls: api?.tls,
            for: holder,
            dial: dial,
            http1: http1 || api?.settings.usesHTTP2 != true,
            claim: claim,
            metrics: metrics,
            completion: completion
        )
    }

    /// Has the look-up for a connection that is being made for another client, whose look-ups of other names may be in
    /// line before it, stand in the line of this one too.
    func joinLookup(for client: ClientUsage) {
        guard nameIsChosen, upstreamProxy == nil else { return }
        let (connector, holder) = lookups(for: client)
        connector.joinLookup(of: authority, for: holder)
    }

    /// Returns whether a connection that is made for another client may come about all the same: its look-ups may come
    /// sooner.
    func concernsOneClient(_ failure: UpstreamFailure) -> Bool { nameIsChosen && failure.isOfLookups }

    /// Returns the connector that looks up the name of the target, and whom that is counted for. No client's names hold
    /// up another's, nor those that the configuration has, nor what the proxy looks up for itself.
    private func lookups(for client: ClientUsage) -> (connector: UpstreamConnector, holder: NameLookupHolder) {
        guard let api else { return (connector, NameLookupHolder(client)) }
        guard nameIsChosen, client !== own else { return (connector, .api(api.settings.name)) }
        return (connector.forChosenNames, NameLookupHolder(client))
    }

    /// Calls a task once, on the event loop of the connections, after an amount of time.
    func schedule(in amount: TimeAmount, _ task: @escaping () -> Void) {
        connector.clock.schedule(in: amount, on: connector.loop, task)
    }
}
