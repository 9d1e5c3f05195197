import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings

/// Decides what becomes of the requests of one client's connection, by any version of HTTP: who the client is, whether
/// its connection may be there, and where its request goes.
///
/// Each decision is by the worker of the moment: a reload may have changed what the one before was.
struct RequestDecider {
    enum Decision {
        /// The request becomes an exchange.
        case forward(AdmittedRequest)
        case refuse(RefusedRequest)
        case intercept(InterceptedConnect)
        case tunnel(Authority, Client?)
        /// The connection is one too many: for the client of this name, or for its address.
        case refuseConnection(Shortage, client: String? = nil)
        /// The log-in of the request has its turn to be checked at this time: it is to be decided upon again then.
        case awaitTurn(NIODeadline)
        /// The connection has to take another one's place for this client. Then
        /// ``decide(_:afterSearch:for:loginHasWaited:usage:by:)``.
        case awaitPlace(ClientPlace, Client)
    }

    /// The circumstances of a decision, beside the request itself.
    private struct Context {
        let loginHasWaited: Bool
        let worker: ProxyWorker
    }

    /// The gateway that the connection came to; nil: it came to the proxy itself.
    let gateway: GatewayConnection?
    private let peer: PeerAddress
    private(set) var identity: ConnectionIdentity
    /// The CONNECT request that the connection's requests came after; nil: none was intercepted.
    private(set) var intercepted: InterceptedConnect?
    /// The destination of the last request in absolute-form.
    private var destination: KnownDestination?

    init(gateway: GatewayConnection?, peer: PeerAddress, identity: ConnectionIdentity) {
        self.gateway = gateway
        self.peer = peer
        self.identity = identity
    }

    // MARK: Decisions

    /// Decides upon a request.
    ///
    /// - Parameters:
    ///   - loginHasWaited: Whether its log-in has waited for its turn.
    ///   - usage: Returns what is counted for the client of a name.
    mutating func decide(
        _ head: borrowing RequestHead,
        loginHasWaited: Bool,
        usage: (String?) -> ClientUsage,
        by worker: ProxyWorker
    ) -> Decision {
        if let overLimit = identity.overLimit, identity.place == nil { return .refuseConnection(overLimit) }
        if let problem = objection(to: head, by: worker) { return .refuse(RefusedRequest(problem)) }
        do throws(RefusedRequest) {
            try checkForm(of: head, by: worker)
        } catch {
            return .refuse(error)
        }
        if intercepted == nil, !loginHasWaited, worker.logins.isActive,
            let attempt = loginAttempt(of: head, worker.settings.router), attempt.name != identity.name
        {
            switch worker.logins.turn(of: attempt) {
            case .now: break
            case .at(let deadline): return .awaitTurn(deadline)
            case .never(let seconds): return .refuse(RefusedRequest(.tooManyFailedLogins(retryAfter: seconds)))
            }
        }
        let context = Context(loginHasWaited: loginHasWaited, worker: worker)
        if let place = identity.unnamedPlace, let decision = claim(place, for: head, in: context) { return decision }
        return route(head, in: context, usage: usage)
    }

    /// Counts the connection for the client whose its first request is. It may have to take another one's place.
    ///
    /// - Returns: Nil when the request is to be served now.
    private mutating func claim(
        _ place: ClientPlace,
        for head: borrowing RequestHead,
        in context: Context
    ) -> Decision? {
        let worker = context.worker
        guard let client = authenticatedClient(of: head, worker.settings.router) else {
            // It may have waited to be checked, or said nothing, since there was no room.
            guard let shortage = identity.takeFreePlace(limit: worker.settings.limits.connections) else { return nil }
            loginFailed(of: head, in: context)
            return .refuseConnection(shortage)
        }
        if place.claim(for: worker.usages.usage(of: .client(client.name))) { return nil }
        // Its log-in is right, whatever comes of the search.
        letIn(client.name, by: head, in: context)
        return .awaitPlace(place, client)
    }

    /// Decides where the request of a client goes that may be there.
    ///
    /// - Parameter usage: Returns what is counted for the client of a name.
    private mutating func route(
        _ head: borrowing RequestHead,
        in context: Context,
        usage: (String?) -> ClientUsage
    ) -> Decision {
        do throws(RefusedRequest) {
            if gateway == nil, intercepted == nil, head.targetForm == .authority {
                return try connect(head, in: context)
            }
            return .forward(try admit(head, in: context, usage: usage))
        } catch {
            if intercepted == nil { countLogin(of: head, in: context) }
            return .refuse(error)
        }
    }

