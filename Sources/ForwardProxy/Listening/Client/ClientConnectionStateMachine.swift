import NIOCore

/// The life of a client's connection that speaks HTTP/1.1, as a plain value.
///
/// 1. *Serving*: requests are decoded one at a time. The first head is awaited from the beginning, and any other one from
///    its first byte on. A CONNECT request may have a TLS handshake come before the next head.
/// 2. ``requestWaits(for:)``: a request is put off, and what comes behind it waits. ``resumed()``, ``tunnelConnected()``
///    and ``tunnelFailed()`` go on with it, and ``ended()`` tells what is awaited in vain.
/// 3. ``exchangeBegan()``: nothing behind the request is decoded before ``responseEnded(closes:)``.
/// 4. *Closing*: the last answer is on its way out. ``outputTaken()`` then has the connection linger until the client
///    ends it too, or the time is over: see ``OrderlyClose``.
/// 5. The client may send nothing more from some moment on: ``inputClosed(bufferedBytes:)``. It still gets the answers
///    to what it sent in full; when there is nothing more to decode, ``decoded(bufferedBytes:hasTLS:wantsBody:isSent:)``
///    ends the connection.
///
/// The bytes, the exchange and the timer are held by ``ClientHandler``. The timer runs for ``timeLimit``, anew after each
/// action that says so.
struct ClientConnectionStateMachine {
    private enum State: Equatable {
        case serving(Serving)
        /// A request is put off.
        case waiting(Wait)
        /// The last answer is on its way out, or is out. What still comes is dropped.
        case closing(OrderlyClose)
        case closed
    }

    /// The part of a request that is awaited, or in flight.
    private enum Serving: Equatable {
        /// TLS begins: the head comes after that.
        case handshake
        /// The first head, or the rest of one that has begun.
        case head
        /// A head is whole, and it is being decided what becomes of its request.
        case request(loginHasWaited: Bool = false)
        /// The first byte of a head, or that what was written before is taken.
        case nextRequest
        /// An exchange is in flight, and something of it has to move.
        case transfer
        /// An exchange is in flight: its request is out, and the head of its response awaited.
        case response

        var isExchange: Bool { self == .transfer || self == .response }
    }

    /// The step that a request waits for before it is handled. Holds what is under way for it, which is cancelled when
    /// the client leaves: by ``giveUp()``, which the handler calls, so that the machine itself does no I/O.
    enum Wait: Equatable {
        /// The turn of its log-in to be checked.
        case turn(Scheduled<Void>)
        /// A place for its connection. The log-in may have waited before that.
        case place(loginHasWaited: Bool)
        /// The other end of a tunnel.
        case tunnel(ClientDial)

        /// Cancels what is under way for a client that has left.
        func giveUp() {
            switch self {
            case .turn(let turn): turn.cancel()
            // A place that is found goes with the connection.
            case .place: break
            case .tunnel(let dial): dial.giveUp()
            }
        }

        static func == (left: Wait, right: Wait) -> Bool {
            switch (left, right) {
            case (.turn(let left), .turn(let right)): left.futureResult == right.futureResult
            case (.place(let left), .place(let right)): left == right
            case (.tunnel(let left), .tunnel(let right)): left === right
            case (.turn, _), (.place, _), (.tunnel, _): false
            }
        }
    }

    /// The time between requests, of which nothing more has come.
    enum Rest: Equatable {
        /// Requests have been answered.
        case kept
        /// The first request is awaited.
        case silent
    }

    /// The setting that limits the time of a state.
    enum TimeLimit: Equatable {
        case none
        case handshake
        case requestHeader
        case idle
        /// The limit that is given with each response that is awaited.
        case response
        case linger
    }

    private enum Input {
        case open
        case ended
        /// TLS ended with the connection, without the client's close_notify.
        case endedWithoutCloseNotify
        /// Input has been dropped, so that nothing behind it may be read.
        case cut
    }

