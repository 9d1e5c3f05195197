import Routing
import Settings

/// A request that is answered with a problem, and does not become an exchange.
struct RefusedRequest: Error {
    let problem: Problem
    /// The index of its API, where what has been decided upon the connection does not tell.
    let api: Int?
    /// The name of the client that sent it, likewise.
    let client: String?

    init(_ problem: Problem) {
        self.init(problem, api: nil, client: nil)
    }

    private init(_ problem: Problem, api: Int?, client: String?) {
        self.problem = problem
        self.api = api
        self.client = client
    }

    /// A request that has no route.
    init(_ refusal: Refusal, apis: [APIContext]) {
        let api = refusal.api.flatMap { name in apis.firstIndex { $0.settings.name == name } }
        self.init(Problem(refusal), api: api, client: nil)
    }

    /// A request that may not go its route.
    init(_ problem: Problem, on route: borrowing RequestRoute) {
        self.init(problem, api: route.api?.index, client: route.clientName)
    }
}
