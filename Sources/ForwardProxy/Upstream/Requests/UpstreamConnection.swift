import HTTP1Codec
import NIOCore
import NIOSSL
import Settings

/// The last handler of an upstream channel: decodes responses for whoever has leased the connection.
///
/// Its life: *idle* and *leased* in turn, once an ``UpstreamNegotiationHandler`` has found that it may carry requests. An
/// idle connection that receives anything, an end included, is closed.
final class UpstreamConnection: ChannelDuplexHandler, UpstreamStream, FlushedAtTurnEnd {
    /// A body piece up to this size is copied behind what precedes it, to leave in one TLS record.
    private static let coalescingLimit = 16 * 1024
    /// A body piece up to this size is copied, to leave with others.
    private static let smallPiece = 1024

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
    private var context: ChannelHandlerContext?
    private let idleTime: TimeAmount
    private let clock: any ProxyClock
    private let turn: EventLoopTurn
    private var flushIsDue = false
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
    private var bodyIsChunked = false
    /// The claim that it is counted by.
    let claim: ConnectionClaim
    /// The target that it leads to.
    private(set) var target: (any ConnectionKeeper)?
    /// The keeper that holds it while idle.
    private var keeper: (any ConnectionKeeper)?
    // Asked several times for each request, and a channel takes long to answer.
    private(set) var isWritable = true
    private var pendingWrites = PendingWrites()
    /// Small pieces of a request's body that leave together, at the end of this turn of the event loop.
    private var gathered = ByteBuffer()
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

    func write(_ head: RequestHead, as request: OutgoingRequest, scratch: HeadScratch) {
        decoder.expect(responseTo: head.method)
        // The end of the request before this one.
        writeGathered()
        request.write(head, fields: &scratch.fields, into: &scratch.request.bytes)
        bodyIsChunked = request.body == nil && (head.framing == .chunked || head.framing == .endOfStream)
        if let body = request.body, body.readableBytes <= Self.coalescingLimit {
            scratch.request.bytes.writeImmutableBuffer(body)
            write(scratch.request.take(in: turn.number))
        } else {
            write(scratch.request.take(in: turn.number))
            if let body = request.body { write(body) }
        }
    }

    func writeBody(_ bytes: ByteBuffer) {
        if bodyIsChunked {
            ChunkedEncoding.writeChunk(bytes, into: &gathered)
        } else if bytes.readableBytes <= Self.smallPiece {
            gathered.writeImmutableBuffer(bytes)
        } else {
            writeGathered()
            return write(bytes)
        }
        if gathered.readableBytes > Self.coalescingLimit { writeGathered() }
    }

    func writeEnd(trailers: FieldSection?) {
        guard bodyIsChunked else { return }
        ChunkedEncoding.writeLastChunk(trailers: trailers, into: &gathered)
    }

    private func writeGathered() {
        guard gathered.readableBytes > 0 else { return }
        let bytes = gathered
        gathered = ByteBuffer()
        write(bytes)
    }

    private func write(_ bytes: ByteBuffer) {
        guard let context else { return }
        let isLast = pendingWrites.isLast(on: context)
        if isLast { isWritable = false }
        context.write(wrapOutboundOut(bytes), promise: isLast ? writesTaken(on: context) : nil)
    }

    private func writesTaken(on context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        pendingWrites.promise(on: context) { [self] in
            pendingWrites.allTaken()
            if let context = self.context { channelWritabilityChanged(context: context) }
        }
    }

    func flush() {
        guard !flushIsDue else { return }
        flushIsDue = true
        turn.flushAtEnd(self)
    }

    func flushNow() {
        guard flushIsDue else { return }
        flushIsDue = false
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
        isWritable = context.channel.isWritable
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
        isWritable = context.channel.isWritable && !pendingWrites.isFull
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
