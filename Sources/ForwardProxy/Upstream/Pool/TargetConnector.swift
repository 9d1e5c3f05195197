import Credentials
import NIOCore
import Routing
import Settings

/// Makes the connections to one target, by the settings of its API if it has one.
struct TargetConnector {
    /// The choice of the name that is looked up.
    private enum NameChoice {
        /// Clients choose any host of no API.
        case anyHost
        /// Clients choose any host under a wildcard of the API of this name.
        case wildcard(api: String)
        /// The configuration chooses, for the API of this name.
        case configured(api: String)

        init(of authority: Authority, in settings: APISettings?) {
            guard let settings else {
                self = .anyHost
                return
            }
            let isConfigured = settings.connectsToConfiguredName(for: authority)
            self = isConfigured ? .configured(api: settings.name) : .wildcard(api: settings.name)
        }
    }

    private let destination: UpstreamDestination
    private let tls: UpstreamTLS?
    private let nameChoice: NameChoice
    private let connector: UpstreamConnector
    /// The proxy itself, among those whom connections are counted for.
    private let own: ClientUsage
    private let metrics: APIMetrics?
    /// Indicates whether HTTP/2 is offered to the target.
    let mayUseHTTP2: Bool

    /// - Parameters:
    ///   - api: The API that the target is a host of; nil: none.
    ///   - upstreamProxy: The other proxy that connections are made through; nil: none.
    ///   - own: The proxy itself, among those whom connections are counted for.
    ///   - metrics: The metrics of its API; nil: nothing is counted.
    init(
        to authority: Authority,
        api: APIContext?,
        connector: UpstreamConnector,
        upstreamProxy: UpstreamProxy?,
        own: ClientUsage,
        metrics: APIMetrics?
    ) {
        let settings = api?.settings
        destination = UpstreamDestination(
            authority: authority,
            connectTo: settings?.connectTo,
            proxy: upstreamProxy
        )
        tls = api?.tls
        mayUseHTTP2 = tls != nil && settings?.usesHTTP2 == true
        nameChoice = NameChoice(of: authority, in: settings)
        self.connector = connector
        self.own = own
        self.metrics = metrics
    }

    /// The time for a request to use an idle connection over the limit.
    var surplusTime: TimeAmount { connector.terms.timeouts.surplus }

    /// A connection that may carry a request.
    ///
    /// - Parameters:
    ///   - client: The client that the look-up of the name is counted for.
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
            to: destination,
            tls: tls.map { UpstreamConnector.TLSOffer(tls: $0, isOfHTTP1: http1 || !mayUseHTTP2) },
            for: holder,
            dial: dial,
            claim: claim,
            metrics: metrics,
            completion: completion
        )
    }

    /// Moves the look-up for a connection that is being made for another client, whose look-ups of other names may be
    /// in line before it, to the line of this one where that is shorter.
    func joinLookup(for client: ClientUsage) {
        guard nameIsChosen, destination.proxy == nil else { return }
        let (connector, holder) = lookups(for: client)
        connector.joinLookup(of: destination.authority, for: holder)
    }

    /// Returns whether a connection that is made for another client may come about all the same: its look-ups may come
    /// sooner.
    func concernsOneClient(_ failure: UpstreamFailure) -> Bool { nameIsChosen && failure.isOfLookups }

    /// Returns the connector that looks up the name of the target, and whom that is counted for. No client's names hold
    /// up another's, nor those that the configuration has, nor what the proxy looks up for itself.
    private func lookups(for client: ClientUsage) -> (connector: UpstreamConnector, holder: NameLookupHolder) {
        switch nameChoice {
        case .anyHost: (connector, NameLookupHolder(client))
        case .wildcard where client !== own: (connector.forChosenNames, NameLookupHolder(client))
        case .wildcard(let api), .configured(let api): (connector, .api(api))
        }
    }

    private var nameIsChosen: Bool {
        switch nameChoice {
        case .anyHost, .wildcard: true
        case .configured: false
        }
    }

    /// Calls a task once, on the event loop of the connections, after an amount of time.
    func schedule(in amount: TimeAmount, _ task: @escaping () -> Void) {
        connector.terms.clock.schedule(in: amount, on: connector.loop, task)
    }
}
