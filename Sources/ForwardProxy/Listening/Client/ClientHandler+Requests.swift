import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings

// MARK: - Requests

extension ClientHandler {
    func handle(_ head: consuming RequestHead) {
        if let overLimit = identity.overLimit, identity.place == nil { return refuse(refusal(for: overLimit), head) }
        if intercepted?.renew(by: worker) == false { return refuse(.configurationChanged, head) }
        if let problem = RequestObjection.wherever(head) { return refuse(problem, head) }
        if intercepted == nil, !machine.loginHasWaited, worker.logins.isActive, !takeTurn(head) { return }
        if let place = identity.unnamedPlace, !claim(place, head) { return }
        serve(head)
    }

    func serve(_ head: consuming RequestHead) {
        if let gateway { return handle(head, at: gateway) }
        switch (intercepted, head.targetForm) {
        case (nil, .authority): connect(head)
        case (nil, .absolute):
            let decision = worker.decide(absolute: head, known: &destination)
            take(decision, head, destination?.connections)
        case (nil, .origin), (nil, .asterisk): refuse(.notAProxyRequest, head)
        case (.some, .authority): refuse(.connectInsideTLS, head)
        case (.some(let intercepted), _):
            let decision = worker.settings.router.decide(inside: intercepted.interception, head)
            take(decision, head, intercepted.connections)
        }
    }

    private func handle(_ head: consuming RequestHead, at connection: GatewayConnection) {
        guard let gateway = connection.gateway(by: worker) else { return refuse(.gatewayGone, head) }
        if head.targetForm == .authority { return refuse(.connectAtGateway, head) }
        if let problem = RequestObjection.atGateway(head) { return refuse(problem, head) }
        let address = connection.address
        let decision = worker.settings.router.decide(
            at: gateway,
            port: address?.port ?? 0,
            name: address?.urlText ?? "localhost",
            head
        )
        take(decision, head)
    }

    /// - Parameter connections: To the upstream; nil when they are to be looked for.
    private func take(
        _ decision: consuming RequestDecision,
        _ head: consuming RequestHead,
        _ connections: TargetPool? = nil
    ) {
        switch consume decision {
        case .refuse(let refusal): refuse(Problem(refusal), head, api: worker.exchanges.index(of: refusal.api))
        case .forward(let route):
            if let problem = RequestObjection.authorization(of: head, on: route, apis: worker.apis) {
                return refuse(problem, head, api: route.api?.index, of: route.clientName)
            }
            if intercepted == nil { noteLogin(route.clientName, head) }
            exchange(head, route, connections ?? worker.pool.connections(to: route.target))
        }
    }

    private func exchange(
        _ head: consuming RequestHead,
        _ route: consuming RequestRoute,
        _ connections: TargetPool
    ) {
        let admission: RequestAdmission?
        do throws(Problem) {
            admission = try worker.admissions.admit(route, of: usage(of: route.clientName))
        } catch {
            return refuse(error, head, api: route.api?.index, of: route.clientName)
        }
        let exchange = Exchange(
            head: head,
            route: route,
            connections: connections,
            admission: admission,
            client: self,
            context: worker.exchanges,
            start: headArrival
        )
        begin(exchange)
    }

    /// - Parameters:
    ///   - api: The index of its API, where what has been decided upon the connection does not tell.
    ///   - client: Who sent it, likewise.
    func refuse(_ problem: Problem, _ head: RequestHead, api: Int? = nil, of client: String? = nil) {
        var request = early(head)
        if let api { request.api = api }
        if let client { request.client = client }
        refuse(problem, request)
    }

    func refuse(_ problem: Problem, _ request: EarlyRequest) {
        guard let head = request.head else { return refuseUnread(problem) }
        worker.exchanges.refused(request, problem)
        if problem.status == 407 || problem.status == 401 { noteFailedLogin(head) }
        answer(problem, to: head, requestIsComplete: head.framing == .none && head.method != .connect)
    }

