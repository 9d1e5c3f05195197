import HTTP1Codec
import NIOCore
import Routing

// MARK: - Requests

extension ClientHandler {
    /// Decodes what is buffered, as far as it is wanted.
    func pump() {
        guard !isPumping else { return }
        isPumping = true
        do throws(MessageError) {
            while phase == .serving {
                if let exchange {
                    guard exchange.wantsRequestBody, let event = try decoder.next() else { break }
                    hand(event, to: exchange)
                } else {
                    guard let event = try decoder.next() else { break }
                    if case .head(let head) = event { handle(head) }
                }
            }
        } catch {
            malformed(error)
        }
        isPumping = false
        exchange?.requestDelivered()
        endIfInputEnded()
        noteBeginningOfHead()
        releaseRead()
    }

    func hand(_ event: RequestEvent, to exchange: Exchange) {
        switch event {
        case .head: break
        case .body(let octets):
            progress()
            exchange.requestBody(octets)
        case .end(let trailers): exchange.requestEnd(trailers: trailers)
        }
    }

    func malformed(_ error: MessageError) {
        if let exchange { return exchange.requestBroken(error) }
        let isTLS = interception == nil && decoder.takeBuffered().readableBytesView.first == 0x16
        let problem = isTLS ? .tlsToProxy : Problem(malformed: error, headerLimit: worker.settings.limits.header)
        worker.logRefusal(problem, nil)
        answer(problem, to: nil, requestIsComplete: false)
    }

    func handle(_ head: RequestHead) {
        if proxyLoop.isDraining { return refuse(.stopping, head) }
        if isOverLimit { return refuse(.tooManyConnections, head) }
        if !renewInterception() { return refuse(.configurationChanged, head) }
        for field in [KnownField.paraphAccount, .proxyAuthorization] where head.fields.contains(field) {
            // Which of two was meant cannot be known, and a request is never signed as the wrong one.
            guard head.fields.values(of: field).reduce(0, { count, _ in count + 1 }) == 1 else {
                return refuse(.repeatedField(field), head)
            }
        }
        // What TRACE brings back is the request as the server got it, signature and all.
        if head.method == .trace { return refuse(.traceRefused, head) }
        switch (interception, head.targetForm) {
        case (nil, .authority): connect(head)
        case (nil, .absolute): forward(head)
        case (nil, .origin), (nil, .asterisk): refuse(.notAProxyRequest, head)
        case (.some, .authority): refuse(.connectInsideTLS, head)
        case (.some(let interception), _): forward(head, inside: interception)
        }
    }

    func forward(_ head: RequestHead) {
        let account = head.fields.value(of: .paraphAccount)
        let authorization = head.fields.value(of: .proxyAuthorization)
        let host = head.fields.value(of: .host)
        let decision = RoutingQuery.decide(
            worker.settings.router,
            absolute: head.target,
            method: head.methodOctets,
            host: host,
            proxyAuthorization: authorization,
            account: account
        )
        carryOut(decision, head)
    }

    func forward(_ head: RequestHead, inside interception: Interception) {
        let decision = RoutingQuery.decide(
            worker.settings.router,
            inside: interception,
            method: head.methodOctets,
            target: head.target,
            host: head.fields.value(of: .host),
            account: head.fields.value(of: .paraphAccount)
        )
        carryOut(decision, head)
    }

    func carryOut(_ decision: RequestDecision, _ head: RequestHead) {
        switch decision {
        case .refuse(let refusal): refuse(Problem(refusal), head)
        case .pass(let authority, let offset, let client):
            exchange(head, ExchangeRoute(passing: head, to: authority, originOffset: offset, client: client))
        case .forward(let forwarding):
            let api = worker.apis[forwarding.route.index]
            if api.settings.existingAuthorization == .refuse, head.fields.contains(.authorization) {
                return refuse(.authorizationRefused(api: api.settings.name), head)
            }
            exchange(head, ExchangeRoute(forwarding: forwarding, head: head, api: api.settings))
        }
    }

    func exchange(_ head: RequestHead, _ route: ExchangeRoute) {
        let exchange = Exchange(head: head, route: route, client: self, worker: worker)
        self.exchange = exchange
        start(.transfer, worker.settings.timeouts.idle)
        exchange.start()
    }

    func refuse(_ problem: Problem, _ head: RequestHead) {
        worker.logRefusal(problem, head)
        answer(problem, to: head, requestIsComplete: head.framing == .none && head.method != .connect)
    }
}