    /// Decides upon a request when another one's place was looked for, for its connection.
    ///
    /// The other parameters are those of ``decide(_:loginHasWaited:usage:by:)``.
    ///
    /// - Parameters:
    ///   - shortage: Why none was found; nil: the connection has one.
    ///   - client: The client for which it was looked for.
    mutating func decide(
        _ head: borrowing RequestHead,
        afterSearch shortage: Shortage?,
        for client: Client,
        loginHasWaited: Bool,
        usage: (String?) -> ClientUsage,
        by worker: ProxyWorker
    ) -> Decision {
        identity.placeWasLookedFor(shortage)
        if let shortage { return .refuseConnection(shortage, client: client.name) }
        return route(head, in: Context(loginHasWaited: loginHasWaited, worker: worker), usage: usage)
    }

    /// Decides upon a request of HTTP/2. It came through CONNECT, which has settled who sent it, and that its connection
    /// may be there.
    ///
    /// - Parameter usage: Returns what is counted for the client of a name.
    mutating func admit(
        intercepted head: borrowing RequestHead,
        usage: (String?) -> ClientUsage,
        by worker: ProxyWorker
    ) throws(RefusedRequest) -> AdmittedRequest {
        if let problem = objection(to: head, by: worker) { throw RefusedRequest(problem) }
        return try admit(head, in: Context(loginHasWaited: false, worker: worker), usage: usage)
    }

    /// Returns a problem for a request that is refused wherever it goes. Renews an interception that was decided under
    /// another configuration.
    private func objection(to head: borrowing RequestHead, by worker: ProxyWorker) -> Problem? {
        if intercepted?.renew(by: worker) == false { return .configurationChanged }
        return RequestObjection.wherever(head)
    }

    /// Checks what makes a request one for here, before its log-in is looked at: a page of any site can have its visitor's
    /// browser send a gateway requests with any password, and those are no guesses of the visitor's.
    private func checkForm(of head: borrowing RequestHead, by worker: ProxyWorker) throws(RefusedRequest) {
        guard let decided = try decidedGateway(of: head, by: worker), credentials(of: head) != nil else { return }
        do throws(Refusal) {
            try decided.check(head, port: gateway?.address?.port ?? 0)
        } catch {
            throw RefusedRequest(error, apis: worker.exchanges.apis)
        }
    }

    private mutating func admit(
        _ head: borrowing RequestHead,
        in context: Context,
        usage: (String?) -> ClientUsage
    ) throws(RefusedRequest) -> AdmittedRequest {
        let worker = context.worker
        let route = try route(of: head, by: worker)
        if let problem = RequestObjection.authorization(of: head, on: route, apis: worker.exchanges.apis) {
            throw RefusedRequest(problem, on: route)
        }
        if intercepted == nil { letIn(route.clientName, by: head, in: context) }
        let known = intercepted?.connections ?? destination?.connections
        let connections = known ?? worker.pool.connections(to: route.target)
        let admission: RequestAdmission?
        do throws(Problem) {
            admission = try worker.admissions.admit(route, usage: usage)
        } catch {
            throw RefusedRequest(error, on: route)
        }
        return AdmittedRequest(route: route, connections: connections, admission: admission)
    }

    /// Asks the router.
    private mutating func route(
        of head: borrowing RequestHead,
        by worker: ProxyWorker
    ) throws(RefusedRequest) -> RequestRoute {
        let decided = try decidedGateway(of: head, by: worker)
        let router = worker.settings.router
        do throws(Refusal) {
            if let decided {
                let address = gateway?.address
                let port = address?.port ?? 0
                return try router.decide(at: decided, port: port, name: address?.urlText ?? "localhost", head)
            }
            if let intercepted { return try router.decide(inside: intercepted.interception, head) }
            return try worker.decide(absolute: head, known: &destination)
        } catch {
            throw RefusedRequest(error, apis: worker.exchanges.apis)
        }
    }

    /// Returns the gateway that a request came to; nil: it came to none.
    ///
    /// - Throws: Where its gateway is gone, or requests of its form are not served.
    private func decidedGateway(
        of head: borrowing RequestHead,
        by worker: ProxyWorker
    ) throws(RefusedRequest) -> Gateway? {
        guard let gateway else {
            switch (intercepted, head.targetForm) {
            case (nil, .origin), (nil, .asterisk): throw RefusedRequest(.notAProxyRequest)
            case (.some, .authority): throw RefusedRequest(.connectInsideTLS)
            default: return nil
            }
        }
        guard let decided = gateway.gateway(by: worker) else { throw RefusedRequest(.gatewayGone) }
        if head.targetForm == .authority { throw RefusedRequest(.connectAtGateway) }
        if let problem = RequestObjection.atGateway(head) { throw RefusedRequest(problem) }
        return decided
    }

