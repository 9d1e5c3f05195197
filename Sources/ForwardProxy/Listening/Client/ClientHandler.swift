import HTTP1Codec
import Logging
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
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The purpose of the timer.
    enum Wait {
        case nothing
        case requestHead
        case nextRequest
        case transfer
        case response
        case handshake
        case linger
    }

    enum Phase {
        case serving
        /// A request's log-in waits for its turn to be checked, or its connection for a place.
        case waiting
        /// A tunnel's other end is being connected.
        case connecting
        /// The last answer is on its way out. What still comes is dropped.
        case finishing
        /// The last answer is out: what still comes is dropped, so that the answer is not lost to a reset.
        case lingering
        case closed
    }

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
    var decoder: RequestDecoder
    var phase: Phase = .serving
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
    var wait: Wait = .nothing
    var isPumping = false
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
    var readIsHeld = false
    /// Indicates whether something of the input has been dropped, so that nothing behind it may be read.
    var inputIsCut = false
    /// Bytes of a head or a trailer section that is not whole yet, or of what waits for its turn.
    var headMemory = MemoryClaim()
    var inputEnded = false
    /// Indicates whether TLS ended with the connection, without the client's close_notify.
    private var endedWithoutCloseNotify = false
    var handshakeIsOver = false

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

    // Asked several times for each request, and a channel takes long to answer.
    var isWritable = true
    var pendingWrites = PendingWrites()

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        proxyLoop.clients.insert(self)
        // A handshake that may come has less time: the timer that is set for it does for both.
        if gateway == nil { start(.handshake, worker.settings.timeouts.handshake) }
        let time = worker.settings.timeouts.requestHeader
        start(.requestHead, overLimit == nil ? time : min(time, Self.overLimitTime))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        releaseInput()
        ownedConnections?.end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .serving || phase == .waiting || phase == .connecting, !inputIsCut else { return }
        decoder.append(unwrapInboundIn(data))
        pump()
    }

    func read(context: ChannelHandlerContext) {
        if isReadAheadFull { readIsHeld = true } else { context.read() }
    }

    /// Indicates whether something has come that waits for its turn: what one read has brought is all that is held of
    /// it. While a head or a body is decoded, the decoder itself bounds what it takes.
    private var isReadAheadFull: Bool {
        switch phase {
        case .waiting, .connecting: break
        case .serving where isBehindExchange || exchange == nil && !isWritable: break
        case .serving, .finishing, .lingering, .closed: return false
        }
        return decoder.bufferedBytes > 0
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable && !pendingWrites.isFull
        if isWritable {
            if let exchange { exchange.clientBecameWritable() } else { pump() }
        } else if wait == .requestHead, phase == .serving, exchange == nil {
            // The rest of the head is not looked at before the client takes what was written for it.
            start(.nextRequest, worker.settings.timeouts.idle)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated):
            handshakeIsOver = true
            if negotiated == "h2", let intercepted { return becomeHTTP2(intercepted) }
            start(.requestHead, worker.settings.timeouts.requestHeader)
        case ChannelEvent.inputClosed: inputClosed()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return endedWithoutCloseNotify = true }
        if let intercepted, !handshakeIsOver {
            worker.reportClientHandshakeFailure(error, authority: intercepted.interception.authority)
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func end() {
        guard phase != .closed else { return }
        phase = .closed
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

    /// The client sends nothing more. It still gets the answer to what it sent in full.
    func inputClosed() {
        guard !inputEnded else { return }
        inputEnded = true
        switch phase {
        case .serving: pump()
        case .lingering: closeAfterInput()
        // What it sent is for the tunnel, and there may be an answer to it. One that has sent nothing has left: what is
        // under way for it would have it wait for the end of a time limit.
        case .connecting where decoder.bufferedBytes == 0: close()
        case .connecting: break
        case .waiting, .finishing, .closed: break
        }
    }

    /// To be called when what is buffered has been decoded as far as it goes.
    func endIfInputEnded() {
        guard inputEnded, phase == .serving else { return }
        guard let exchange else {
            // There may be whole requests that wait until the client has taken the answers to those before.
            guard isWritable || decoder.bufferedBytes == 0 else { return }
            // Between requests nothing is owed to a client that is gone, and nothing would be read by it.
            let owesNothing = intercepted == nil || endedWithoutCloseNotify
            if owesNothing, !flushIsDue, unsentBytes == 0 { return closePastTLS() }
            return finishAndClose()
        }
        // An exchange that wants more of its request will never have it; any other one still brings an answer.
        guard exchange.wantsRequestBody else { return }
        end()
        close()
    }

    // MARK: Time

    func start(_ wait: Wait, _ amount: TimeAmount) {
        self.wait = wait
        sendProgress.reset()
        guard !timer.move(amount), let context else { return }
        timer.schedule(on: context.eventLoop) { [self] in timerFired() }
    }

    /// Indicates whether what has come and is not decoded waits for the end of an exchange.
    private var isBehindExchange: Bool { exchange.map { !$0.wantsRequestBody } ?? false }

    /// Counts what has come of a head or a trailer section, or waits behind a request in flight, where that is much: at
    /// the end of the input all that there is comes, however little is asked for.
    ///
    /// - Returns: False when the client may not have so much held.
    func mayHoldInput() -> Bool {
        let bytes = phase == .serving ? decoder.bufferedBytes : 0
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
        guard let exchange, !inputEnded else { return false }
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

    /// Between requests the first byte of a head starts the time for the whole head.
    func noteBeginningOfHead() {
        guard wait == .nextRequest, phase == .serving, exchange == nil else { return }
        guard isWritable, decoder.bufferedBytes > 0 else { return }
        start(.requestHead, worker.settings.timeouts.requestHeader)
    }

    func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        if wait == .nextRequest || wait == .transfer, sendProgress.hasMoved(unsent: unsentBytes) {
            return timer.set(worker.settings.timeouts.idle, on: context.eventLoop) { [self] in timerFired() }
        }
        switch wait {
        case .nothing: break
        case .requestHead where decoder.bufferedBytes > 0:
            worker.exchanges.logRefusal(.requestTimeout, nil)
            answer(.requestTimeout, to: nil, requestIsComplete: false)
        case .requestHead, .nextRequest, .handshake, .linger: context.close(promise: nil)
        case .transfer:
            if let exchange { exchange.stalled() } else { context.close(promise: nil) }
        case .response: exchange?.responseTimedOut()
        }
    }

    func releaseRead() {
        guard readIsHeld, !isReadAheadFull else { return }
        readIsHeld = false
        context?.read()
    }
}

extension ClientHandler: RemovableChannelHandler {}

@available(*, unavailable)
extension ClientHandler: Sendable {}
