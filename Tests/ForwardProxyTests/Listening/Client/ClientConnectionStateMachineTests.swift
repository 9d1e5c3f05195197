import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("The life of a client's connection")
struct ClientConnectionStateMachineTests {
    private typealias Machine = ClientConnectionStateMachine

    /// The wait for a turn that never comes.
    private let turn: Machine.Wait

    init() {
        let promise = EmbeddedEventLoop().makePromise(of: Void.self)
        promise.succeed()
        turn = .turn(Scheduled(promise: promise, cancellationTask: {}))
    }

    /// A connection whose request is in flight.
    private func exchanging() -> Machine {
        var machine = Machine()
        machine.exchangeBegan()
        return machine
    }

    /// A connection of which a request has been answered.
    private func betweenRequests() -> Machine {
        var machine = exchanging()
        _ = machine.responseEnded(closes: false)
        return machine
    }

    /// A connection whose last answer is on its way out.
    private func finishing() -> Machine {
        var machine = exchanging()
        _ = machine.responseEnded(closes: true)
        return machine
    }

    private func decoded(
        _ machine: inout Machine,
        bufferedBytes: Int = 0,
        hasTLS: Bool = false,
        wantsBody: Bool = false,
        isSent: Bool = true
    ) -> Machine.DecodedAction {
        machine.decoded(bufferedBytes: bufferedBytes, hasTLS: hasTLS, wantsBody: wantsBody, isSent: isSent)
    }

    // MARK: Requests

    @Test("A head is awaited from the beginning, and between requests from its first byte on")
    func heads() {
        var machine = Machine()
        #expect(machine.timeLimit == .requestHeader)
        #expect(machine.received() == .decode)
        #expect(machine.next() == .head)
        #expect(decoded(&machine, bufferedBytes: 3) == .none)
        machine.exchangeBegan()
        #expect(machine.timeLimit == .idle)
        #expect(machine.responseEnded(closes: false) == .decodeNext)
        #expect(machine.rest(bufferedBytes: 0) == .kept)
        #expect(machine.timeLimit == .idle)
        #expect(decoded(&machine) == .none)
        #expect(decoded(&machine, bufferedBytes: 1) == .startTimer)
        #expect(machine.timeLimit == .requestHeader)
    }

    @Test("Requests behind one in flight are not decoded, and no more of them is read than has come")
    func pipelined() {
        var machine = exchanging()
        #expect(machine.received() == .decode)
        #expect(machine.next() == .body)
        #expect(decoded(&machine, bufferedBytes: 100) == .none)
        #expect(machine.next() == .body)
        #expect(machine.timeLimit == .idle)
        #expect(machine.read(bufferedBytes: 0, wantsBody: false) == .read)
        #expect(machine.read(bufferedBytes: 100, wantsBody: true) == .read)
        #expect(machine.read(bufferedBytes: 100, wantsBody: false) == .hold)
        #expect(machine.heldRead(bufferedBytes: 100, wantsBody: false) == .hold)
        #expect(machine.responseEnded(closes: false) == .decodeNext)
        #expect(machine.next() == .head)
        machine.exchangeBegan()
        #expect(machine.heldRead(bufferedBytes: 0, wantsBody: false) == .read)
        // It was asked for once.
        #expect(machine.heldRead(bufferedBytes: 0, wantsBody: false) == .hold)
    }

    @Test("What comes while it is decoded is left to whoever does that")
    func decodesOnce() {
        var machine = Machine()
        #expect(machine.decodingBegan() == .decode)
        #expect(machine.decodingBegan() == .none)
        machine.decodingEnded()
        #expect(machine.decodingBegan() == .decode)
    }

    @Test("The time of an exchange is that of its part, and there is none without one")
    func times() {
        var machine = exchanging()
        #expect(machine.responseAwaited() == .startTimer)
        #expect(machine.timeLimit == .response)
        #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: true) == .responseTimedOut)
        #expect(machine.transferAwaited() == .startTimer)
        #expect(machine.timeLimit == .idle)
        #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: true) == .wait)
        #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: false) == .exchangeStalled)
        _ = machine.responseEnded(closes: false)
        #expect(machine.responseAwaited() == .none)
        #expect(machine.transferAwaited() == .none)
        #expect(machine.rest(bufferedBytes: 0) == .kept)
    }

    @Test("When the time for a head is over one that has begun is answered, and nothing at all is not")
    func lateHeads() {
        let machine = Machine()
        #expect(machine.timeIsOver(bufferedBytes: 1, hasTaken: true) == .refuseHead)
        #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: true) == .close)
    }