    private var state: State = .serving(.head)
    private var input: Input = .open
    /// Indicates whether the client takes more of what is written. Asked several times for each request, and a channel
    /// takes long to answer.
    private(set) var isWritable: Bool
    private var decoding = ReentrancyGuard()
    private var waitingRead = HeldRead()

    init(isWritable: Bool = true) {
        self.isWritable = isWritable
    }

    var isServing: Bool {
        if case .serving = state { true } else { false }
    }

    var isClosed: Bool { state == .closed }

    /// Indicates whether the last answer is on its way out.
    var isFlushing: Bool {
        if case .closing(let close) = state { !close.outputHasEnded } else { false }
    }

    /// Indicates whether requests are served, and none of them is in flight.
    var isBetweenRequests: Bool {
        switch state {
        case .serving(.request): false
        case .serving(let part): !part.isExchange
        case .waiting, .closing, .closed: false
        }
    }

    /// Indicates whether a request waits for the turn of its log-in; for tests.
    var awaitsTurn: Bool {
        if case .waiting(.turn) = state { true } else { false }
    }

    /// Indicates whether a head is awaited that is due, or the handshake before it.
    var isHeadAwaited: Bool { state == .serving(.head) || state == .serving(.handshake) }

    var inputHasEnded: Bool { input != .open }

    var isDecoding: Bool { decoding.isEntered }

    /// Indicates whether the log-in of the request that is being decided upon had to wait for its turn.
    var loginHasWaited: Bool {
        if case .serving(.request(let loginHasWaited)) = state { loginHasWaited } else { false }
    }

    var timeLimit: TimeLimit {
        switch state {
        case .serving(.handshake): .handshake
        case .serving(.head): .requestHeader
        case .serving(.nextRequest), .serving(.transfer): .idle
        case .serving(.response): .response
        case .closing(let close): close.outputHasEnded ? .linger : .idle
        case .serving(.request), .waiting, .closed: .none
        }
    }

    // MARK: Input

    enum ReceivedAction: Equatable {
        case decode
        case drop
    }

    func received() -> ReceivedAction {
        switch state {
        case .serving, .waiting: input == .cut ? .drop : .decode
        case .closing, .closed: .drop
        }
    }

    /// Indicates whether the channel waits for being read.
    var readIsHeld: Bool { waitingRead.isHeld }

    /// The channel asks to be read. A read that is held is asked for again by ``heldRead(bufferedBytes:wantsBody:)``.
    ///
    /// - Parameters:
    ///   - bufferedBytes: Those that have come and are not decoded.
    ///   - wantsBody: Whether the exchange in flight, if there is any, takes more of its request.
    mutating func read(bufferedBytes: Int, wantsBody: @autoclosure () -> Bool) -> HeldRead.Action {
        waitingRead.requested(hasRoom: !isReadAheadFull(bufferedBytes, wantsBody))
    }

    /// Returns what to do of a read that was held.
    mutating func heldRead(bufferedBytes: Int, wantsBody: @autoclosure () -> Bool) -> HeldRead.Action {
        guard readIsHeld, !isReadAheadFull(bufferedBytes, wantsBody) else { return .hold }
        return waitingRead.released()
    }

    /// Returns whether something has come that waits for its turn: what one read has brought is all that is held of it.
    /// While a head or a body is decoded, the decoder itself bounds what it takes.
    private func isReadAheadFull(_ bufferedBytes: Int, _ wantsBody: () -> Bool) -> Bool {
        guard bufferedBytes > 0 else { return false }
        switch state {
        case .waiting: return true
        case .serving(let part): return part.isExchange ? !wantsBody() : !isWritable
        case .closing, .closed: return false
        }
    }

    /// TLS has found the connection at its end without the client's close_notify. That it is at its end is told
    /// separately.
    mutating func closeNotifyWasMissing() {
        if input == .open { input = .endedWithoutCloseNotify }
    }

    enum InputClosedAction: Equatable {
        case none
        /// Decode what there is.
        case decode
        /// Close, without another word of TLS, as soon as everything is sent.
        case closeWhenSent
        case close
    }

