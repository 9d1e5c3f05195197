import HTTP1Codec
import Routing

/// What becomes of a request, by its head alone.
enum RequestCourse {
    case refuse(Problem)
    case exchange(ExchangeRoute)
}

extension RequestCourse {
    /// A request that came through an interception.
    init(of head: RequestHead, inside interception: Interception, by worker: ProxyWorker) {
        let decision = RoutingQuery.decide(
            worker.settings.router,
            inside: interception,
            method: head.methodOctets,
            target: head.target,
            host: head.fields.value(of: .host),
            account: head.fields.value(of: .paraphAccount)
        )
        self.init(decision, head, worker)
    }

    /// A request in absolute-form.
    init(ofAbsolute head: RequestHead, by worker: ProxyWorker) {
        let decision = RoutingQuery.decide(
            worker.settings.router,
            absolute: head.target,
            method: head.methodOctets,
            host: head.fields.value(of: .host),
            proxyAuthorization: head.fields.value(of: .proxyAuthorization),
            account: head.fields.value(of: .paraphAccount)
        )
        self.init(decision, head, worker)
    }

    private init(_ decision: RequestDecision, _ head: RequestHead, _ worker: ProxyWorker) {
        switch decision {
        case .refuse(let refusal): self = .refuse(Problem(refusal))
        case .pass(let authority, let offset, let client):
            self = .exchange(ExchangeRoute(passing: head, to: authority, originOffset: offset, client: client))
        case .forward(let forwarding):
            let api = worker.apis[forwarding.route.index]
            if head.fields.contains(.authorization), api.settings.existingAuthorization == .refuse {
                self = .refuse(.authorizationRefused(api: api.settings.name))
            } else {
                self = .exchange(ExchangeRoute(forwarding: forwarding, head: head))
            }
        }
    }

    /// What no request may have, wherever it goes.
    static func objection(to head: RequestHead) -> Problem? {
        for field in [KnownField.paraphAccount, .proxyAuthorization] where head.fields.contains(field) {
            // Which of two was meant cannot be known, and a request is never signed as the wrong one.
            guard head.fields.values(of: field).reduce(0, { count, _ in count + 1 }) == 1 else {
                return .repeatedField(field)
            }
        }
        // What TRACE brings back is the request as the server got it, signature and all.
        return head.method == .trace ? .traceRefused : nil
    }
}
