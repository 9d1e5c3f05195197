import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings

/// Decides what becomes of the requests of one client's connection: who the client is, whether its connection may be
/// there, and where its request goes.
///
/// Each decision is by the worker of the moment: a reload may have changed what the one before was.
struct RequestDecider {
    enum Decision {
        /// The request becomes an exchange, by these connections.
        case forward(RequestRoute, TargetPool)
        case intercept(InterceptedConnect)
        case tunnel(Authority, Client?)
        /// `api` is the index of its API, where what has been decided upon the connection does not tell; `client` is who
        /// sent it, likewise.
        case refuse(Problem, api: Int? = nil, client: String? = nil)
        /// The connection is one too many: for the client of this name, or for its address.
        case refuseConnection(Shortage, client: String? = nil)
        /// To be decided upon again at this time, when its log-in has its turn to be checked.
        case awaitTurn(NIODeadline)
        /// The connection has to take another one's place for this client. Then ``placeWasLookedFor(_:)``, and where it
        /// has one ``route(_:loginHasWaited:peer:by:)``.
        case awaitPlace(ClientPlace, Client)
    }

    /// The gateway that the connection came to; nil for one to the proxy itself.
    let gateway: GatewayConnection?
    private(set) var identity: ConnectionIdentity
    /// The CONNECT request that the connection's requests came after; nil: none was intercepted.
    private(set) var intercepted: InterceptedConnect?
    /// The destination of the last request in absolute-form.
    private var destination: KnownDestination?

    init(gateway: GatewayConnection?, identity: ConnectionIdentity) {
        self.gateway = gateway
        self.identity = identity
    }

    // MARK: Decisions

    /// Decides upon a request.
    ///
    /// - Parameters:
    ///   - loginHasWaited: Whether its log-in has waited for its turn.
    ///   - peer: The client's address. Asked for only where it is needed.
    mutating func decide(
        _ head: borrowing RequestHead,
        loginHasWaited: Bool,
        peer: @autoclosure () -> PeerAddress,
        by worker: ProxyWorker
    ) -> Decision {
        if let overLimit = identity.overLimit, identity.place == nil { return .refuseConnection(overLimit) }
        if intercepted?.renew(by: worker) == false { return .refuse(.configurationChanged) }
        if let problem = RequestObjection.wherever(head) { return .refuse(problem) }
        if intercepted == nil, !loginHasWaited, worker.logins.isActive,
            let attempt = loginAttempt(of: head, peer, worker), attempt.name != identity.name
        {
            switch worker.logins.turn(of: attempt) {
            case .now: break
            case .at(let deadline): return .awaitTurn(deadline)
            case .never(let seconds): return .refuse(.tooManyFailedLogins(retryAfter: seconds))
            }
        }
        if let place = identity.unnamedPlace,
            let decision = claim(place, head, loginHasWaited: loginHasWaited, peer, worker)
        {
            return decision
        }
        return route(head, loginHasWaited: loginHasWaited, peer: peer(), by: worker)
    }

    /// Counts the connection for the client whose its first request is. It may have to take another one's place.
    ///
    /// - Returns: Nil when the request is to be served now.
    private mutating func claim(
        _ place: ClientPlace,
        _ head: borrowing RequestHead,
        loginHasWaited: Bool,
        _ peer: () -> PeerAddress,
        _ worker: ProxyWorker
    ) -> Decision? {
        let router = worker.settings.router
        guard let client = credentials(of: head).flatMap({ router.client($0.readableBytesUInt8Span) }) else {
            // It may have waited to be checked, or said nothing, since there was no room.
            guard let shortage = identity.takeFreePlace(limit: worker.settings.limits.connections) else { return nil }
            loginFailed(head, hasWaited: loginHasWaited, peer: peer(), by: worker)
            return .refuseConnection(shortage)
        }
        return place.claim(for: worker.usages.usage(of: .client(client.name))) ? nil : .awaitPlace(place, client)
    }

    /// Decides where the request of a client goes that may be there.
    ///
    /// The parameters are those of ``decide(_:loginHasWaited:peer:by:)``.
    mutating func route(
        _ head: borrowing RequestHead,
        loginHasWaited: Bool,
        peer: @autoclosure () -> PeerAddress,
        by worker: ProxyWorker
    ) -> Decision {
        let router = worker.settings.router
        if let gateway {
            guard let decided = gateway.gateway(by: worker) else { return .refuse(.gatewayGone) }
            if head.targetForm == .authority { return .refuse(.connectAtGateway) }
            if let problem = RequestObjection.atGateway(head) { return .refuse(problem) }
            let address = gateway.address
            let (port, name) = (address?.port ?? 0, address?.urlText ?? "localhost")
            let decision = router.decide(at: decided, port: port, name: name, head)
            return finish(decision, head, loginHasWaited, peer, nil, worker)
        }
        switch (intercepted, head.targetForm) {
        case (nil, .authority): return connect(head, loginHasWaited, peer, worker)
        case (nil, .absolute):
            let decision = worker.decide(absolute: head, known: &destination)
            return finish(decision, head, loginHasWaited, peer, destination?.connections, worker)
        case (nil, .origin), (nil, .asterisk): return .refuse(.notAProxyRequest)
        case (.some, .authority): return .refuse(.connectInsideTLS)
        case (.some(let intercepted), _):
            let decision = router.decide(inside: intercepted.interception, head)
            return finish(decision, head, loginHasWaited, peer, intercepted.connections, worker)
        }
    }

