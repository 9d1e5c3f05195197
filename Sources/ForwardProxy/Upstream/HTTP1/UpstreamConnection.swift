import HTTP1Codec
import NIOCore
import NIOSSL
import Settings

/// The last handler of an upstream channel that speaks HTTP/1.1, once an ``UpstreamNegotiationHandler`` has found that it
/// may carry requests: decodes responses for whoever has leased the connection.
///
/// Only carries out what ``UpstreamConnectionStateMachine`` says.
final class UpstreamConnection: ChannelDuplexHandler, UpstreamStream, FlushedAtTurnEnd {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Holds connections to servers between requests. Called on their event loop.
    protocol Keeper: AnyObject {
        /// Takes a connection that is idle now, and closes one that nobody could use.
        func keep(_ connection: UpstreamConnection)
        /// An idle connection is gone.
        func forget(_ connection: UpstreamConnection)
        /// A connection leads to this target from now on, or is one less that does.
        func countConnections(_ difference: Int)
    }

    private struct Home {
        /// The target that it leads to.
        let target: any Keeper
        /// The keeper that holds it while idle.
        var keeper: any Keeper
    }

    private var machine: UpstreamConnectionStateMachine<any UpstreamLessee>
    private var decoder: ResponseDecoder
    private var writer = RequestWriter()
    private var context: ChannelHandlerContext?
    private var timer: ConnectionTimer
    private let idleTime: TimeAmount
    private let clock: any ProxyClock
    private let turn: EventLoopTurn
    /// The place where the certificate verification has left what the server presented.
    let verdict: CertificateVerdict?
    /// The time that making it took; nil when nobody has measured.
    private(set) var connectTimes: ConnectTimes?
    /// The claim that it is counted by.
    let claim: ConnectionClaim
    /// Its place at a target; nil before it has one, and when it is of no use any more.
    private var home: Home?

    init(_ terms: UpstreamTerms, verdict: CertificateVerdict?, turn: EventLoopTurn, claim: ConnectionClaim) {
        let (timeouts, clock) = (terms.timeouts, terms.clock)
        machine = UpstreamConnectionStateMachine(endOfUse: timeouts.endOfUse(madeAt: clock.coarseNow))
        decoder = ResponseDecoder(limits: terms.messageLimits)
        timer = ConnectionTimer(clock: clock)
        idleTime = timeouts.idle
        self.clock = clock
        self.turn = turn
        self.verdict = verdict
        self.claim = claim
    }

    /// Keeps the time that making it took.
    func noteConnectTimes(_ times: ConnectTimes) { connectTimes = times }

    // MARK: Lease

    var isReused: Bool { machine.isReused }
    var address: SocketAddress? { context?.channel.remoteAddress }
    var version: String { "http/1.1" }

    /// The target that it leads to.
    var target: (any Keeper)? { home?.target }

    /// Indicates whether another request may be sent on it.
    var isUsable: Bool { machine.isUsable(at: clock.coarseNow) }

    func lease(to lessee: any UpstreamLessee) {
        switch machine.lease(to: lessee) {
        case .begin: timer.clear()
        case .refuse: break
        }
    }

    func release(reusable: Bool) {
        claim.endUse()
        switch machine.released(reusable: reusable && home != nil, unreadBytes: decoder.bufferedBytes) {
        case .keep(let read):
            if !timer.move(idleTime), let context {
                timer.schedule(on: context.eventLoop) { [self] in timerFired() }
            }
            if read { context?.read() }
            home?.keeper.keep(self)
        case .close: disconnect()
        case .none: break
        }
    }

    /// Makes the connection one of a target's, and of nobody else's.
    func leads(to target: any Keeper) {
        if home?.target !== target {
            target.countConnections(1)
            home?.target.countConnections(-1)
        }
        home = Home(target: target, keeper: target)
    }

    /// The connection has a user by now, or may soon have one: no other client's requests are sent on it.
    func belong(to owner: any Keeper) {
        home?.keeper = owner
    }

    private func timerFired() {
        guard let context, timer.isDue(on: context.eventLoop, fire: { [self] in timerFired() }) else { return }
        switch machine.idleTimedOut() {
        case .closeIdle: closeIdle()
        case .none: break
        }
    }