    /// The client sends nothing more. It still gets the answer to what it sent in full.
    mutating func inputClosed(bufferedBytes: Int) -> InputClosedAction {
        switch input {
        case .open: input = .ended
        case .endedWithoutCloseNotify: break
        case .ended, .cut: return .none
        }
        switch state {
        case .serving: return .decode
        case .closing(let close): return close.inputClosed() == .close ? .closeWhenSent : .none
        // What it sent is for the tunnel, and there may be an answer to it. One that has sent nothing has left: what is
        // under way for it would have it wait for the end of a time limit.
        case .waiting(.tunnel): return bufferedBytes == 0 ? .close : .none
        case .waiting, .closed: return .none
        }
    }

    /// Notes that the bytes behind the request in flight, whose response is the last, have been dropped.
    mutating func inputWasCut() {
        input = .cut
    }

    // MARK: Decoding

    enum DecodingBeganAction: Equatable {
        case decode
        /// Decoding is under way: whoever does it goes on with what has come meanwhile.
        case none
    }

    mutating func decodingBegan() -> DecodingBeganAction {
        decoding.enter() ? .decode : .none
    }

    mutating func decodingEnded() {
        decoding.leave()
    }

    enum DecodeAction: Equatable {
        case nothing
        case head
        /// The part of its request that the exchange in flight takes.
        case body
    }

    /// Returns the part of a request to decode next. A client that does not take its answers gets no more of them.
    func next() -> DecodeAction {
        guard case .serving(let part) = state else { return .nothing }
        if part.isExchange { return .body }
        return isWritable ? .head : .nothing
    }

    enum DecodedAction: Equatable {
        case none
        /// A head has begun.
        case startTimer
        /// The client is gone, and is owed nothing.
        case closePastTLS
        case finish
        /// The request in flight will never be whole: the connection is over.
        case leave
    }

    /// All that there is has been decoded as far as it goes.
    ///
    /// - Parameters:
    ///   - hasTLS: Whether the client expects a close_notify.
    ///   - wantsBody: As for ``read(bufferedBytes:wantsBody:)``.
    ///   - isSent: Whether the system has taken everything that was written. Only looked at where the input has ended.
    mutating func decoded(
        bufferedBytes: Int,
        hasTLS: Bool,
        wantsBody: @autoclosure () -> Bool,
        isSent: Bool
    ) -> DecodedAction {
        guard case .serving(let part) = state else { return .none }
        // An exchange that wants more of its request will never have it; any other one still brings an answer.
        if part.isExchange { return inputHasEnded && wantsBody() ? .leave : .none }
        // There may be whole requests that wait until the client has taken the answers to those before.
        guard isWritable || bufferedBytes == 0 else { return .none }
        if inputHasEnded {
            // Between requests nothing is owed to a client that is gone, and nothing would be read by it.
            let owesNothing = !hasTLS || input == .endedWithoutCloseNotify
            if owesNothing, isSent { return .closePastTLS }
            state = .closing(OrderlyClose())
            return .finish
        }
        guard part == .nextRequest, bufferedBytes > 0 else { return .none }
        // Between requests the first byte of a head starts the time for the whole head.
        state = .serving(.head)
        return .startTimer
    }

    // MARK: Requests

    mutating func headDecoded() {
        state = .serving(.request())
    }

    mutating func requestWaits(for wait: Wait) {
        state = .waiting(wait)
    }

    enum ResumedAction: Equatable {
        /// Handle the request as from within the decoding, which is to be ended: what comes next takes its own turn.
        case handleRequest
        /// The request is not waited for any more.
        case none
    }

    /// The wait for a log-in's turn, or for a place, is over.
    mutating func resumed() -> ResumedAction {
        switch state {
        case .waiting(.turn): state = .serving(.request(loginHasWaited: true))
        case .waiting(.place(let loginHasWaited)): state = .serving(.request(loginHasWaited: loginHasWaited))
        case .waiting(.tunnel), .serving, .closing, .closed: return .none
        }
        _ = decoding.enter()
        return .handleRequest
    }