    /// - Parameter connections: To the upstream; nil when they are to be looked for.
    private mutating func finish(
        _ decision: consuming RequestDecision,
        _ head: borrowing RequestHead,
        _ loginHasWaited: Bool,
        _ peer: () -> PeerAddress,
        _ connections: TargetPool?,
        _ worker: ProxyWorker
    ) -> Decision {
        switch consume decision {
        case .refuse(let refusal): return .refuse(Problem(refusal), api: worker.exchanges.index(of: refusal.api))
        case .forward(let route):
            if let problem = RequestObjection.authorization(of: head, on: route, apis: worker.exchanges.apis) {
                return .refuse(problem, api: route.api?.index, client: route.clientName)
            }
            if intercepted == nil { letIn(route.clientName, head, loginHasWaited, peer, worker) }
            return .forward(route, connections ?? worker.pool.connections(to: route.target))
        }
    }

    private mutating func connect(
        _ head: borrowing RequestHead,
        _ loginHasWaited: Bool,
        _ peer: () -> PeerAddress,
        _ worker: ProxyWorker
    ) -> Decision {
        let message = ConnectMessage(head)
        let decision = message.decision(by: worker.settings.router)
        if let host = head.fields.value(of: .host), !decision.isNamed(byHost: host) {
            return .refuse(.hostDiffersFromConnect)
        }
        switch decision {
        case .refuse(let refusal): return .refuse(Problem(refusal), api: worker.exchanges.index(of: refusal.api))
        case .tunnel(let authority, let client):
            letIn(client?.name, head, loginHasWaited, peer, worker)
            return .tunnel(authority, client)
        case .intercept(let interception):
            letIn(interception.client?.name, head, loginHasWaited, peer, worker)
            return .intercept(InterceptedConnect(interception, message: message, decidedBy: worker))
        }
    }

    // MARK: Course

    /// The answer to a CONNECT request has been written: what comes next, comes through it.
    mutating func interceptionBegan(_ intercepted: InterceptedConnect) {
        self.intercepted = intercepted
    }

    /// - Parameter shortage: Why the connection has no place; nil: it has one.
    mutating func placeWasLookedFor(_ shortage: Shortage?) {
        identity.placeWasLookedFor(shortage)
    }

    /// The worker is another one.
    ///
    /// - Returns: False when requests on this connection would not be served by it.
    mutating func configurationChanged(to worker: ProxyWorker) -> Bool {
        destination = nil
        return gateway.map { $0.gateway(by: worker) != nil } ?? (intercepted?.renew(by: worker) ?? true)
    }

    // MARK: Clients

    /// The usage that the latest request is counted for; nil as long as nothing is counted.
    var lastUsage: ClientUsage? {
        get { identity.lastUsage }
        set { identity.lastUsage = newValue }
    }

    /// The name of the client, as far as it is known by now; nil: it is not.
    var clientName: String? {
        intercepted?.interception.client?.name ?? identity.name ?? identity.place?.clientName
    }

    /// Notes what is known of a request, by what has been decided upon its connection.
    func describe(_ request: inout EarlyRequest, by worker: ProxyWorker) {
        if let gateway {
            request.api = gateway.gateway(by: worker)?.route.index
            request.scheme = .http
        } else {
            intercepted?.describe(&request, by: worker)
        }
    }

    /// The client is who it says it is, on this connection as long as it says so.
    ///
    /// - Parameter name: Nil where no clients are listed.
    private mutating func letIn(
        _ name: String?,
        _ head: borrowing RequestHead,
        _ loginHasWaited: Bool,
        _ peer: () -> PeerAddress,
        _ worker: ProxyWorker
    ) {
        guard identity.letIn(as: name), let attempt = loginAttempt(of: head, peer, worker) else { return }
        worker.logins.succeeded(attempt, hasWaited: loginHasWaited)
    }

    /// The client has been told that it is not who it says it is. One that has sent no password has not guessed.
    mutating func loginFailed(
        _ head: borrowing RequestHead,
        hasWaited: Bool,
        peer: @autoclosure () -> PeerAddress,
        by worker: ProxyWorker
    ) {
        guard let attempt = loginAttempt(of: head, peer, worker) else { return }
        identity.loginFailed(attempt)
        worker.logins.failed(attempt, hasWaited: hasWaited)
    }

    private func credentials(of head: borrowing RequestHead) -> ByteBuffer? {
        let fields = head.fields
        let credentials = fields.value(of: .proxyAuthorization)
        return gateway != nil && credentials == nil ? fields.value(of: .authorization) : credentials
    }

    private func loginAttempt(
        of head: borrowing RequestHead,
        _ peer: () -> PeerAddress,
        _ worker: ProxyWorker
    ) -> LoginAttempt? {
        guard let credentials = credentials(of: head) else { return nil }
        let login = worker.settings.router.claimedLogin(credentials.readableBytesUInt8Span)
        return login.map { LoginAttempt(peer: peer(), login: $0) }
    }
}

extension ConnectDecision {
    /// Returns whether a Host field names what CONNECT names; some clients leave the port out.
    fileprivate func isNamed(byHost host: ByteBuffer) -> Bool {
        let authority: Authority
        switch self {
        case .refuse: return true
        case .tunnel(let target, _): authority = target
        case .intercept(let interception): authority = interception.authority
        }
        return (try? Authority(parsing: host.readableBytesUInt8Span, defaultPort: authority.port)) == authority
    }
}

@available(*, unavailable)
extension RequestDecider: Sendable {}
