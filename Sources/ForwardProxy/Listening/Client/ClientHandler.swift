import HTTP1Codec
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import Routing
import Settings

/// The last handler of a client's channel: decodes requests one at a time and sees each through.
///
/// Only carries out what ``ClientConnectionStateMachine`` says.
///
/// 1. A request head is decoded, and routing decides upon it.
/// 2. CONNECT to an API host puts TLS in front of this handler, which then decodes what comes through it;
///    CONNECT to another host turns both channels into a blind tunnel.
/// 3. Every other request is handed to an ``Exchange``. The next head is not decoded before it is over.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A body piece up to this size is copied behind what precedes it, to leave in one TLS record.
    static let coalescingLimit = 16 * 1024
    /// The time for the first request of a connection that is one too many.
    static let overLimitTime = TimeAmount.seconds(5)
    /// Bytes of a head that are not counted.
    static let smallHead = 4 * 1024

    let proxyLoop: ProxyLoop
    /// The reason why its requests are refused, where the connection is one too many.
    var overLimit: Shortage?
    /// The connection's place where clients are listed: it may still be one too many, or none too many, when it is
    /// known whose it is.
    let place: ClientPlace?
    /// Nil for a connection to the proxy itself.
    let gateway: GatewayConnection?
    /// Its admission, where it came over the limit and no clients are listed.
    private let ownAdmission: ConnectionCounter.Place?
    var machine = ClientConnectionStateMachine()
    var decoder: RequestDecoder
    var intercepted: InterceptedConnect?
    /// Of the last request in absolute-form.
    var destination: KnownDestination?
    var exchange: Exchange?
    /// As whom the last request was let in; nil: none, or as nobody that is listed.
    var clientName: String?
    /// While a log-in waits.
    var turn: Scheduled<Void>?
    /// Indicates whether the log-in that is being checked has waited.
    var hasWaited = false
    /// While connecting.
    var dial: ClientDial?
    var lastUsage: ClientUsage?
    var ownedConnections: OwnedConnections?
    var context: ChannelHandlerContext?
    var timer: ConnectionTimer
    var bodyCoding: ResponseBodyCoding = .none
    /// Indicates whether the final response's head still lies in the scratch buffer, so that it can be taken back.
    var headIsUnsent = false
    var flushIsDue = false
    /// The observation of whether the client takes what is written, by the timer of this wait.
    private var sendProgress = SendProgress()
    /// Of the request in flight.
    var progressMade: Progress
    /// The answers that the client has not taken.
    var backlog = Backlog()
    var closesAfterResponse = false
    /// Bytes of a head or a trailer section that is not whole yet, or of what waits for its turn.
    var headMemory = MemoryClaim()
    var pendingWrites = PendingWrites()

    /// - Parameters:
    ///   - overLimit: Why its first request is refused; nil: it is not.
    ///   - place: Where clients are listed.
    ///   - gateway: The gateway that it came to; nil: the proxy itself.
    init(
        proxyLoop: ProxyLoop,
        overLimit: Shortage?,
        place: ClientPlace? = nil,
        admission: ConnectionCounter.Place? = nil,
        gateway: GatewayConnection? = nil
    ) {
        self.proxyLoop = proxyLoop
        self.overLimit = overLimit
        self.place = place
        ownAdmission = admission
        self.gateway = gateway
        timer = ConnectionTimer(clock: proxyLoop.worker.clock)
        progressMade = Progress(begun: proxyLoop.worker.clock.coarseNow)
        decoder = RequestDecoder(limits: proxyLoop.worker.messageLimits)
    }

    var admission: ConnectionCounter.Place? { place?.surplus ?? ownAdmission }

    /// Serves what begins now; an exchange keeps the one that it began with.
    var worker: ProxyWorker { proxyLoop.worker }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        machine = ClientConnectionStateMachine(isWritable: context.channel.isWritable)
        proxyLoop.clients.insert(self)
        // A handshake that may come has less time: the timer that is set for it does for both.
        if gateway == nil { startTimer(worker.settings.timeouts.handshake) }
        let time = worker.settings.timeouts.requestHeader
        startTimer(overLimit == nil ? time : min(time, Self.overLimitTime))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        releaseInput()
        ownedConnections?.end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard machine.received() == .decode else { return }
        decoder.append(unwrapInboundIn(data))
        pump()
    }

    func read(context: ChannelHandlerContext) {
        switch machine.read(bufferedBytes: decoder.bufferedBytes, wantsBody: wantsBody) {
        case .read: context.read()
        case .hold: break
        }
    }

    /// Indicates whether there is an exchange that takes more of its request.
    private var wantsBody: Bool { exchange?.wantsRequestBody ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        switch machine.writabilityChanged(to: context.channel.isWritable && !pendingWrites.isFull) {
        case .none: break
        case .startTimer: startTimer()
        case .decode: pump()
        case .resumeExchange: exchange?.clientBecameWritable()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated):
            guard machine.handshakeCompleted() else { return }
            if negotiated == "h2", let intercepted { becomeHTTP2(intercepted) } else { startTimer() }
        case ChannelEvent.inputClosed: inputClosed()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return machine.closeNotifyWasMissing() }
        if let intercepted, machine.state == .serving(.handshake) {
            worker.reportClientHandshakeFailure(error, authority: intercepted.interception.authority)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func end() {
        guard machine.ended() else { return }
        releaseInput()
        timer.cancel()
        proxyLoop.clients.remove(self)
        let exchange = self.exchange
        self.exchange = nil
        exchange?.clientClosed()
        dial?.giveUp()
        dial = nil
        turn?.cancel()
        turn = nil
    }

    private func inputClosed() {
        switch machine.inputClosed(bufferedBytes: decoder.bufferedBytes) {
        case .none: break
        case .decode: pump()
        case .closeWhenSent: closePastTLSWhenSent()
        case .close: close()
        }
    }

    /// To be called when what is buffered has been decoded as far as it goes.
    func decoded() {
        let action = machine.decoded(
            bufferedBytes: decoder.bufferedBytes,
            hasTLS: intercepted != nil,
            wantsBody: wantsBody,
            isSent: !flushIsDue && unsentBytes == 0
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

    // MARK: Time

    /// Starts the time that the connection's state has.
    func startTimer() {
        switch machine.timeLimit {
        case .none: timer.clear()
        case .handshake: startTimer(worker.settings.timeouts.handshake)
        case .requestHeader: startTimer(worker.settings.timeouts.requestHeader)
        case .idle: startTimer(worker.settings.timeouts.idle)
        case .linger: startTimer(OrderlyClose.lingerTime)
        case .response: break
        }
    }

    func startTimer(_ amount: TimeAmount) {
        sendProgress.reset()
        guard !timer.move(amount), let context else { return }
        timer.schedule(on: context.eventLoop) { [self] in timerFired() }
    }

    /// Counts what has come of a head or a trailer section, or waits behind a request in flight, where that is much: at
    /// the end of the input all that there is comes, however little is asked for.
    ///
    /// - Returns: False when the client may not have so much held.
    func mayHoldInput() -> Bool {
        let bytes = machine.isServing ? decoder.bufferedBytes : 0
        guard bytes > Self.smallHead else {
            releaseInput()
            return true
        }
        let usage = inputUsage
        if !headMemory.isOf(usage) { releaseInput() }
        headMemory.shrink(to: bytes)
        var isHolding = headMemory.grow(to: bytes, of: usage.memory)
        guard usage === worker.usages.unnamed else { return isHolding }
        while !isHolding, proxyLoop.endUnnamedHead(for: self) {
            isHolding = headMemory.grow(to: bytes, of: usage.memory)
        }
        if isHolding { proxyLoop.unnamedHeads.insert(ObjectIdentifier(self)) { peer } }
        return isHolding
    }

    /// Indicates whether what has come waits until the server takes more of a body that is on its way: no more than one
    /// read has brought, which does not end an upload.
    var isUploadHeldUp: Bool {
        guard let exchange, !machine.inputHasEnded else { return false }
        return exchange.isSending && !exchange.wantsRequestBody
    }

    /// The usage that the input is counted in. Nobody is named before the first head is whole, and an address may be
    /// many clients'.
    var inputUsage: ClientUsage {
        if let name = intercepted?.interception.client?.name ?? clientName ?? place?.clientName {
            return usage(of: name)
        }
        return worker.settings.router.access.clients.isEmpty ? usage(of: nil) : worker.usages.unnamed
    }

    func releaseInput() {
        guard headMemory.bytes > 0 else { return }
        headMemory.release()
        proxyLoop.unnamedHeads.remove(ObjectIdentifier(self))
    }

    func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        let hasTaken = sendProgress.hasMoved(unsent: unsentBytes)
        switch machine.timeIsOver(bufferedBytes: decoder.bufferedBytes, hasTaken: hasTaken) {
        case .none: break
        case .wait: timer.set(worker.settings.timeouts.idle, on: context.eventLoop) { [self] in timerFired() }
        case .close: context.close(promise: nil)
        case .refuseHead:
            worker.exchanges.logRefusal(.requestTimeout, nil)
            answer(.requestTimeout, to: nil, requestIsComplete: false)
        case .exchangeStalled: exchange?.stalled()
        case .responseTimedOut: exchange?.responseTimedOut()
        }
    }

    func releaseRead() {
        switch machine.heldRead(bufferedBytes: decoder.bufferedBytes, wantsBody: wantsBody) {
        case .read: context?.read()
        case .hold: break
        }
    }
}

extension ClientHandler: RemovableChannelHandler {}

@available(*, unavailable)
extension ClientHandler: Sendable {}