    mutating func handshakeBegan() {
        state = .serving(.handshake)
    }

    enum HandshakeCompletedAction: Equatable {
        /// Start the timer, unless the client is served by another handler.
        case serve
        /// The connection is being ended.
        case none
    }

    mutating func handshakeCompleted() -> HandshakeCompletedAction {
        guard state == .serving(.handshake) else { return .none }
        state = .serving(.head)
        return .serve
    }

    enum TunnelConnectedAction: Equatable {
        /// Hand the connection over.
        case openTunnel
        /// The tunnel is not wanted any more.
        case closeTunnel
    }

    func tunnelConnected() -> TunnelConnectedAction { awaitsTunnel ? .openTunnel : .closeTunnel }

    enum TunnelFailedAction: Equatable {
        case refuse
        /// The answer is not waited for any more.
        case none
    }

    mutating func tunnelFailed() -> TunnelFailedAction {
        guard awaitsTunnel else { return .none }
        state = .serving(.request())
        return .refuse
    }

    private var awaitsTunnel: Bool {
        if case .waiting(.tunnel) = state { true } else { false }
    }

    // MARK: Exchange

    mutating func exchangeBegan() {
        state = .serving(.transfer)
    }

    enum ExchangeAwaitsAction: Equatable {
        case startTimer
        /// No exchange is in flight.
        case none
    }

    /// Waits for the exchange to move.
    mutating func transferAwaited() -> ExchangeAwaitsAction { exchangeAwaits(.transfer) }

    /// The head of the exchange's response is to come.
    mutating func responseAwaited() -> ExchangeAwaitsAction { exchangeAwaits(.response) }

    private mutating func exchangeAwaits(_ part: Serving) -> ExchangeAwaitsAction {
        guard case .serving(let present) = state, present.isExchange else { return .none }
        state = .serving(part)
        return .startTimer
    }

    enum ResponseEndedAction: Equatable {
        case none
        case decodeNext
        case finish
    }

    /// The answer to a request is written, by an exchange or without one.
    ///
    /// - Parameter closes: Whether it is the last one.
    mutating func responseEnded(closes: Bool) -> ResponseEndedAction {
        guard isServing else { return .none }
        state = closes ? .closing(OrderlyClose()) : .serving(.nextRequest)
        return closes ? .finish : .decodeNext
    }

    enum ProtocolsSwitchedAction: Equatable {
        case openTunnel
        case close
        case cancel
    }

    /// The request in flight turns the connection into a tunnel.
    func protocolsSwitched() -> ProtocolsSwitchedAction {
        guard isServing else { return .cancel }
        // What is missing would be missing in the middle.
        return input == .cut ? .close : .openTunnel
    }

    // MARK: Output

    /// Notes that the client has to take some of the writes that wait before there are more.
    mutating func writesAreFull() {
        isWritable = false
    }

    enum WritabilityAction: Equatable {
        case none
        case startTimer
        case decode
        case resumeExchange
    }

    mutating func writabilityChanged(to isWritable: Bool) -> WritabilityAction {
        self.isWritable = isWritable
        guard isWritable else {
            guard state == .serving(.head) else { return .none }
            // The rest of the head is not looked at before the client takes what was written for it.
            state = .serving(.nextRequest)
            return .startTimer
        }
        if case .serving(let part) = state, part.isExchange { return .resumeExchange }
        return .decode
    }

    // MARK: Ends

    /// Returns whether nothing has come that is to be answered.
    func isAtRest(bufferedBytes: Int) -> Bool { isBetweenRequests && bufferedBytes == 0 }

    /// Returns the rest that the connection is at; nil: at none, or a handshake is awaited.
    func rest(bufferedBytes: Int) -> Rest? {
        guard bufferedBytes == 0 else { return nil }
        return switch state {
        case .serving(.nextRequest): .kept
        case .serving(.head): .silent
        case .serving, .waiting, .closing, .closed: nil
        }
    }

