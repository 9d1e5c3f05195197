import HTTP1Codec
import Routing
import Settings

/// The outcome of a request that is no CONNECT.
enum RequestOutcome {
    case forward(AdmittedRequest)
    /// The request is answered with a problem. `api` is the index of its API, where what has been decided upon the
    /// connection does not tell; `client` is who sent it, likewise.
    case refuse(Problem, api: Int? = nil, client: String? = nil)

    static func refusing(_ refusal: Refusal, _ worker: ProxyWorker) -> RequestOutcome {
        let api = refusal.api.flatMap { name in worker.exchanges.apis.firstIndex { $0.settings.name == name } }
        return .refuse(Problem(refusal), api: api)
    }

    /// Returns a refusal for what the router does not see; nil: there is nothing to object to.
    static func objection(
        to head: borrowing RequestHead,
        on route: borrowing RequestRoute,
        _ worker: ProxyWorker
    ) -> RequestOutcome? {
        guard let problem = RequestObjection.authorization(of: head, on: route, apis: worker.exchanges.apis) else {
            return nil
        }
        return .refuse(problem, api: route.api?.index, client: route.clientName)
    }

    /// Counts the request, unless its client or its API has as many in flight as there may be.
    ///
    /// - Parameter usage: Returns what is counted for the client of a name.
    static func admit(
        _ route: consuming RequestRoute,
        _ connections: TargetPool,
        _ usage: (String?) -> ClientUsage,
        _ worker: ProxyWorker
    ) -> RequestOutcome {
        let admission: RequestAdmission?
        do throws(Problem) {
            admission = try worker.admissions.admit(route, usage: usage)
        } catch {
            return .refuse(error, api: route.api?.index, client: route.clientName)
        }
        return .forward(AdmittedRequest(route: route, connections: connections, admission: admission))
    }
}