    @Test("Between requests and at the end a client has time as long as it takes what is written")
    func slowReaders() {
        for machine in [betweenRequests(), finishing()] {
            #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: true) == .wait)
            #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: false) == .close)
        }
    }

    // MARK: Writability

    @Test("A client that does not take its answers gets no more of them")
    func takesNothing() {
        var machine = betweenRequests()
        #expect(machine.writabilityChanged(to: false) == .none)
        #expect(machine.next() == .nothing)
        #expect(machine.read(bufferedBytes: 1, wantsBody: false) == .hold)
        // The time for a head does not begin with what is not looked at.
        #expect(decoded(&machine, bufferedBytes: 1) == .none)
        #expect(machine.timeLimit == .idle)
        #expect(machine.writabilityChanged(to: true) == .decode)
        #expect(machine.next() == .head)
        #expect(machine.heldRead(bufferedBytes: 0, wantsBody: false) == .read)
    }

    @Test("The time for a head ends where the client has to take something first")
    func headBehindAnswers() {
        var machine = betweenRequests()
        _ = decoded(&machine, bufferedBytes: 1)
        #expect(machine.timeLimit == .requestHeader)
        #expect(machine.writabilityChanged(to: false) == .startTimer)
        #expect(machine.timeLimit == .idle)
    }

    @Test("An exchange goes on when its client takes more, and is not ended by one that does not")
    func exchangeIsHeldUp() {
        var machine = exchanging()
        machine.writesAreFull()
        #expect(!machine.isWritable)
        #expect(machine.writabilityChanged(to: false) == .none)
        #expect(machine.next() == .body)
        #expect(machine.writabilityChanged(to: true) == .resumeExchange)
    }

    // MARK: End of the input

    @Test("A client that leaves between requests is owed nothing", arguments: [true, false])
    func leavesBetweenRequests(isSent: Bool) {
        var machine = betweenRequests()
        #expect(machine.inputClosed(bufferedBytes: 0) == .decode)
        #expect(decoded(&machine, isSent: isSent) == (isSent ? .closePastTLS : .finish))
    }

    @Test("Over TLS it is owed a close_notify, unless it sent none itself", arguments: [true, false])
    func leavesTLS(announcesEnd: Bool) {
        var machine = betweenRequests()
        if !announcesEnd { machine.closeNotifyWasMissing() }
        #expect(machine.inputClosed(bufferedBytes: 0) == .decode)
        #expect(decoded(&machine, hasTLS: true) == (announcesEnd ? .finish : .closePastTLS))
    }

    @Test("A close_notify that is missing after the end of the input changes nothing")
    func missesLater() {
        var machine = betweenRequests()
        #expect(machine.inputClosed(bufferedBytes: 0) == .decode)
        machine.closeNotifyWasMissing()
        #expect(machine.inputClosed(bufferedBytes: 0) == .none)
        #expect(decoded(&machine, hasTLS: true) == .finish)
    }

    @Test("A client that leaves in the middle of a head gets no answer")
    func leavesMidHead() {
        var machine = betweenRequests()
        _ = decoded(&machine, bufferedBytes: 10)
        #expect(machine.inputClosed(bufferedBytes: 10) == .decode)
        #expect(decoded(&machine, bufferedBytes: 10) == .closePastTLS)
    }

    @Test("One that leaves behind whole requests gets their answers first")
    func leavesBehindRequests() {
        var machine = betweenRequests()
        _ = machine.writabilityChanged(to: false)
        #expect(machine.inputClosed(bufferedBytes: 100) == .decode)
        #expect(decoded(&machine, bufferedBytes: 100) == .none)
        #expect(machine.writabilityChanged(to: true) == .decode)
        machine.exchangeBegan()
        #expect(decoded(&machine) == .none)
        #expect(machine.responseEnded(closes: false) == .decodeNext)
        #expect(decoded(&machine, isSent: false) == .finish)
        #expect(machine.outputTaken() == .close)
    }

    @Test("One that leaves in the middle of a body has the request end, and otherwise gets its answer")
    func leavesMidBody() {
        var machine = exchanging()
        #expect(machine.inputClosed(bufferedBytes: 0) == .decode)
        // The body that is not wanted yet, or not any more.
        #expect(decoded(&machine, wantsBody: false) == .none)
        #expect(decoded(&machine, wantsBody: true) == .leave)
        #expect(machine.ended() == .letGo(awaited: nil))
        #expect(machine.ended() == .none)
    }