    private mutating func connect(
        _ head: borrowing RequestHead,
        in context: Context
    ) throws(RefusedRequest) -> Decision {
        let worker = context.worker
        let message = ConnectMessage(head)
        let decision: ConnectDecision
        do throws(Refusal) {
            decision = try message.decision(by: worker.settings.router)
        } catch {
            throw RefusedRequest(error, apis: worker.exchanges.apis)
        }
        if let host = head.fields.value(of: .host), !decision.isNamed(byHost: host) {
            throw RefusedRequest(.hostDiffersFromConnect)
        }
        switch decision {
        case .tunnel(let authority, let client):
            letIn(client?.name, by: head, in: context)
            return .tunnel(authority, client)
        case .intercept(let interception):
            letIn(interception.client?.name, by: head, in: context)
            return .intercept(InterceptedConnect(interception, message: message, decidedBy: worker))
        }
    }

    // MARK: Course

    /// The answer to a CONNECT request has been written: what comes next, comes through it.
    mutating func interceptionBegan(_ intercepted: InterceptedConnect) {
        self.intercepted = intercepted
        destination = nil
    }

    /// The worker is another one.
    ///
    /// - Returns: False when requests on this connection would not be served by it.
    mutating func configurationChanged(to worker: ProxyWorker) -> Bool {
        destination = nil
        return gateway.map { $0.gateway(by: worker) != nil } ?? (intercepted?.renew(by: worker) ?? true)
    }

    // MARK: Clients

    /// The outcome of the CONNECT request that the connection's requests came after; nil: none was intercepted.
    var interception: Interception? { intercepted?.interception }

    /// The name of the client, as far as it is known by now; nil: it is not.
    var clientName: String? {
        interception?.client?.name ?? identity.name ?? identity.place?.clientName
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
    private mutating func letIn(_ name: String?, by head: borrowing RequestHead, in context: Context) {
        let worker = context.worker
        guard identity.letIn(as: name), let attempt = loginAttempt(of: head, worker.settings.router) else { return }
        worker.logins.succeeded(attempt, hasWaited: context.loginHasWaited)
    }

    /// Counts the log-in of a request that was refused after it was looked at as right or wrong, whatever it was refused
    /// for. If only log-ins whose answer tells the outcome were counted, passwords could be guessed with such requests.
    private mutating func countLogin(of head: borrowing RequestHead, in context: Context) {
        if let client = authenticatedClient(of: head, context.worker.settings.router) {
            letIn(client.name, by: head, in: context)
        } else {
            loginFailed(of: head, in: context)
        }
    }

    /// The client is not who it says it is. One that has sent no password has not guessed.
    private mutating func loginFailed(of head: borrowing RequestHead, in context: Context) {
        guard let attempt = loginAttempt(of: head, context.worker.settings.router) else { return }
        identity.loginFailed(attempt)
        context.worker.logins.failed(attempt, hasWaited: context.loginHasWaited)
    }

    /// Returns the client that a request shows to be its own; nil where it shows none, or where no clients are listed.
    private func authenticatedClient(of head: borrowing RequestHead, _ router: Router) -> Client? {
        credentials(of: head).flatMap { router.client($0.readableBytesUInt8Span) }
    }

    private func credentials(of head: borrowing RequestHead) -> ByteBuffer? {
        let fields = head.fields
        let credentials = fields.value(of: .proxyAuthorization)
        return gateway != nil && credentials == nil ? fields.value(of: .authorization) : credentials
    }

    private func loginAttempt(of head: borrowing RequestHead, _ router: Router) -> LoginAttempt? {
        guard let credentials = credentials(of: head) else { return nil }
        let login = router.claimedLogin(credentials.readableBytesUInt8Span)
        return login.map { LoginAttempt(peer: peer, login: $0) }
    }
}

extension ConnectDecision {
    /// Returns whether a Host field names what CONNECT names; some clients leave the port out.
    fileprivate func isNamed(byHost host: ByteBuffer) -> Bool {
        let authority: Authority
        switch self {
        case .tunnel(let target, _): authority = target
        case .intercept(let interception): authority = interception.authority
        }
        return (try? Authority(parsing: host.readableBytesUInt8Span, defaultPort: authority.port)) == authority
    }
}

@available(*, unavailable)
extension RequestDecider: Sendable {}
