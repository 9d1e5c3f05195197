import Testing

@testable import ForwardProxy

@Suite("The course of an exchange")
struct ExchangeStateMachineTests {
    private func machine(idempotent: Bool = true) -> ExchangeStateMachine {
        ExchangeStateMachine(isIdempotent: idempotent)
    }

    /// A request that is out whole, on a connection that was new or not.
    private func sent(reused: Bool, idempotent: Bool = true) -> ExchangeStateMachine {
        var machine = machine(idempotent: idempotent)
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: reused)
        _ = machine.requestEnded()
        return machine
    }

    @Test("A streamed request waits for its connection, goes through, and ends with its response")
    func streams() {
        var machine = machine()
        #expect(machine.start(body: .stream, expectsContinue: true) == .prepare)
        #expect(!machine.wantsRequestBody)
        #expect(machine.upstreamReady(reused: false) == false)
        #expect(machine.wantsRequestBody)
        #expect(machine.requestBody(bytes: 5) == .forward)
        #expect(!machine.isAwaitingResponseHead)
        #expect(machine.requestEnded() == .forward)
        #expect(!machine.wantsRequestBody)
        #expect(machine.isAwaitingResponseHead)
        #expect(machine.responseHead(status: 200, isInformational: false, isAuthorized: true) == .forward)
        #expect(machine.finalResponseHasBegun)
        #expect(!machine.isAwaitingResponseHead)
        #expect(machine.responseEnded(upstreamReusable: true) == .finish(reuseUpstream: true))
    }

    @Test("A collected body is complete before a connection is looked for", arguments: [true, false])
    func collects(expectsContinue: Bool) {
        var machine = machine()
        let start = machine.start(body: .collect(limit: 10), expectsContinue: expectsContinue)
        #expect(start == .collect(sendContinue: expectsContinue))
        #expect(machine.wantsRequestBody)
        #expect(machine.requestBody(bytes: 4) == .keep)
        #expect(machine.requestBody(bytes: 6) == .keep)
        #expect(machine.requestEnded() == .prepare)
        #expect(!machine.wantsRequestBody)
        #expect(machine.upstreamReady(reused: false) == true)
        #expect(machine.isAwaitingResponseHead)
    }

    @Test("A body one byte over the limit is refused, and the rest of it discarded")
    func refusesTooLarge() {
        var machine = machine()
        _ = machine.start(body: .collect(limit: 10), expectsContinue: false)
        #expect(machine.requestBody(bytes: 10) == .keep)
        #expect(machine.requestBody(bytes: 1) == .refuseTooLarge(limit: 10))
        #expect(machine.requestBody(bytes: 1) == .discard)
        #expect(!machine.wantsRequestBody)
        #expect(machine.requestEnded() == .none)
        #expect(machine.requestIsComplete)
    }

    @Test("Interim responses are passed on, and the final one is still awaited")
    func passesInterimOn() {
        var machine = sent(reused: false)
        #expect(machine.responseHead(status: 103, isInformational: true, isAuthorized: true) == .forwardInterim)
        #expect(machine.responseHasBegun)
        #expect(!machine.finalResponseHasBegun)
        #expect(machine.isAwaitingResponseHead)
        #expect(machine.responseHead(status: 200, isInformational: false, isAuthorized: true) == .forward)
    }

    @Test(
        "Only what may refuse the signature or token of an authorized request is looked into",
        arguments: [
            (400, true, true), (401, true, true), (403, true, true), (401, false, false), (404, true, false),
            (200, true, false), (500, true, false),
        ]
    )
    func inspects(status: Int, isAuthorized: Bool, inspects: Bool) {
        var machine = sent(reused: false)
        let action = machine.responseHead(status: status, isInformational: false, isAuthorized: isAuthorized)
        #expect(action == (inspects ? .inspect : .forward))
        #expect(machine.responseHasBegun != inspects)
    }

    @Test("A request is repeated with a new token once, and the second refusal goes to the client")
    func repeatsRefusedTokenOnce() {
        var machine = sent(reused: false)
        #expect(machine.responseHead(status: 401, isInformational: false, isAuthorized: true) == .inspect)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: true) == .renew)
        #expect(!machine.isAwaitingResponseHead)
        #expect(machine.upstreamReady(reused: false) == true)
        #expect(machine.responseHead(status: 401, isInformational: false, isAuthorized: true) == .inspect)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: true) == .renewForOthers)
        machine.inspectionEnded()
        #expect(machine.responseEnded(upstreamReusable: false) == .finish(reuseUpstream: false))
    }

    @Test("A refused token does not repeat a request whose body is gone")
    func keepsRefusal() {
        var machine = sent(reused: false)
        #expect(machine.responseHead(status: 401, isInformational: false, isAuthorized: true) == .inspect)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: false) == .renewForOthers)
        machine.inspectionEnded()
        #expect(machine.finalResponseHasBegun)
        #expect(machine.responseEnded(upstreamReusable: true) == .finish(reuseUpstream: true))
    }

    @Test("A refusal that was held back for a token that never came ends like any response")
    func passesRefusalOnAfterAll() {
        var machine = sent(reused: false)
        _ = machine.responseHead(status: 401, isInformational: false, isAuthorized: true)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: true) == .renew)
        machine.inspectionEnded()
        #expect(machine.responseEnded(upstreamReusable: false) == .finish(reuseUpstream: false))
    }

    @Test(
        "A stale connection costs nothing only where repeating is safe",
        arguments: [
            (reused: true, idempotent: true, atHand: true, repeats: true),
            (reused: false, idempotent: true, atHand: true, repeats: false),
            (reused: true, idempotent: false, atHand: true, repeats: false),
            (reused: true, idempotent: true, atHand: false, repeats: false),
        ]
    )
    func repeatsOnNewConnection(reused: Bool, idempotent: Bool, atHand: Bool, repeats: Bool) {
        var machine = sent(reused: reused, idempotent: idempotent)
        let action = machine.upstreamEnded(.connection, bodyAtHand: atHand)
        #expect(action == (repeats ? .repeatOnNewConnection(because: .staleConnection) : .fail))
    }

    @Test("A stale connection is a reason to repeat once, even when the second was reused too")
    func repeatsStaleOnce() {
        var machine = sent(reused: true)
        #expect(
            machine.upstreamEnded(.connection, bodyAtHand: true) == .repeatOnNewConnection(because: .staleConnection)
        )
        #expect(machine.upstreamReady(reused: true) == true)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: true) == .fail)
    }

    @Test("What comes too late for connections that end is repeated several times, whatever the method, and no more")
    func repeatsAfterGoAway() {
        var machine = sent(reused: false, idempotent: false)
        for _ in 0..<ExchangeStateMachine.mostRepeatsAfterGoAway {
            #expect(machine.upstreamEnded(.goneAway, bodyAtHand: true) == .repeatOnNewConnection(because: .goneAway))
            #expect(machine.upstreamReady(reused: false) == true)
        }
        #expect(machine.upstreamEnded(.goneAway, bodyAtHand: true) == .fail)
    }

    @Test(
        "A stream that was not processed is repeated once, whatever the method",
        arguments: [UpstreamEnd.streamRefused, .http1Required]
    )
    func repeatsUnprocessedOnce(end: UpstreamEnd) {
        var machine = sent(reused: false, idempotent: false)
        #expect(machine.upstreamEnded(end, bodyAtHand: true).repeats)
        #expect(machine.upstreamReady(reused: true) == true)
        #expect(machine.upstreamEnded(end, bodyAtHand: true) == .fail)
    }

    @Test(
        "What was not processed is repeated after an interim response, but not after a response's head",
        arguments: [UpstreamEnd.goneAway, .streamRefused, .http1Required]
    )
    func repeatsAfterInterimResponse(end: UpstreamEnd) {
        var machine = sent(reused: true)
        _ = machine.responseHead(status: 103, isInformational: true, isAuthorized: true)
        #expect(machine.upstreamEnded(end, bodyAtHand: true).repeats)
        _ = machine.upstreamReady(reused: false)
        _ = machine.responseHead(status: 200, isInformational: false, isAuthorized: true)
        machine.responseWithdrawn()
        #expect(machine.upstreamEnded(end, bodyAtHand: true) == .fail)
    }

    @Test("A connection that ends after an interim response was not stale")
    func keepsAfterInterimResponse() {
        var machine = sent(reused: true)
        _ = machine.responseHead(status: 103, isInformational: true, isAuthorized: true)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: true) == .fail)
    }

    @Test("A stream that was reset is not repeated, even on a connection that was reused")
    func keepsReset() {
        var machine = sent(reused: true)
        #expect(machine.upstreamEnded(.stream, bodyAtHand: true) == .fail)
    }

    @Test(
        "What the upstream says it has not processed is not repeated without its body",
        arguments: [UpstreamEnd.goneAway, .streamRefused, .http1Required]
    )
    func keepsUnprocessedWithoutBody(end: UpstreamEnd) {
        var machine = sent(reused: true)
        #expect(machine.upstreamEnded(end, bodyAtHand: false) == .fail)
    }

    @Test("Each cause has its own repetition")
    func repeatsForEachCause() {
        var machine = sent(reused: true)
        #expect(
            machine.upstreamEnded(.connection, bodyAtHand: true) == .repeatOnNewConnection(because: .staleConnection)
        )
        _ = machine.upstreamReady(reused: false)
        #expect(machine.responseHead(status: 401, isInformational: false, isAuthorized: true) == .inspect)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: true) == .renew)
        _ = machine.upstreamReady(reused: true)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: true) == .fail)
    }

    @Test("After a repetition in the middle of a body the rest of the body streams on")
    func streamsOnAfterRepetition() {
        var machine = machine()
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: true)
        _ = machine.requestBody(bytes: 3)
        #expect(
            machine.upstreamEnded(.connection, bodyAtHand: true) == .repeatOnNewConnection(because: .staleConnection)
        )
        #expect(!machine.wantsRequestBody)
        #expect(machine.upstreamReady(reused: false) == false)
        #expect(machine.requestBody(bytes: 3) == .forward)
        #expect(machine.requestEnded() == .forward)
    }

    @Test("An upstream that goes away after an interim response is not asked again")
    func failsAfterInterim() {
        var machine = sent(reused: true)
        _ = machine.responseHead(status: 103, isInformational: true, isAuthorized: false)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: true) == .fail)
    }

    @Test("A response that is held back and cut fails; one that the client has begun to get is cut there too")
    func tellsCutResponses() {
        var held = sent(reused: true)
        _ = held.responseHead(status: 401, isInformational: false, isAuthorized: true)
        #expect(held.upstreamEnded(.connection, bodyAtHand: true) == .fail)
        var begun = sent(reused: true)
        _ = begun.responseHead(status: 200, isInformational: false, isAuthorized: false)
        #expect(begun.upstreamEnded(.connection, bodyAtHand: true) == .abort)
    }

    @Test("After an early response the rest of the request goes up, if the upstream keeps the connection")
    func continuesAfterEarlyResponse() {
        var machine = machine()
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: false)
        _ = machine.responseHead(status: 413, isInformational: false, isAuthorized: false)
        #expect(machine.responseEnded(upstreamReusable: true) == .continueRequest)
        #expect(machine.requestBody(bytes: 9) == .forward)
        #expect(machine.requestEnded() == .forwardAndFinish(reuseUpstream: true))
    }

    @Test("After an early response the rest of the request is dropped, if the upstream closes")
    func dropsRestAfterEarlyResponse() {
        var machine = machine()
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: false)
        _ = machine.responseHead(status: 413, isInformational: false, isAuthorized: false)
        #expect(machine.responseEnded(upstreamReusable: false) == .finishUnread)
        #expect(machine.requestBody(bytes: 9) == .discard)
        #expect(!machine.wantsRequestBody)
    }

    @Test("An upstream that announces to go on after an early response and then closes leaves the rest unread")
    func dropsRestWhenUpstreamGoes() {
        var machine = machine()
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: false)
        _ = machine.responseHead(status: 200, isInformational: false, isAuthorized: false)
        _ = machine.responseEnded(upstreamReusable: true)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: false) == .finishUnread)
    }

    @Test("An upstream that goes away after everything is through changes nothing")
    func ignoresLateClose() {
        var machine = sent(reused: true)
        _ = machine.responseHead(status: 200, isInformational: false, isAuthorized: false)
        _ = machine.responseEnded(upstreamReusable: true)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: true) == .none)
    }

    @Test("An interim response goes to who knows them, and 100 (Continue) once")
    func interimResponses() {
        for (takesThem, expects, status, expected) in [
            (true, false, 103, .forwardInterim), (true, false, 100, .forwardInterim), (true, true, 100, .dropInterim),
            (true, true, 103, .forwardInterim), (false, false, 103, .dropInterim),
        ] as [(Bool, Bool, Int, ExchangeStateMachine.ResponseHeadAction)] {
            var machine = ExchangeStateMachine(isIdempotent: true, takesInterimResponses: takesThem)
            _ = machine.start(body: .collect(limit: 9), expectsContinue: expects)
            _ = machine.requestEnded()
            _ = machine.upstreamReady(reused: false)
            #expect(machine.responseHead(status: status, isInformational: true, isAuthorized: true) == expected)
        }
    }

    @Test("It is over when it has ended, whichever way")
    func over() {
        var machine = ExchangeStateMachine(isIdempotent: true)
        #expect(!machine.isOver)
        machine.conclude()
        #expect(machine.isOver)
    }

    @Test("What comes after the end changes nothing")
    func nothingAfterEnd() {
        var machine = machine()
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: true)
        machine.conclude()
        #expect(!machine.wantsRequestBody && !machine.isAwaitingResponseHead && !machine.isCollecting)
        #expect(machine.requestBody(bytes: 1) == .discard)
        #expect(machine.requestEnded() == .none)
        #expect(machine.responseHead(status: 200, isInformational: false, isAuthorized: true) == .dropInterim)
        #expect(machine.responseEnded(upstreamReusable: true) == .finishUnread)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: true) == .renewForOthers)
        #expect(machine.upstreamEnded(.connection, bodyAtHand: true) == .none)
        #expect(machine.failed() == .none)
        #expect(machine.isOver)
    }

    @Test("A failure is answered until the response has begun, and cuts the client off then")
    func failure() {
        var whole = sent(reused: false)
        #expect(whole.failed() == .answer(requestIsComplete: true))
        #expect(whole.isOver)
        #expect(whole.failed() == .none)
        var streaming = machine()
        _ = streaming.start(body: .stream, expectsContinue: false)
        _ = streaming.upstreamReady(reused: false)
        _ = streaming.responseHead(status: 103, isInformational: true, isAuthorized: true)
        #expect(streaming.failed() == .answer(requestIsComplete: false))
        var begun = sent(reused: false)
        _ = begun.responseHead(status: 200, isInformational: false, isAuthorized: true)
        #expect(begun.failed() == .cutOff)
    }

    @Test("The time for the response begins when the request has been taken")
    func heldUp() {
        var machine = sent(reused: false)
        #expect(machine.requestWritten(isHeldUp: true) == .progress)
        #expect(machine.upstreamTakes(isHeldUp: true) == .none)
        #expect(machine.upstreamTakes(isHeldUp: false) == .awaitResponse)
        #expect(machine.upstreamTakes(isHeldUp: false) == .none)
        #expect(machine.upstreamTakes(isHeldUp: true) == .progress)
        #expect(machine.isAwaitingResponseHead)
    }

    @Test("An interim response begins the time anew, and the final one ends it")
    func announced() {
        var machine = sent(reused: false)
        #expect(machine.requestWritten(isHeldUp: false) == .awaitResponse)
        #expect(machine.responseAnnounced(isHeldUp: true) == .awaitAnnouncedResponse)
        #expect(machine.responseHead(status: 102, isInformational: true, isAuthorized: true) == .forwardInterim)
        #expect(machine.upstreamTakes(isHeldUp: false) == .awaitResponse)
        #expect(machine.responseHead(status: 200, isInformational: false, isAuthorized: true) == .forward)
        #expect(machine.upstreamTakes(isHeldUp: true) == .none)
        #expect(machine.requestWritten(isHeldUp: false) == .progress)
        #expect(machine.responseAnnounced(isHeldUp: false) == .progress)
    }

    @Test("No response is awaited while the request is on its way")
    func streaming() {
        var machine = machine()
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: false)
        #expect(machine.upstreamTakes(isHeldUp: true) == .none)
        #expect(machine.responseAnnounced(isHeldUp: true) == .progress)
        #expect(machine.requestEnded() == .forward)
        #expect(machine.requestWritten(isHeldUp: false) == .awaitResponse)
    }
}

extension ExchangeStateMachine.UpstreamEndAction {
    fileprivate var repeats: Bool {
        if case .repeatOnNewConnection = self { true } else { false }
    }
}