    func switchProtocols(to tunnel: TunnelHandler) -> Bool {
        guard let context, context.channel.isActive else { return false }
        guard case .handOver(let input, let read) = machine.switchProtocols() else { return false }
        leaveTarget()
        do {
            try context.pipeline.syncOperations.addHandler(tunnel, position: .after(self))
        } catch {
            disconnect()
            return false
        }
        flushNow()
        timer.cancel()
        let early = decoder.takeBuffered()
        if early.readableBytes > 0 {
            context.fireChannelRead(NIOAny(early))
            context.fireChannelReadComplete()
        }
        if input == .cutOff { context.fireErrorCaught(NIOSSLError.uncleanShutdown) }
        if input != .open { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        let pipeline = context.pipeline
        pipeline.syncOperations.removeHandler(context: context, promise: nil)
        if read { pipeline.read() }
        return true
    }

    // MARK: Request

    var isWritable: Bool { writer.isWritable }

    var unsentBytes: Int { context?.channel.unsentBytes ?? 0 }

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
        let isLast = writer.isLastWrite(on: context)
        context.write(wrapOutboundOut(bytes), promise: isLast ? writesTaken(on: context) : nil)
    }

    private func writesTaken(on context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        PendingWrites.promise(on: context) { [self] in
            writer.writesTaken()
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

    // MARK: Response

    func resumeReading() {
        deliver()
        if machine.readResumed() == .read { context?.read() }
    }

    /// Hands over what is buffered, for as long as the lessee takes it.
    private func deliver() {
        guard machine.deliveryBegins() else { return }
        defer { machine.deliveryEnded() }
        do throws(MessageError) {
            while let lessee = machine.lessee, lessee.takesResponseBytes {
                guard let event = try decoder.next() else {
                    endInput(of: lessee)
                    break
                }
                hand(event, to: lessee)
            }
            machine.lessee?.upstreamDelivered()
        } catch {
            lost(.malformedResponse(error))
        }
    }

    private func hand(_ event: ResponseEvent, to lessee: any UpstreamLessee) {
        switch event {
        case .head(let head):
            machine.responseHead(keepsAlive: head.keepAlive)
            lessee.upstreamResponseHead(head)
        case .body(let bytes): lessee.upstreamResponseBody(bytes)
        case .end(let trailers):
            let reusable = machine.isReusable(unreadBytes: decoder.bufferedBytes)
            lessee.upstreamResponseEnd(trailers: trailers, reusable: reusable)
        }
    }

    /// Makes of the end of the input what that is for the response, if it has come.
    private func endInput(of lessee: any UpstreamLessee) {
        switch machine.drained() {
        case .awaitBytes: break
        case .finish:
            if let event = try? decoder.finish() { hand(event, to: lessee) }
            lost(.closed)
        case .fail: lost(.closed)
        }
    }

    // MARK: End

    func close(_ cause: StreamEnd) {
        close()
    }

    /// Ends whatever it does, at once.
    func close() {
        switch machine.close() {
        case .close: disconnect()
        case .none: break
        }
    }

    /// The connection is of no use any more.
    private func lost(_ failure: UpstreamFailure) {
        switch machine.failed() {
        case .failLease(let lessee):
            disconnect()
            lessee.upstreamClosed(failure)
        case .closeIdle: closeIdle()
        case .none: break
        }
    }

    private func closeIdle() {
        home?.keeper.forget(self)
        disconnect()
    }

    private func disconnect() {
        flushNow()
        timer.cancel()
        claim.release()
        leaveTarget()
        context?.close(promise: nil)
    }

    private func leaveTarget() {
        home.take()?.target.countConnections(-1)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        writer.writabilityChanged(channelIsWritable: context.channel.isWritable)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        lost(.closed)
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        let lesseeTakesBytes = machine.lessee?.takesResponseBytes ?? true
        switch machine.read(lesseeTakesBytes: lesseeTakesBytes) {
        case .read: context.read()
        case .hold: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch machine.bytesReceived() {
        case .decode:
            decoder.append(unwrapInboundIn(data))
            deliver()
        case .closeIdle: closeIdle()
        case .discard: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        machine.lessee?.upstreamReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writer.writabilityChanged(channelIsWritable: context.channel.isWritable)
        machine.lessee?.upstreamWritabilityChanged(isWritable: isWritable)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { return inputEnded(isAnnounced: true) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // No reason to close by itself: a response of known length is still whole.
        if case NIOSSLError.uncleanShutdown = error { return inputEnded(isAnnounced: false) }
        lost(.established(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        inputEnded(isAnnounced: true)
        context.fireChannelInactive()
    }

    private func inputEnded(isAnnounced: Bool) {
        switch machine.inputEnded(isAnnounced: isAnnounced) {
        case .deliver: deliver()
        case .closeIdle: closeIdle()
        case .none: break
        }
    }
}

extension UpstreamConnection: RemovableChannelHandler {}

@available(*, unavailable)
extension UpstreamConnection: Sendable {}
