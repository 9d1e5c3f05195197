import HTTP1Codec
import NIOCore
import NIOSSL
import Settings

/// The last handler of an upstream channel: decodes responses for whoever has leased the connection.
///
/// Its life: *idle* and *leased* in turn, once an ``UpstreamNegotiationHandler`` has found that it may carry requests. An
/// idle connection that receives anything, an end included, is closed.
final class UpstreamConnection: ChannelDuplexHandler, UpstreamStream, FlushedAtTurnEnd {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    // Asked many times for each request: what cases carry would be copied each time.
    private enum Phase {
        case idle
        case leased
        case closed
    }

    private var phase: Phase = .idle {
        didSet { if phase != .leased { lessee = nil } }
    }
    /// While it is leased.
    private var lessee: (any UpstreamLessee)?
    private var decoder: ResponseDecoder
    private var writer = RequestWriter()
    private var context: ChannelHandlerContext?
    private let idleTime: TimeAmount
    private let clock: any ProxyClock
    private let turn: EventLoopTurn
    private var timer: ConnectionTimer
    private var readIsHeld = false
    private var isDelivering = false
    private var inputEnded = false
    private var lastHeadKeepsAlive = false
    private var tlsError: (any Error)?
    /// The place where the certificate verification has left what the server presented.
    let verdict: CertificateVerdict?
    /// The time at which it has reached its greatest age.
    private let endOfUse: NIODeadline
    /// The number of requests that it has carried.
    private var leases = 0
    /// The claim that it is counted by.
    let claim: ConnectionClaim
    /// The target that it leads to.
    private(set) var target: (any ConnectionKeeper)?
    /// The keeper that holds it while idle.
    private var keeper: (any ConnectionKeeper)?
    private var isActive = false

    init(
        limits: MessageLimits,
        timeouts: ProxyTimeouts,
        clock: any ProxyClock,
        verdict: CertificateVerdict?,
        turn: EventLoopTurn,
        claim: ConnectionClaim
    ) {
        decoder = ResponseDecoder(limits: limits)
        self.turn = turn
        idleTime = timeouts.idle
        endOfUse = timeouts.endOfUse(madeAt: clock.coarseNow)
        self.clock = clock
        timer = ConnectionTimer(clock: clock)
        self.verdict = verdict
        self.claim = claim
    }

    // MARK: Lease

    var isReused: Bool { leases > 1 }

    var isUsable: Bool {
        phase == .idle && isActive && !inputEnded && decoder.bufferedBytes == 0 && clock.coarseNow < endOfUse
    }

    var unsentBytes: Int { context?.channel.unsentBytes ?? 0 }

    func lease(to lessee: any UpstreamLessee) {
        timer.clear()
        leases += 1
        phase = .leased
        self.lessee = lessee
    }

    var isWritable: Bool { writer.isWritable }

    func write(_ head: RequestHead, as request: OutgoingRequest, scratch: HeadScratch) {
        decoder.expect(responseTo: head.method)
        // The end of the request before this one.
        writeGathered()
        writer.begin(bodyIsChunked: request.isChunked(head))
        request.write(head, fields: &scratch.fields, into: &scratch.request.bytes)
        guard let body = request.body else { return write(scratch.request.take(in: turn.number)) }
        let joinsHead = RequestWriter.joinsHead(body)
        if joinsHead { scratch.request.bytes.writeImmutableBuffer(body) }
        write(scratch.request.take(in: turn.number))
        if !joinsHead { write(body) }
    }

    func writeBody(_ bytes: ByteBuffer) {
        switch writer.append(bytes) {
        case .wait: break
        case .writeGathered: writeGathered()
        case .writeGatheredAndPiece:
            writeGathered()
            write(bytes)
        }
    }

    func writeEnd(trailers: FieldSection?) {
        writer.end(trailers: trailers)
    }

    private func writeGathered() {
        if let bytes = writer.takeGathered() { write(bytes) }
    }

    private func write(_ bytes: ByteBuffer) {
        guard let context else { return }
        let isLast = writer.pendingWrites.isLast(on: context)
        context.write(wrapOutboundOut(bytes), promise: isLast ? writesTaken(on: context) : nil)
    }

    private func writesTaken(on context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        writer.pendingWrites.promise(on: context) { [self] in
            writer.pendingWrites.allTaken()
            if let context = self.context { channelWritabilityChanged(context: context) }
        }
    }

    func flush() {
        if writer.flushRequested() { turn.flushAtEnd(self) }
    }

    func flushNow() {
        guard writer.flushBegins() else { return }
        writeGathered()
        context?.flush()
    }

    /// Ends the lease and keeps the connection for another.
    private func becomeIdle() {
        phase = .idle
        if !timer.move(idleTime), let context {
            timer.schedule(on: context.eventLoop) { [self] in timerFired() }
        }
        releaseRead()
    }

