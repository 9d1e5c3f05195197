import HTTP1Codec
import NIOCore
import NIOSSL
import NIOTLS
import Routing
import Settings

/// The last handler of a client's channel: decodes requests one at a time and sees each through.
///
/// 1. A request head is decoded, and routing decides upon it.
/// 2. CONNECT to an API host puts TLS in front of this handler, which then decodes what comes through it;
///    CONNECT to another host turns both channels into a blind tunnel.
/// 3. Every other request is handed to an ``Exchange``. The next head is not decoded before it is over.
///
/// Only carries out what ``ClientConnectionStateMachine`` says.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time for a request of a connection that was accepted before the proxy began to stop, and for a handshake before
    /// it: it is on its way, or it does not come.
    private static let lastHeadTime = TimeAmount.seconds(1)

    let proxyLoop: ProxyLoop
    let peer: PeerAddress
    /// Indicates whether the connection is TLS from its beginning: the proxy's own listener speaks it.
    let beginsWithTLS: Bool
    private(set) var context: ChannelHandlerContext?
    var machine = ClientConnectionStateMachine()
    var requests: RequestDecider
    var input: ClientInput
    private var output = ClientOutput()
    private var timer: ConnectionTimer
    var progressMade: ClientProgress
    /// The time at which the head had come that was decoded last.
    private(set) var headArrival = NIODeadline.distantPast
    private(set) var exchange: Exchange?
    var response = ClientResponse()
    private var countedUsage = CountedUsage()
    var ownedConnections: OwnedConnections?

    /// - Parameters:
    ///   - overLimit: Why its first request is refused; nil: it is not.
    ///   - place: Where clients are listed.
    ///   - gateway: The gateway that it came to; nil: the proxy itself.
    ///   - beginsWithTLS: Whether a handler for that stands in front of this one.
    init(
        proxyLoop: ProxyLoop,
        peer: PeerAddress,
        overLimit: Shortage?,
        place: ClientPlace? = nil,
        admission: ConnectionCounter.Place? = nil,
        gateway: GatewayConnection? = nil,
        beginsWithTLS: Bool = false
    ) {
        self.proxyLoop = proxyLoop
        self.peer = peer
        self.beginsWithTLS = beginsWithTLS
        requests = RequestDecider(
            gateway: gateway,
            peer: peer,
            identity: ConnectionIdentity(overLimit: overLimit, place: place, admission: admission)
        )
        input = ClientInput(limits: proxyLoop.worker.messageLimits)
        timer = ConnectionTimer(clock: proxyLoop.clock)
        progressMade = ClientProgress(begun: proxyLoop.clock.coarseNow)
    }

    /// Serves what begins now; an exchange keeps the one that it began with.
    var worker: ProxyWorker { proxyLoop.worker }

    var clock: any ProxyClock { proxyLoop.clock }

    func usage(of name: String?) -> ClientUsage { countedUsage.usage(of: name, at: peer, on: proxyLoop) }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        machine = ClientConnectionStateMachine(isWritable: context.channel.isWritable)
        proxyLoop.insert(self)
        // A handshake that may come has less time: the timer that is set for it does for both.
        if requests.gateway == nil { startTimer(proxyLoop.timeouts.handshake) }
        if beginsWithTLS {
            machine.handshakeBegan()
            startTimer()
        } else {
            startFirstHeadTimer()
        }
        if proxyLoop.isDraining { drain() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        releaseInput()
        ownedConnections?.end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch machine.received() {
        case .decode:
            input.append(unwrapInboundIn(data))
            pump()
        case .drop: break
        }
    }

    func read(context: ChannelHandlerContext) {
        switch machine.read(bufferedBytes: input.bufferedBytes, wantsBody: wantsBody) {
        case .read: context.read()
        case .hold: break
        }
    }

    private func releaseRead() {
        switch machine.heldRead(bufferedBytes: input.bufferedBytes, wantsBody: wantsBody) {
        case .read: context?.read()
        case .hold: break
        }
    }

    /// Indicates whether there is an exchange that takes more of its request.
    private var wantsBody: Bool { exchange?.wantsRequestBody ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        switch machine.writabilityChanged(to: context.channel.isWritable && !output.isFull) {
        case .none: break
        case .startTimer: startTimer()
        case .decode: pump()
        case .resumeExchange: exchange?.clientBecameWritable()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated):
            guard machine.handshakeCompleted() == .serve else { return }
            guard requests.intercepted != nil else {
                return proxyLoop.isDraining ? startTimer() : startFirstHeadTimer()
            }
            if negotiated == "h2" { becomeHTTP2() } else { startTimer() }
        case ChannelEvent.inputClosed: inputClosed()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func inputClosed() {
        switch machine.inputClosed(bufferedBytes: input.bufferedBytes) {
        case .none: break
        case .decode: pump()
        case .closeWhenSent: closePastTLSWhenSent()
        case .close: close()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return machine.closeNotifyWasMissing() }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    // MARK: Decoding

    /// Decodes what is buffered, as far as it is wanted.
    func pump() {
        guard machine.decodingBegan() == .decode else { return }
        do throws(MessageError) {
            try decode()
        } catch {
            malformed(error)
        }
        machine.decodingEnded()
        exchange?.requestDelivered()
        holdInput()
        decoded()
        releaseRead()
    }

    private func decode() throws(MessageError) {
        while true {
            switch machine.next() {
            case .nothing: return
            case .head:
                guard let event = try input.next() else { return }
                // The end of a request that was answered before it was decoded.
                guard case .head(let head) = consume event else { continue }
                machine.headDecoded()
                headArrival = clock.now
                handle(head)
            case .body:
                guard let exchange, exchange.wantsRequestBody, let event = try input.next() else { return }
                hand(event, to: exchange)
            }
        }
    }

    private func decoded() {
        let action = machine.decoded(
            bufferedBytes: input.bufferedBytes,
            hasTLS: hasTLS,
            wantsBody: wantsBody,
            isSent: machine.inputHasEnded && isSent
        )
        switch action {
        case .none: break
        case .startTimer: startTimer()
        case .closePastTLS: closePastTLS()
        case .finish: finish()
        case .leave:
            end()
            close()
        }
    }

    // MARK: Exchange

    /// Begins an exchange. The next request is decoded when it is over.
    func begin(_ exchange: Exchange) {
        self.exchange = exchange
        machine.exchangeBegan()
        progressMade.requestBegan(at: clock.coarseNow, unsent: unsentBytes)
        startTimer()
        exchange.start()
    }

    /// The exchange has let go of its request. ``responseEnded(closes:)`` goes on with the next one.
    func exchangeEnded() {
        exchange = nil
    }

    // MARK: Output

    func write(_ bytes: ByteBuffer) {
        guard let context else { return }
        progressMade.wrote(bytes: bytes.readableBytes)
        let isLast = output.isLast(on: context)
        if isLast { machine.writesAreFull() }
        context.write(wrapOutboundOut(bytes), promise: isLast ? writesTaken(on: context) : nil)
    }

    private func writesTaken(on context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        output.promise(on: context) { [self] in
            output.allTaken()
            if let context = self.context { channelWritabilityChanged(context: context) }
        }
    }

    func flush() {
        if output.flushAtTurnEnd() { proxyLoop.turn.flushAtEnd(self) }
    }

    var unsentBytes: Int { context?.channel.unsentBytes ?? 0 }

    /// Indicates whether the system has taken everything that was written.
    var isSent: Bool { !output.flushIsDue && unsentBytes == 0 }

    // MARK: Ends

    /// An answer has been written. The next request's turn has come, if there is to be one.
    func responseEnded(closes: Bool) {
        switch machine.responseEnded(closes: closes) {
        case .none: break
        case .decodeNext:
            startTimer()
            pump()
        case .finish: finish()
        }
    }

    /// Ends the connection in order, between requests.
    func closeWhenSent() {
        flushIfDue()
        switch machine.closing(isSent: unsentBytes == 0) {
        case .none: break
        case .close: close()
        case .finish: finish()
        }
    }

    /// Ends the connection in order as soon as the client has taken everything that was written for it.
    private func finish() {
        guard let context else { return }
        // What has come and is not decoded is not going to be.
        input.takeBuffered()
        releaseInput()
        startTimer()
        context.flush()
        let bare = bareContext ?? context
        bare.flush { [self] in outputTaken() }
    }

    private func outputTaken() {
        let action = machine.outputTaken()
        guard action != .none, let context else { return }
        startTimer()
        context.close(mode: .output, promise: nil)
        if action == .close { closePastTLSWhenSent() } else { releaseRead() }
    }

    /// Ends the connection of a client that sends nothing more, when everything is out.
    private func closePastTLSWhenSent() {
        flushIfDue()
        if unsentBytes == 0 { closePastTLS() }
    }

    /// Ends the connection. What the system has not taken of what was written is dropped.
    func close() {
        flushIfDue()
        context?.close(promise: nil)
    }

    /// The connection is over for everybody who holds it.
    func end() {
        guard case .letGo(let awaited) = machine.ended() else { return }
        releaseInput()
        leave()
        let exchange = self.exchange
        self.exchange = nil
        exchange?.clientClosed()
        awaited?.giveUp()
    }

    /// Ends the connection with a reset, and not with an end that could pass for the response's.
    func reset() {
        _ = machine.ended()
        leave()
        flushIfDue()
        context?.resetAtClose()
        bareContext?.close(promise: nil)
    }

    /// Leaves the connection: nothing more is to be done for it, or not by this handler.
    func leave() {
        timer.cancel()
        proxyLoop.remove(self)
    }

    // MARK: Time

    /// Starts the time that the connection's state has.
    func startTimer() {
        switch machine.timeLimit {
        case .none: timer.clear()
        case .handshake: startArrivalTimer(proxyLoop.timeouts.handshake)
        case .requestHeader: startArrivalTimer(proxyLoop.timeouts.requestHeader)
        case .idle: startTimer(proxyLoop.timeouts.idle)
        case .linger: startTimer(OrderlyClose.lingerTime)
        case .response: break
        }
    }

    private func startArrivalTimer(_ amount: TimeAmount) {
        startTimer(proxyLoop.isDraining ? min(amount, Self.lastHeadTime) : amount)
    }

    func startTimer(_ amount: TimeAmount) {
        progressMade.waitBegan()
        guard !timer.move(amount), let context else { return }
        timer.schedule(on: context.eventLoop) { [self] in timerFired() }
    }

    /// The time at which that of the connection's state began to run.
    var waitBegan: NIODeadline { timer.begun }

    private func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        let hasTaken = progressMade.hasTaken(unsentBytes: unsentBytes)
        switch machine.timeIsOver(bufferedBytes: input.bufferedBytes, hasTaken: hasTaken) {
        case .none: break
        case .wait: timer.set(proxyLoop.timeouts.idle, on: context.eventLoop) { [self] in timerFired() }
        case .close: context.close(promise: nil)
        case .refuseHead: refuseUnread(.requestTimeout)
        case .exchangeStalled: exchange?.stalled()
        case .responseTimedOut: exchange?.responseTimedOut()
        }
    }
}

extension ClientHandler: FlushedAtTurnEnd {
    func flushNow() {
        output.flushBegan()
        context?.flush()
    }

    /// Flushes what was to be at the end of the turn.
    func flushIfDue() {
        if output.flushIsDue { flushNow() }
    }
}

extension ClientHandler: RemovableChannelHandler {}

@available(*, unavailable)
extension ClientHandler: Sendable {}
