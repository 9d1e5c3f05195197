import HTTP1Codec
import NIOCore
import Routing
import Settings

/// The course of a request, by its head alone.
enum RequestCourse {
    case refuse(Problem)
    case exchange(ExchangeRoute)
}

extension RequestCourse {
    /// A request that came through an interception.
    init(of head: borrowing RequestHead, inside interception: Interception, by worker: ProxyWorker) {
        let decision = worker.settings.router.decide(inside: interception, head)
        self.init(decision, head, worker)
    }

    /// A request in absolute-form.
    ///
    /// - Parameter destination: Of the request before it on the same connection; set to the request's own, nil where
    ///   that is not an API.
    init(ofAbsolute head: borrowing RequestHead, by worker: ProxyWorker, destination: inout KnownDestination?) {
        var origin = destination?.origin(by: worker)
        let decision = worker.settings.router.decide(absolute: head, known: &origin)
        if case .forward = decision, let origin {
            if origin !== destination?.origin { destination = KnownDestination(origin, by: worker) }
        } else {
            destination = nil
        }
        self.init(decision, head, worker)
    }

    /// A request that came to a gateway.
    ///
    /// - Parameter address: Where the client came to.
    init(of head: borrowing RequestHead, at gateway: Gateway, address: SocketAddress?, by worker: ProxyWorker) {
        if let problem = Self.objection(toGateway: head) {
            self = .refuse(problem)
            return
        }
        let decision = worker.settings.router.decide(at: gateway, port: address?.port ?? 0, head)
        guard case .forward(let forwarding) = decision else {
            self.init(decision, head, worker)
            return
        }
        if let refusal = Self.overriding(head, forwarding.route) {
            self = .refuse(Problem(refusal))
            return
        }
        let api = worker.apis[forwarding.route.index].settings
        let hasOwn = head.fields.contains(.authorization) && !forwarding.consumesAuthorization
        guard !hasOwn || api.existingAuthorization != .refuse else {
            self = .refuse(.authorizationRefused(api: api.name))
            return
        }
        self = .exchange(
            ExchangeRoute(
                forwarding: forwarding,
                head: head,
                gateway: GatewayRequest(
                    gateway: gateway,
                    authority: head.fields.value(of: .host) ?? ByteBuffer(string: address?.urlText ?? "localhost"),
                    mapsResponses: api.gateway?.mapsResponses ?? false,
                    consumesAuthorization: forwarding.consumesAuthorization
                )
            )
        )
    }

    private init(_ decision: consuming RequestDecision, _ head: borrowing RequestHead, _ worker: ProxyWorker) {
        switch consume decision {
        case .refuse(let refusal): self = .refuse(Problem(refusal))
        case .pass(let authority, let offset, let client):
            self = .exchange(ExchangeRoute(passing: head, to: authority, originOffset: offset, client: client))
        case .forward(let forwarding):
            let api = worker.apis[forwarding.route.index]
            if let refusal = Self.overriding(head, forwarding.route) {
                self = .refuse(Problem(refusal))
            } else if head.fields.contains(.authorization), api.settings.existingAuthorization == .refuse {
                self = .refuse(.authorizationRefused(api: api.settings.name))
            } else {
                self = .exchange(ExchangeRoute(forwarding: forwarding, head: head))
            }
        }
    }

    /// Returns a refusal for what would have a framework pass by the rules of an API that is confined to methods or
    /// paths.
    private static func overriding(_ head: borrowing RequestHead, _ route: APIRoute) -> Refusal? {
        guard let overrides = route.overrides else { return nil }
        for line in head.fields where line.known == .other {
            guard let field = overrides.field(named: line.name.readableBytesUInt8Span) else { continue }
            return .methodOverridden(field: field, api: route.name)
        }
        return nil
    }

    /// Returns a problem for what no request may have that comes to a gateway.
    private static func objection(toGateway head: borrowing RequestHead) -> Problem? {
        // One of them may be the client's own name and password.
        head.fields.values(of: .authorization).reduce(0) { count, _ in count + 1 } > 1
            ? .repeatedField(.authorization) : nil
    }

    /// Returns a problem for what no request may have, wherever it goes.
    static func objection(to head: borrowing RequestHead) -> Problem? {
        for field in [KnownField.paraphAccount, .proxyAuthorization] where head.fields.contains(field) {
            // Which of two was meant cannot be known, and a request is never signed as the wrong one.
            guard head.fields.values(of: field).reduce(0, { count, _ in count + 1 }) == 1 else {
                return .repeatedField(field)
            }
        }
        // What TRACE brings back is the request as the server got it, signature and all. Methods are case-sensitive
        // (RFC 9110, section 9.1), but not for every server.
        guard head.method == .trace || head.method == .other else { return nil }
        let method = head.methodBytes.readableBytesUInt8Span
        if method.spellsIgnoringCase("trace") { return .traceRefused }
        return method.spellsIgnoringCase("connect") ? .otherConnectRefused : nil
    }
}
