import Routing

/// How many requests may be in flight by one configuration, and the counters that tell how many are.
final class RequestLimits: Sendable {
    private let perClient: Int?
    /// By their names; empty where none are configured.
    private let clients: [String: RequestCounter]
    /// By the API's index; nil: as many as come.
    private let apis: [(name: String, limit: Int, counter: RequestCounter)?]
    private let counters: RequestCounters

    /// Nil where there are no such limits, so that nothing need be counted.
    init?(_ settings: ProxySettings, counters: RequestCounters) {
        perClient = settings.limits.requestsPerClient
        guard perClient != nil || settings.apis.contains(where: { $0.requests != nil }) else { return nil }
        self.counters = counters
        apis = settings.apis.map { api in
            api.requests.map { (api.name, $0, counters.counter(of: .api(api.name))) }
        }
        clients = Dictionary(
            settings.router.access.clients.map { ($0.name, counters.counter(of: .client($0.name))) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Counts one more request.
    ///
    /// - Parameter peer: where it comes from, which counts where no clients are configured.
    /// - Throws: when one of the limits is reached.
    func admit(_ route: ExchangeRoute, from peer: PeerRequests) throws(Problem) -> RequestAdmission {
        let admission = RequestAdmission()
        if let perClient {
            let counter = route.clientName.flatMap { clients[$0] } ?? peer.counter(from: counters)
            guard admission.add(counter, limit: perClient) else {
                throw .tooManyRequests(ofClient: route.clientName, limit: perClient)
            }
        }
        if let account = route.account, let api = apis[account.api] {
            guard admission.add(api.counter, limit: api.limit) else {
                admission.end()
                throw .tooManyRequests(toAPI: api.name, limit: api.limit)
            }
        }
        return admission
    }
}
