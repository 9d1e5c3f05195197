import CoreMetrics
import NIOCore
import NIOSSL

/// One end of a blind tunnel: passes bytes, ends and back-pressure to its partner.
///
/// Both ends are on one event loop. A read is passed on only while the partner is writable. An end in order is passed
/// on by itself, over TLS as close_notify, while the other direction goes on. Any other end takes both directions with
/// it, and is never passed on as one in order: what TLS did not say is not said to the partner either.
final class TunnelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private typealias Break = TunnelEndStateMachine.Break

    private var machine = TunnelEndStateMachine()
    private var partner: TunnelHandler?
    private var context: ChannelHandlerContext?
    private var pendingWrites = PendingWrites()
    private let idleTime: TimeAmount
    private let clock: any ProxyClock
    private var progress: Progress
    private var acknowledged = AcknowledgedBytes()
    private var timer: ConnectionTimer
    /// The name of the client that it is for, where clients are listed.
    private var clientName: String?
    private var onEnd: ((_ received: Int, _ receivedByPartner: Int) -> Void)?
    private var received = 0
    private var counter: Counter?

    private init(idleTime: TimeAmount, clock: any ProxyClock) {
        self.idleTime = idleTime
        self.clock = clock
        progress = Progress(begun: clock.coarseNow)
        timer = ConnectionTimer(clock: clock)
    }

    static func pair(idleTime: TimeAmount, clock: any ProxyClock) -> (TunnelHandler, TunnelHandler) {
        let one = TunnelHandler(idleTime: idleTime, clock: clock)
        let other = TunnelHandler(idleTime: idleTime, clock: clock)
        one.partner = other
        other.partner = one
        return (one, other)
    }

    /// Counts the bytes that it and its partner receive, as they come.
    func count(received: Counter, receivedByPartner: Counter) {
        counter = received
        partner?.counter = receivedByPartner
    }

    /// - Parameters:
    ///   - clientName: The name of the client that it is for, where clients are listed.
    ///   - onEnd: Called once when this end is over, with the bytes that it and its partner have received.
    func begin(for clientName: String?, onEnd: @escaping (_ received: Int, _ receivedByPartner: Int) -> Void) {
        self.clientName = clientName
        self.onEnd = onEnd
    }

    /// The client or address that it is counted for among `limits.connections`.
    var holder: ClientKey { clientName.map { .client($0) } ?? .peer(PeerAddress(context?.channel.remoteAddress)) }

    /// Returns the time since which neither end has made ``Progress``; nil when it is over.
    func slowSince(at now: NIODeadline) -> NIODeadline? {
        guard let partner else { return nil }
        observe(at: now)
        partner.observe(at: now)
        return max(progress.lastMade, partner.progress.lastMade)
    }

    private func observe(at now: NIODeadline) {
        guard let channel = context?.channel else { return }
        if acknowledged.hasGrown(to: channel.acknowledgedBytes) { progress.made(at: now) }
        progress.observe(unsent: channel.unsentBytes, at: now)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        restartTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // The channel may have ended just before it came.
        end { $0.cutOff(.unannounced) }
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        received += count
        counter?.increment(by: count)
        progress.moved(count, at: clock.coarseNow)
        restartTimer()
        partner?.write(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        partner?.context?.flush()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            guard case .passOn(let closes) = machine.inputClosed() else { return }
            partner?.endOutput()
            if closes { context.close(promise: nil) }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isWritable { partner?.releaseRead() }
    }

    func read(context: ChannelHandlerContext) {
        if machine.read(partnerIsWritable: partner?.isWritable ?? true) == .read { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isMissingCloseNotify = if case NIOSSLError.uncleanShutdown = error { true } else { false }
        switch machine.failed(isMissingCloseNotify: isMissingCloseNotify) {
        case .none: break
        case .breakOff(let way): breakOff(way)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let action = machine.becameInactive()
        end { partner in
            switch action {
            case .endPartnersOutput: partner.endOutput()
            case .cutPartnerOff: partner.cutOff(.unannounced)
            }
        }
        context.fireChannelInactive()
    }

    // MARK: Ends

    /// This end is over, or has not come about. Once is enough.
    ///
    /// - Parameter tell: Ends the partner.
    func end(telling tell: (TunnelHandler) -> Void = { $0.close(.unannounced) }) {
        timer.cancel()
        let report = onEnd
        onEnd = nil
        report?(received, partner?.received ?? 0)
        if let partner { tell(partner) }
        partner = nil
    }

    /// Ends both sides at once.
    func close() {
        let partner = self.partner
        close(.unannounced)
        partner?.close(.unannounced)
    }

    private func endOutput() {
        guard let context, machine.endOutput() == .awaitWrites else { return }
        afterWriting(on: context) { [self] in
            switch machine.outputTaken() {
            case .none: break
            case .endOutput: self.context?.close(mode: .output, promise: nil)
            case .close: self.context?.close(promise: nil)
            }
        }
    }

    /// This side is lost. The other one still gets what came from it.
    private func breakOff(_ way: Break) {
        let partner = self.partner
        partner?.cutOff(way)
        close(way)
    }

    private func cutOff(_ way: Break) {
        guard let context, machine.cutOff() == .awaitWrites else { return }
        afterWriting(on: context) { [self] in close(way) }
    }

    private func close(_ way: Break) {
        machine.closed()
        guard let context else { return }
        if way == .reset { context.resetAtClose() }
        // Past TLS, which would announce an end in order.
        context.pastTLS.close(promise: nil)
    }

    private func afterWriting(on context: ChannelHandlerContext, _ body: @escaping () -> Void) {
        restartTimer()
        context.flush(whenTaken: body)
    }

    // MARK: Bytes and time

    /// Indicates whether more may be written for what this end leads to.
    private var isWritable: Bool { !pendingWrites.isFull && context?.channel.isWritable != false }

    private func write(_ data: NIOAny) {
        guard let context else { return }
        context.write(data, promise: pendingWrites.isLast(on: context) ? writesTaken(on: context) : nil)
    }

    private func writesTaken(on context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        PendingWrites.promise(on: context) { [self] in
            pendingWrites.allTaken()
            if isWritable { partner?.releaseRead() }
        }
    }

    private func releaseRead() {
        if machine.partnerBecameWritable() == .read { context?.read() }
    }

    private func restartTimer() {
        guard let context else { return }
        timer.set(idleTime, on: context.eventLoop) { [self] in timerFired() }
    }

    /// The tunnel is idle only when neither end has received anything.
    private func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        guard let partner, partner.timer.isArmed else {
            close()
            return
        }
        // The partner's deadline is later: it decides.
    }
}

@available(*, unavailable)
extension TunnelHandler: Sendable {}
