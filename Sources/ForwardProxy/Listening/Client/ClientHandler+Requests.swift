import HTTP1Codec
import NIOCore
import Routing
import Settings

// MARK: - Requests

extension ClientHandler {
    func handle(_ head: consuming RequestHead) {
        let decision = requests.decide(
            head,
            loginHasWaited: machine.loginHasWaited,
            usage: { usage(of: $0) },
            by: worker
        )
        carryOut(decision, head)
    }

    private func carryOut(_ decision: consuming RequestDecider.Decision, _ head: consuming RequestHead) {
        switch consume decision {
        case .forward(let request):
            begin(Exchange(head: head, request: request, client: self, context: worker.exchanges, start: headArrival))
        case .refuse(let refused): refuse(refused, head)
        case .intercept(let intercepted): intercept(intercepted, head)
        case .tunnel(let authority, let client): tunnel(to: authority, client: client, head)
        case .refuseConnection(let shortage, let client):
            refuse(worker.refusal(for: shortage, of: usage(of: client)), early(head))
        case .awaitTurn(let deadline): awaitTurn(at: deadline, head)
        case .awaitPlace(let place, let client): awaitPlace(place, of: client, head)
        }
    }

    // MARK: Waits

    private func awaitTurn(at deadline: NIODeadline, _ head: RequestHead) {
        guard let context else { return }
        let turn = clock.schedule(at: deadline, on: context.eventLoop) { [self] in
            resume { handle(head) }
        }
        machine.requestWaits(for: .turn(turn))
        startTimer()
    }

    private func awaitPlace(_ place: ClientPlace, of client: Client, _ head: RequestHead) {
        guard let context else { return }
        machine.requestWaits(for: .place(loginHasWaited: machine.loginHasWaited))
        startTimer()
        let key = ClientKey.client(client.name)
        let limit = worker.settings.limits.connections
        place.take(for: worker.usages.usage(of: key), key, limit: limit, on: context.eventLoop)
            .assumeIsolated()
            .whenSuccess { [self] shortage in
                resume {
                    let decision = requests.decide(
                        head,
                        afterSearch: shortage,
                        for: client,
                        loginHasWaited: machine.loginHasWaited,
                        usage: { usage(of: $0) },
                        by: worker
                    )
                    carryOut(decision, head)
                }
            }
    }

    /// Goes on with a request that has waited.
    private func resume(_ body: () -> Void) {
        guard machine.resumed() == .handleRequest else { return }
        body()
        machine.decodingEnded()
        pump()
    }

    // MARK: Requests that are no exchanges

    /// Returns what is known of a request, by what has been decided upon its connection.
    ///
    /// - Parameter head: Nil when none could be read.
    func early(_ head: RequestHead?) -> EarlyRequest {
        var request = EarlyRequest(head, at: head == nil ? clock.now : headArrival, from: address)
        requests.describe(&request, by: worker)
        return request
    }

    private func refuse(_ refused: RefusedRequest, _ head: RequestHead) {
        var request = early(head)
        if let api = refused.api { request.api = api }
        if let client = refused.client { request.client = client }
        refuse(refused.problem, request)
    }

    func refuse(_ problem: Problem, _ request: EarlyRequest) {
        guard let head = request.head else { return refuseUnread(problem) }
        worker.earlyRequests.refused(request, problem)
        answer(problem, to: head, requestIsComplete: head.framing == .none && head.method != .connect)
    }

    /// Refuses what is no request that could be read.
    func refuseUnread(_ problem: Problem) {
        worker.earlyRequests.refused(early(nil), problem)
        answer(problem, to: nil, requestIsComplete: false)
    }

    func malformed(_ error: MessageError) {
        if let exchange { return exchange.requestBroken(error) }
        let isTLS = !hasTLS && input.takeBuffered().readableBytesView.first == 0x16
        let tlsProblem = requests.gateway == nil ? Problem.tlsToProxy : .tlsToGateway
        let problem = isTLS ? tlsProblem : Problem(malformed: error, headerLimit: worker.settings.limits.header)
        refuseUnread(problem)
    }
}