    func release(reusable: Bool) {
        guard reusable, let keeper else { return close() }
        becomeIdle()
        keeper.keep(self)
    }

    /// It is one of the connections of a target, and of nobody else's.
    func leads(to target: any ConnectionKeeper) {
        self.target = target
        keeper = target
    }

    /// The connection has a user by now, or may soon have one: no other client's requests are sent on it.
    func belong(to owner: any ConnectionKeeper) {
        keeper = owner
    }

    func switchProtocols(to tunnel: TunnelHandler) -> Bool {
        guard phase == .leased, let context, context.channel.isActive else { return false }
        do {
            try context.pipeline.syncOperations.addHandler(tunnel, position: .after(self))
        } catch {
            return false
        }
        flushNow()
        phase = .closed
        timer.cancel()
        let early = decoder.takeBuffered()
        if early.readableBytes > 0 {
            context.fireChannelRead(NIOAny(early))
            context.fireChannelReadComplete()
        }
        if let tlsError { context.fireErrorCaught(tlsError) }
        if inputEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        let pipeline = context.pipeline
        pipeline.syncOperations.removeHandler(context: context, promise: nil)
        if readIsHeld { pipeline.read() }
        return true
    }

    func close(_ cause: StreamEnd) {
        close()
    }

    /// Ends whatever it does, at once.
    func close() {
        flushNow()
        phase = .closed
        timer.cancel()
        claim.release()
        keeper = nil
        target = nil
        context?.close(promise: nil)
    }

    /// The lessee can take bytes again.
    func resumeReading() {
        guard phase == .leased else { return }
        deliver()
        releaseRead()
    }

    private func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        switch phase {
        case .idle: idleClosed()
        case .leased, .closed: break
        }
    }

    private func idleClosed() {
        keeper?.forget(self)
        close()
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isActive = context.channel.isActive
        writer.writabilityChanged(channelIsWritable: context.channel.isWritable)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        lost()
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { return inputClosed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch phase {
        case .leased:
            decoder.append(unwrapInboundIn(data))
            deliver()
        case .idle: idleClosed()
        case .closed: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        lessee?.upstreamReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writer.writabilityChanged(channelIsWritable: context.channel.isWritable)
        lessee?.upstreamWritabilityChanged(isWritable: isWritable)
    }

    func read(context: ChannelHandlerContext) {
        if let lessee, !lessee.takesResponseBytes {
            readIsHeld = true
        } else {
            context.read()
        }
    }

    private func releaseRead() {
        guard readIsHeld else { return }
        readIsHeld = false
        context?.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if tlsError == nil { tlsError = error }
        // An end without close_notify is no reason to close by itself: a response of known length is still whole.
        if case NIOSSLError.uncleanShutdown = error { return }
        lost()
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isActive = false
        inputClosed()
        context.fireChannelInactive()
    }

    // MARK: Responses

    /// Hands over what is buffered, for as long as the lessee takes it.
    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        do throws(MessageError) {
            while let lessee, lessee.takesResponseBytes {
                guard let event = try decoder.next() else { break }
                hand(event, to: lessee)
            }
            if inputEnded, let lessee, lessee.takesResponseBytes { finish(lessee) }
            lessee?.upstreamDelivered()
        } catch {
            fail(.malformedResponse(error))
        }
    }

    private func hand(_ event: ResponseEvent, to lessee: any UpstreamLessee) {
        switch event {
        case .head(let head):
            lastHeadKeepsAlive = head.keepAlive
            lessee.upstreamResponseHead(head)
        case .body(let bytes): lessee.upstreamResponseBody(bytes)
        case .end(let trailers):
            let reusable =
                lastHeadKeepsAlive && !inputEnded && decoder.bufferedBytes == 0
                && isActive
            lessee.upstreamResponseEnd(trailers: trailers, reusable: reusable)
        }
    }

    private func finish(_ lessee: any UpstreamLessee) {
        // An end that TLS did not announce may be an attacker's: a body that only the end delimits is then not whole.
        if tlsError == nil, let event = try? decoder.finish() { hand(event, to: lessee) }
        guard self.lessee != nil else { return }
        phase = .closed
        timer.cancel()
        context?.close(promise: nil)
        lessee.upstreamClosed(.closed)
    }

    private func inputClosed() {
        guard !inputEnded else { return }
        inputEnded = true
        switch phase {
        case .idle: idleClosed()
        case .leased: deliver()
        case .closed: break
        }
    }

    /// The connection is of no use any more, for a reason other than an orderly end.
    private func lost() {
        switch phase {
        case .idle: idleClosed()
        case .leased: fail(.established(tlsError))
        case .closed: break
        }
    }

    private func fail(_ failure: UpstreamFailure) {
        guard let lessee else { return }
        close()
        lessee.upstreamClosed(failure)
    }
}

extension UpstreamConnection: RemovableChannelHandler {}

@available(*, unavailable)
extension UpstreamConnection: Sendable {}