    func malformed(_ error: MessageError) {
        if let exchange { return exchange.requestBroken(error) }
        let isTLS = !hasTLS && input.takeBuffered().readableBytesView.first == 0x16
        let tlsProblem = gateway == nil ? Problem.tlsToProxy : .tlsToGateway
        let problem = isTLS ? tlsProblem : Problem(malformed: error, headerLimit: worker.settings.limits.header)
        refuseUnread(problem)
    }

    // MARK: Who the client is

    /// Has a request whose log-in must wait handled later, or refused.
    ///
    /// - Returns: Whether it is to be handled now.
    private func takeTurn(_ head: RequestHead) -> Bool {
        guard let attempt = loginAttempt(of: head), attempt.name != identity.name else { return true }
        switch worker.logins.turn(of: attempt) {
        case .now: return true
        case .at(let deadline):
            wait(until: deadline, head)
            return false
        case .never(let seconds):
            refuse(.tooManyFailedLogins(retryAfter: seconds), head)
            return false
        }
    }

    private func wait(until deadline: NIODeadline, _ head: RequestHead) {
        guard let context else { return }
        machine.requestWaits(for: .turn)
        startTimer()
        let turn = worker.clock.schedule(at: deadline, on: context.eventLoop) { [self] in
            awaited = nil
            resume { handle(head) }
        }
        awaited = .turn(turn)
    }

    /// Goes on with a request that has waited.
    private func resume(_ body: () -> Void) {
        guard machine.resumed() == .handleRequest else { return }
        body()
        machine.decodingEnded()
        pump()
    }

    /// Counts the connection for the client whose its first request is. It may have to take another one's place.
    ///
    /// - Returns: Whether the request is to be served now.
    private func claim(_ place: ClientPlace, _ head: RequestHead) -> Bool {
        let router = worker.settings.router
        let limit = worker.settings.limits.connections
        guard let client = credentials(of: head).flatMap({ router.client($0.readableBytesUInt8Span) }) else {
            // It may have waited to be checked, or said nothing, since there was no room.
            guard let shortage = identity.takeFreePlace(limit: limit) else { return true }
            noteFailedLogin(head)
            refuse(refusal(for: shortage), head)
            return false
        }
        let key = ClientKey.client(client.name)
        let usage = worker.usages.usage(of: key)
        if place.claim(for: usage) { return true }
        guard let context else { return false }
        machine.requestWaits(for: .place(loginHasWaited: machine.loginHasWaited))
        startTimer()
        place.take(for: usage, key, limit: limit, on: context.eventLoop)
            .assumeIsolated()
            .whenSuccess { [self] shortage in
                resume {
                    identity.placeWasLookedFor(shortage)
                    if let shortage { refuse(refusal(for: shortage, of: client.name), head) } else { serve(head) }
                }
            }
        return false
    }

    /// The client has been told that it is not who it says it is. One that has sent no password has not guessed.
    private func noteFailedLogin(_ head: RequestHead) {
        guard let attempt = loginAttempt(of: head) else { return }
        identity.loginFailed(attempt)
        worker.logins.failed(attempt, hasWaited: machine.loginHasWaited)
    }

    /// The client is who it says it is, on this connection as long as it says so.
    ///
    /// - Parameter name: Nil where no clients are listed.
    func noteLogin(_ name: String?, _ head: borrowing RequestHead) {
        guard identity.letIn(as: name), let attempt = loginAttempt(of: head) else { return }
        worker.logins.succeeded(attempt, hasWaited: machine.loginHasWaited)
    }

    private func credentials(of head: borrowing RequestHead) -> ByteBuffer? {
        let fields = head.fields
        let credentials = fields.value(of: .proxyAuthorization)
        return gateway != nil && credentials == nil ? fields.value(of: .authorization) : credentials
    }

    private func loginAttempt(of head: borrowing RequestHead) -> LoginAttempt? {
        guard let credentials = credentials(of: head) else { return nil }
        let login = worker.settings.router.claimedLogin(credentials.readableBytesUInt8Span)
        return login.map { LoginAttempt(peer: peer, login: $0) }
    }
}