    /// Indicates whether a connection that nobody is named for may be ended for another one.
    var mayGiveUpPlace: Bool {
        switch state {
        // One that waits for its turn ends without an answer: nothing is told of its guess, which counts all the same.
        case .serving, .waiting(.turn), .waiting(.place), .closing: true
        case .waiting(.tunnel), .closed: false
        }
    }

    /// Returns whether nothing is owed to a client that nobody has named, or that was one too many: not yet, or not any
    /// more. Nil when the connection is over, and need not be asked again.
    ///
    /// - Parameter isSent: Whether the system has taken everything that was written.
    func mayEndUnnamed(hasExchange: Bool, isSent: @autoclosure () -> Bool) -> Bool? {
        switch state {
        case .serving: !hasExchange && isSent()
        case .closing(let close): close.outputHasEnded
        case .waiting: false
        case .closed: nil
        }
    }

    enum DrainingBeganAction: Equatable {
        /// Close as by ``closing(isSent:)``.
        case close
        /// The first request may be on its way, or a part of one or of the handshake before it has come: that is awaited,
        /// and no longer than it takes.
        case awaitHead
        /// Requests are in flight, or wait for the client to take answers: they are answered, with the last words.
        case none
    }

    /// The proxy is stopping.
    func drainingBegan(bufferedBytes: Int) -> DrainingBeganAction {
        switch state {
        case .serving(.head), .serving(.handshake): .awaitHead
        case .serving(.nextRequest) where isWritable || bufferedBytes == 0: .close
        case .serving, .waiting, .closing, .closed: .none
        }
    }

    enum ClosingAction: Equatable {
        case none
        case close
        case finish
    }

    /// A connection without a request in flight is to end in order.
    mutating func closing(isSent: Bool) -> ClosingAction {
        if isSent { return .close }
        guard isServing else { return .none }
        state = .closing(OrderlyClose())
        return .finish
    }

    /// The system has taken the last answer.
    mutating func outputTaken() -> OrderlyClose.OutputTakenAction {
        guard case .closing(var close) = state else { return .none }
        defer { state = .closing(close) }
        return close.outputTaken(inputHasEnded: inputHasEnded)
    }

    /// Another handler takes the place of this one's.
    mutating func handedOver() {
        state = .closed
    }

    enum EndedAction: Equatable {
        /// Let go of whatever is held for the connection, and give up what its request waits for.
        case letGo(awaited: Wait?)
        /// That has been done.
        case none
    }

    /// The connection is over.
    mutating func ended() -> EndedAction {
        guard !isClosed else { return .none }
        var awaited: Wait?
        if case .waiting(let wait) = state { awaited = wait }
        state = .closed
        return .letGo(awaited: awaited)
    }

    // MARK: Time

    enum TimeIsOverAction: Equatable {
        case none
        /// Wait as long again: the client takes what is written.
        case wait
        case close
        /// A part of a head has come.
        case refuseHead
        case exchangeStalled
        case responseTimedOut
    }

    /// - Parameters:
    ///   - bufferedBytes: As for ``read(bufferedBytes:wantsBody:)``.
    ///   - hasTaken: Whether the client has taken some of what is written since the time was asked for.
    func timeIsOver(bufferedBytes: Int, hasTaken: Bool) -> TimeIsOverAction {
        switch state {
        case .serving(.head): bufferedBytes > 0 ? .refuseHead : .close
        case .serving(.nextRequest): hasTaken ? .wait : .close
        case .closing(let close): close.timeIsOver(hasTaken: hasTaken) == .wait ? .wait : .close
        case .serving(.transfer): hasTaken ? .wait : .exchangeStalled
        case .serving(.response): .responseTimedOut
        case .serving(.handshake): .close
        case .serving(.request), .waiting, .closed: .none
        }
    }
}
