import HTTP1Codec
import NIOCore
import Routing
import Settings

// MARK: - How an exchange ends

extension Exchange {
    // MARK: By the client

    /// - Parameter end: How the client gave it up.
    func clientClosed(_ end: StreamEnd = .cancelled) {
        drop(end, outcome: "client closed")
    }

    /// The proxy ends, and waits no longer.
    func cutOff() {
        drop(.cancelled, outcome: "cut off")
    }

    /// Ends the exchange for another client, which gets the place of the connection.
    func giveWay() {
        drop(.cancelled, outcome: "gave way")
    }

    private func drop(_ end: StreamEnd, outcome: String) {
        guard !isOver else { return }
        conclude()
        dropStream(end)
        tellEnded(outcome: outcome)
    }

    /// The rest of the client's request cannot be read.
    func requestBroken(_ error: MessageError) {
        guard !isOver else { return }
        dropStream()
        fail(Problem(malformed: error, headerLimit: context.settings.limits.header))
    }

    // MARK: By the upstream

    /// The time for the head of the response is over.
    func responseTimedOut() {
        guard machine.isAwaitingResponseHead else { return client.progress() }
        dropStream(.timedOut)
        fail(UpstreamFailure.responseTimeout(setting: responseTimeSetting))
    }

    /// The connections of the client and the upstream become a tunnel.
    func becomeTunnel(_ response: ResponseHead, on stream: any UpstreamStream) {
        record.status = response.status
        conclude()
        streamEnded()
        admission?.end()
        record.established = context.clock.now - record.start
        tellSwitched()
        // The tunnel may stand for long.
        record.sent = nil
        client.switchProtocols(asSeenByClient(response), of: self, on: stream)
    }

    func fail(_ problem: Problem) {
        let action = machine.failed()
        guard action != .none else { return }
        conclude()
        dropStream()
        switch action {
        case .answer(let requestIsComplete):
            context.meter.moved(responseBytes: record.note(answer: problem, to: head.method))
            tellEnded(outcome: nil)
            client.answer(problem, to: head, requestIsComplete: requestIsComplete || head.framing == .none)
        case .cutOff:
            record.note(problem)
            tellEnded(outcome: "aborted")
            client.abort(nil)
        case .none: break
        }
    }

    func fail(_ failure: UpstreamFailure) {
        if context.reporter.isRecording, case .notTrusted(let refused) = failure {
            record.sent = SentRequest(refused: refused)
        }
        let problem = failure.problem(authority: "\(route.authority)")
        context.meter.noteFailure(failure, problem, on: route)
        fail(problem)
    }

    func abort(_ reason: UpstreamFailure) {
        guard !isOver else { return }
        conclude()
        dropStream()
        record.error = .connectionTerminated
        tellEnded(outcome: "upstream closed")
        client.abort(reason)
    }

    func finish(reuseUpstream: Bool) {
        guard !isOver else { return }
        conclude()
        releaseStream(reusable: reuseUpstream)
        tellEnded(outcome: nil)
        client.exchangeFinished()
    }

    func finishUnread() {
        guard !isOver else { return }
        conclude()
        dropStream()
        tellEnded(outcome: nil)
        client.exchangeFinishedUnread()
    }
}
