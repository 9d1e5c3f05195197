import Routing
import Settings

/// The number of requests that may be in flight by one configuration, and the counters that tell how many are.
final class RequestLimits: Sendable {
    private let perClient: Int?
    /// The limits of the APIs, by the API's index; nil: as many as come.
    private let apis: [(name: String, limit: Int, counter: InFlightCounter)?]

    /// Takes the limits of the settings; nil where there are none, so that nothing need be counted.
    init?(_ settings: ProxySettings, counters: APIRequestCounters) {
        perClient = settings.limits.requestsPerClient
        guard perClient != nil || settings.apis.contains(where: { $0.requests != nil }) else { return nil }
        apis = settings.apis.map { api in
            api.requests.map { (api.name, $0, counters.counter(of: api.name)) }
        }
    }

    /// Counts one more request.
    ///
    /// - Throws: When one of the limits is reached.
    func admit(_ route: borrowing RequestRoute, of client: ClientUsage) throws(Problem) -> RequestAdmission {
        let admission = RequestAdmission()
        if let perClient {
            guard admission.add(client.requests, limit: perClient) else {
                throw .tooManyRequests(ofClient: route.clientName, limit: perClient)
            }
        }
        if let index = route.api?.index, let api = apis[index] {
            guard admission.add(api.counter, limit: api.limit) else {
                admission.end()
                throw .tooManyRequests(toAPI: api.name, limit: api.limit)
            }
        }
        return admission
    }
}