    @Test("Behind what was dropped nothing is read, and no tunnel is opened")
    func cut() {
        var machine = exchanging()
        #expect(machine.protocolsSwitched() == .openTunnel)
        machine.inputWasCut()
        #expect(machine.received() == .drop)
        #expect(machine.inputHasEnded)
        #expect(machine.inputClosed(bufferedBytes: 0) == .none)
        #expect(machine.protocolsSwitched() == .close)
        #expect(machine.responseEnded(closes: false) == .decodeNext)
        #expect(decoded(&machine) == .closePastTLS)
    }

    // MARK: Ends

    @Test("After an answer that closes everything is sent, and what still comes is dropped for a while")
    func closes() {
        var machine = exchanging()
        #expect(machine.responseEnded(closes: true) == .finish)
        #expect(machine.timeLimit == .idle)
        #expect(machine.received() == .drop)
        #expect(machine.next() == .nothing)
        #expect(machine.read(bufferedBytes: 1, wantsBody: false) == .read)
        #expect(machine.outputTaken() == .endOutput)
        #expect(machine.timeLimit == .linger)
        #expect(machine.outputTaken() == .none)
        #expect(machine.received() == .drop)
        #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: true) == .close)
    }

    @Test("A client that leaves then is not waited for")
    func leavesAtEnd() {
        var lingering = finishing()
        #expect(lingering.outputTaken() == .endOutput)
        #expect(lingering.inputClosed(bufferedBytes: 0) == .closeWhenSent)
        var finishing = finishing()
        #expect(finishing.inputClosed(bufferedBytes: 0) == .none)
        #expect(finishing.outputTaken() == .close)
    }

    @Test("An answer that is not told of any more has no end")
    func endsOnce() {
        var machine = finishing()
        #expect(machine.responseEnded(closes: true) == .none)
        _ = machine.ended()
        #expect(machine.responseEnded(closes: false) == .none)
        #expect(machine.outputTaken() == .none)
        #expect(machine.protocolsSwitched() == .cancel)
        #expect(machine.timeIsOver(bufferedBytes: 1, hasTaken: true) == .none)
    }

    @Test("A proxy that stops ends connections without a request, and those with one after its answer")
    func drains() {
        var idle = betweenRequests()
        #expect(idle.drainingBegan(bufferedBytes: 0) == .close)
        #expect(idle.closing(isSent: true) == .close)
        #expect(idle.closing(isSent: false) == .finish)
        #expect(idle.isFlushing)
        #expect(idle.drainingBegan(bufferedBytes: 0) == .none)
        #expect(exchanging().drainingBegan(bufferedBytes: 0) == .none)
        // Whole requests that wait for the client to take answers are told.
        var behind = betweenRequests()
        _ = behind.writabilityChanged(to: false)
        #expect(behind.drainingBegan(bufferedBytes: 100) == .none)
        #expect(behind.drainingBegan(bufferedBytes: 0) == .close)
    }

    @Test("A proxy that stops awaits the first request of a connection, a handshake before it, and the rest of any")
    func drainsWithHeadAwaited() {
        var handshaking = Machine()
        handshaking.handshakeBegan()
        #expect(handshaking.drainingBegan(bufferedBytes: 0) == .awaitHead)
        let fresh = Machine()
        for bytes in [0, 10] { #expect(fresh.drainingBegan(bufferedBytes: bytes) == .awaitHead) }
    }

    @Test("Only a connection on which nothing has come is at rest")
    func rest() {
        #expect(Machine().isAtRest(bufferedBytes: 0))
        #expect(betweenRequests().isAtRest(bufferedBytes: 0))
        #expect(!betweenRequests().isAtRest(bufferedBytes: 1))
        #expect(!exchanging().isAtRest(bufferedBytes: 0))
        #expect(!finishing().isAtRest(bufferedBytes: 0))
    }

    @Test("A connection is silent before its first request, and kept behind one, while nothing of another has come")
    func rests() {
        var machine = Machine()
        machine.handshakeBegan()
        #expect(machine.rest(bufferedBytes: 0) == nil)
        _ = machine.handshakeCompleted()
        #expect(machine.rest(bufferedBytes: 0) == .silent)
        #expect(machine.rest(bufferedBytes: 1) == nil)
        machine.headDecoded()
        #expect(machine.rest(bufferedBytes: 0) == nil)
        machine.exchangeBegan()
        #expect(machine.rest(bufferedBytes: 0) == nil)
        _ = machine.responseEnded(closes: false)
        #expect(machine.rest(bufferedBytes: 0) == .kept)
        #expect(machine.rest(bufferedBytes: 1) == nil)
        #expect(finishing().rest(bufferedBytes: 0) == nil)
    }

    @Test("A head is due from the beginning, or from its first byte on, and the handshake before it")
    func headIsAwaited() {
        var machine = Machine()
        #expect(machine.isHeadAwaited)
        machine.handshakeBegan()
        #expect(machine.isHeadAwaited)
        _ = machine.handshakeCompleted()
        #expect(machine.isHeadAwaited)
        machine.headDecoded()
        #expect(!machine.isHeadAwaited)
        machine.exchangeBegan()
        #expect(!machine.isHeadAwaited)
        _ = machine.responseEnded(closes: false)
        #expect(!machine.isHeadAwaited)
        _ = decoded(&machine, bufferedBytes: 1)
        #expect(machine.isHeadAwaited)
    }

    @Test("A connection without a name gives up its place, unless a tunnel is connected for it")
    func givesUpPlace() {
        for wait in [turn, .place(loginHasWaited: false), .tunnel(ClientDial())] {
            var machine = Machine()
            #expect(machine.mayGiveUpPlace)
            machine.requestWaits(for: wait)
            let isForTunnel = machine.tunnelConnected() == .openTunnel
            #expect(machine.mayGiveUpPlace == !isForTunnel)
            _ = machine.ended()
            #expect(!machine.mayGiveUpPlace)
        }
        #expect(finishing().mayGiveUpPlace)
    }

    @Test("A connection without a name may end before anything is owed to it, and when that is out")
    func endsUnnamed() {
        var machine = Machine()
        #expect(machine.mayEndUnnamed(hasExchange: false, isSent: true) == true)
        #expect(machine.mayEndUnnamed(hasExchange: false, isSent: false) == false)
        #expect(machine.mayEndUnnamed(hasExchange: true, isSent: true) == false)
        machine.requestWaits(for: turn)
        #expect(machine.mayEndUnnamed(hasExchange: false, isSent: true) == false)
        _ = machine.resumed()
        _ = machine.responseEnded(closes: true)
        #expect(machine.mayEndUnnamed(hasExchange: false, isSent: true) == false)
        _ = machine.outputTaken()
        #expect(machine.mayEndUnnamed(hasExchange: false, isSent: true) == true)
        _ = machine.ended()
        #expect(machine.mayEndUnnamed(hasExchange: false, isSent: true) == nil)
    }

    // MARK: Requests that wait

    @Test("A log-in that waits holds what comes behind it, and is then handled as one that is decoded")
    func loginWaits() {
        var machine = Machine()
        _ = machine.decodingBegan()
        machine.requestWaits(for: turn)
        #expect(machine.awaitsTurn)
        machine.decodingEnded()
        #expect(machine.timeLimit == .none)
        #expect(machine.received() == .decode)
        #expect(machine.next() == .nothing)
        #expect(decoded(&machine, bufferedBytes: 10) == .none)
        #expect(machine.read(bufferedBytes: 10, wantsBody: false) == .hold)
        // The client is not heard of before its turn.
        #expect(machine.inputClosed(bufferedBytes: 10) == .none)
        #expect(machine.resumed() == .handleRequest)
        #expect(!machine.awaitsTurn)
        #expect(machine.loginHasWaited)
        #expect(machine.decodingBegan() == .none)
        machine.exchangeBegan()
        #expect(!machine.loginHasWaited)
        machine.decodingEnded()
        #expect(machine.resumed() == .none)
    }

    @Test("Whether a log-in has waited is known behind the wait for a place", arguments: [true, false])
    func placeWaits(loginHasWaited: Bool) {
        var machine = Machine()
        machine.requestWaits(for: .place(loginHasWaited: loginHasWaited))
        #expect(machine.timeLimit == .none)
        #expect(machine.received() == .decode)
        #expect(machine.next() == .nothing)
        #expect(machine.resumed() == .handleRequest)
        #expect(machine.loginHasWaited == loginHasWaited)
        #expect(machine.next() == .head)
    }

    @Test("Nobody resumes a request whose client has left, and what it waits for is given up")
    func leavesWhileWaiting() {
        for wait in [turn, .place(loginHasWaited: false), .tunnel(ClientDial())] {
            var machine = Machine()
            machine.requestWaits(for: wait)
            #expect(machine.ended() == .letGo(awaited: wait))
            #expect(machine.resumed() == .none)
            #expect(machine.isClosed)
            #expect(machine.ended() == .none)
        }
    }

    @Test("Only what is awaited still is given up")
    func givesUp() {
        var handled = resumedRequest()
        #expect(handled.ended() == .letGo(awaited: nil))
        var refused = failedTunnel()
        #expect(refused.ended() == .letGo(awaited: nil))
    }

    @Test("To give up a turn cancels it, and to give up a tunnel ends its dial")
    func waitIsGivenUp() {
        let loop = EmbeddedEventLoop()
        let turn = loop.scheduleTask(in: .seconds(1)) {}
        var isCancelled = false
        turn.futureResult.assumeIsolated().whenFailure { _ in isCancelled = true }
        Machine.Wait.turn(turn).giveUp()
        loop.advanceTime(by: .seconds(1))
        #expect(isCancelled)
        let dial = ClientDial()
        Machine.Wait.place(loginHasWaited: true).giveUp()
        #expect(!dial.isGivenUp)
        Machine.Wait.tunnel(dial).giveUp()
        #expect(dial.isGivenUp)
    }

    @Test("While it is decided what becomes of a request nobody takes the connection for idle")
    func decides() {
        var machine = betweenRequests()
        #expect(machine.isAtRest(bufferedBytes: 0))
        machine.headDecoded()
        #expect(!machine.isAtRest(bufferedBytes: 0))
        #expect(machine.drainingBegan(bufferedBytes: 0) == .none)
        #expect(machine.timeLimit == .none)
        #expect(machine.responseEnded(closes: false) == .decodeNext)
        #expect(machine.isAtRest(bufferedBytes: 0))
        for resume in [resumedRequest, failedTunnel] { #expect(!resume().isAtRest(bufferedBytes: 0)) }
    }

    private func resumedRequest() -> Machine {
        var machine = Machine()
        machine.requestWaits(for: turn)
        _ = machine.resumed()
        return machine
    }

    private func failedTunnel() -> Machine {
        var machine = Machine()
        machine.requestWaits(for: .tunnel(ClientDial()))
        _ = machine.tunnelFailed()
        return machine
    }

    // MARK: CONNECT

    @Test("A tunnel is opened for a client that is there")
    func tunnel() {
        var machine = Machine()
        machine.requestWaits(for: .tunnel(ClientDial()))
        #expect(machine.timeLimit == .none)
        #expect(machine.received() == .decode)
        #expect(machine.next() == .nothing)
        #expect(machine.read(bufferedBytes: 1, wantsBody: false) == .hold)
        #expect(machine.tunnelConnected() == .openTunnel)
        machine.handedOver()
        #expect(machine.readIsHeld)
        #expect(machine.ended() == .none)
    }

    @Test("A client that leaves while its tunnel is connected is given up, unless it has sent something through it")
    func leavesWhileConnecting() {
        var machine = Machine()
        machine.requestWaits(for: .tunnel(ClientDial()))
        #expect(machine.inputClosed(bufferedBytes: 10) == .none)
        #expect(machine.tunnelConnected() == .openTunnel)
        machine = Machine()
        let dial = ClientDial()
        machine.requestWaits(for: .tunnel(dial))
        #expect(machine.resumed() == .none)
        #expect(machine.inputClosed(bufferedBytes: 0) == .close)
        #expect(machine.ended() == .letGo(awaited: .tunnel(dial)))
        #expect(machine.tunnelConnected() == .closeTunnel)
        #expect(machine.tunnelFailed() == .none)
    }

    @Test("A tunnel that cannot be opened is answered")
    func tunnelFails() {
        var machine = Machine()
        machine.requestWaits(for: .tunnel(ClientDial()))
        #expect(machine.tunnelFailed() == .refuse)
        #expect(machine.tunnelConnected() == .closeTunnel)
        #expect(machine.responseEnded(closes: true) == .finish)
    }

    @Test("A handshake has its own time, and the head behind it the time for a head")
    func handshake() {
        var machine = Machine()
        machine.handshakeBegan()
        #expect(machine.timeLimit == .handshake)
        #expect(machine.timeIsOver(bufferedBytes: 0, hasTaken: true) == .close)
        #expect(machine.handshakeCompleted() == .serve)
        #expect(machine.handshakeCompleted() == .none)
        #expect(machine.timeLimit == .requestHeader)
    }
}
