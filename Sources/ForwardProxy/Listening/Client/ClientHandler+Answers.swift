import HTTP1Codec
import NIOCore
import Settings

// MARK: - What an exchange asks of the client's connection

extension ClientHandler: ExchangeClient {
    var isWritable: Bool { machine.isWritable }

    var takesResets: Bool { false }

    func writeContinue() {
        write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"))
        flush()
    }

    /// To be called before anything is written into the buffer that all clients of an event loop share: an upstream
    /// connection may bring bytes for several of them at once.
    private func claimScratch() {
        guard proxyLoop.scratch.owner !== self else { return }
        proxyLoop.scratch.owner?.writeGathered()
        proxyLoop.scratch.owner = self
        proxyLoop.scratch.response.bytes.clear()
    }

    func writeInterim(_ response: ResponseHead) {
        claimScratch()
        response.write(
            into: &proxyLoop.scratch.response.bytes,
            dropping: ResponseForwarding.hopByHop,
            appending: ByteBuffer()
        )
    }

    func writeHead(
        _ response: ResponseHead,
        to request: RequestHead,
        proxyStatus: String?,
        requestIsComplete: Bool
    ) {
        claimScratch()
        headIsUnsent = true
        // A server that answers before it has the whole request, and then closes or speaks HTTP/2, gets no more of it.
        // The rest then ends this connection, and the client has to know that, or it loses its next request.
        let dropsRest = !requestIsComplete && (!response.keepAlive || response.version == .http2)
        closesAfterResponse = !request.keepAlive || proxyLoop.isDraining || dropsRest
        bodyCoding = ResponseForwarding.write(
            response,
            to: request,
            closes: &closesAfterResponse,
            proxyStatus: proxyStatus,
            fields: &proxyLoop.scratch.fields,
            into: &proxyLoop.scratch.response.bytes
        )
    }

    func writeBody(_ bytes: ByteBuffer) {
        claimScratch()
        if bodyCoding == .chunked {
            ChunkedEncoding.writeChunkHeader(length: bytes.readableBytes, into: &proxyLoop.scratch.response.bytes)
        }
        if bytes.readableBytes <= Self.coalescingLimit {
            proxyLoop.scratch.response.bytes.writeImmutableBuffer(bytes)
        } else {
            writeGathered()
            write(bytes)
        }
        guard bodyCoding == .chunked else { return }
        claimScratch()
        ChunkedEncoding.writeChunkEnd(into: &proxyLoop.scratch.response.bytes)
    }

    func writeEnd(trailers: FieldSection?) {
        guard bodyCoding == .chunked else { return }
        claimScratch()
        ChunkedEncoding.writeLastChunk(trailers: trailers, into: &proxyLoop.scratch.response.bytes)
    }

    func writeGathered() {
        guard proxyLoop.scratch.owner === self else { return }
        proxyLoop.scratch.owner = nil
        headIsUnsent = false
        write(proxyLoop.scratch.response.take(in: proxyLoop.turn.number))
    }

    func withdrawHead() -> Bool {
        guard headIsUnsent, proxyLoop.scratch.owner === self else { return false }
        headIsUnsent = false
        proxyLoop.scratch.owner = nil
        return true
    }

    func write(_ bytes: ByteBuffer) {
        guard let context else { return }
        backlog.note(written: bytes.readableBytes)
        let isLast = pendingWrites.isLast(on: context)
        if isLast { machine.writesAreFull() }
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
        proxyLoop.turn.flushAtEnd(self)
    }

    func requestBodyWanted() {
        pump()
    }

    func awaitResponse(for time: TimeAmount) {
        if machine.responseAwaited() { startTimer(time) }
    }

    func progress() {
        if machine.transferAwaited() { startTimer(worker.settings.timeouts.idle) }
    }

    func awaitRequest(for time: TimeAmount) {
        if machine.transferAwaited() { startTimer(time) }
    }

    func exchangeFinished() {
        exchange = nil
        responseEnded(closes: closesAfterResponse || proxyLoop.isDraining)
    }

    func exchangeFinishedUnread() {
        exchange = nil
        responseEnded(closes: true)
    }

    private func responseEnded(closes: Bool) {
        switch machine.responseEnded(closes: closes) {
        case .none: break
        case .decodeNext:
            startTimer()
            pump()
        case .finish: finish()
        }
    }

    func abort(_ reason: UpstreamFailure?) {
        exchange = nil
        _ = machine.ended()
        timer.cancel()
        proxyLoop.clients.remove(self)
        if flushIsDue { flushNow() }
        guard let context else { return }
        // A reset, and not an end that could pass for the response's: past TLS, which would announce one.
        context.resetAtClose()
        bareContext?.close(promise: nil)
    }

    /// The context by which writes and closes go to the bare connection, past TLS if there is any.
    private var bareContext: ChannelHandlerContext? {
        intercepted == nil ? context : context?.pastTLS
    }

    func switchProtocols(_ response: ResponseHead, of exchange: Exchange, on stream: any UpstreamStream) {
        self.exchange = nil
        let action = machine.protocolsSwitched()
        guard action == .openTunnel, let context else {
            stream.close(.cancelled)
            if action == .close { close() }
            return
        }
        claimScratch()
        ResponseForwarding.write(
            switching: response,
            fields: &proxyLoop.scratch.fields,
            into: &proxyLoop.scratch.response.bytes
        )
        writeGathered()
        context.flush()
        let (near, far) = TunnelHandler.pair(
            idleTime: exchange.context.settings.timeouts.idle,
            clock: exchange.context.clock
        )
        proxyLoop.watchTunnel(near, exchange)
        do {
            try becomeTunnel(near) {
                guard stream.switchProtocols(to: far) else { throw ChannelError.ioOnClosedChannel }
            }
        } catch {
            stream.close(.cancelled)
            context.close(promise: nil)
        }
    }

    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchange = nil
        guard !machine.isClosed else { return }
        // Interim responses that came before are this client's, and would otherwise be the next one's.
        writeGathered()
        // After a malformed request nothing that follows can be trusted to be one.
        let closes =
            !requestIsComplete || problem.status == 400 || problem == .configurationChanged || problem == .gatewayGone
            || proxyLoop.isDraining || overLimit != nil || !(head?.keepAlive ?? false)
        write(
            ProblemResponse.bytes(
                for: problem,
                omitsBody: head?.method == .head,
                closes: closes
            )
        )
        // Below TLS the channel counts only what was flushed.
        if intercepted == nil { flush() } else { flushNow() }
        responseEnded(closes: closes)
    }

    /// Ends the connection in order as soon as the client has taken everything that was written for it.
    func finish() {
        guard let context else { return }
        // What has come and is not decoded is not going to be.
        _ = decoder.takeBuffered()
        releaseInput()
        startTimer()
        context.flush()
        OrderlyClose.begin(on: bareContext ?? context) { [self] in outputTaken() }
    }

    private func outputTaken() {
        let action = machine.outputTaken()
        guard action != .none, let context else { return }
        startTimer()
        context.close(mode: .output, promise: nil)
        if action == .closeWhenSent { closePastTLSWhenSent() } else { releaseRead() }
    }

    /// Ends the connection of a client that sends nothing more, when everything is out.
    func closePastTLSWhenSent() {
        if flushIsDue { flushNow() }
        if unsentBytes == 0 { closePastTLS() }
    }

    /// Ends the connection without another word of TLS, which would wait for the client's close_notify.
    func closePastTLS() {
        bareContext?.close(promise: nil)
    }

    func drain() {
        if machine.endsForDraining(bufferedBytes: decoder.bufferedBytes) { closeWhenSent() }
    }

    func closeNow() {
        exchange?.cutOff()
        close()
    }

    var unsentBytes: Int { context?.channel.unsentBytes ?? 0 }

    /// Ends the connection in order, between requests.
    func closeWhenSent() {
        if flushIsDue { flushNow() }
        switch machine.closed(isSent: unsentBytes == 0) {
        case .none: break
        case .close: close()
        case .finish: finish()
        }
    }

    /// Ends the connection. What the system has not taken of what was written is dropped.
    func close() {
        if flushIsDue { flushNow() }
        context?.close(promise: nil)
    }

    var peer: PeerAddress { PeerAddress(context?.channel.remoteAddress) }

    var keptSince: NIODeadline? {
        guard isBetweenRequests, machine.state == .serving(.nextRequest) else { return nil }
        return timer.deadline - worker.settings.timeouts.idle
    }

    var silentSince: NIODeadline? {
        guard isBetweenRequests, machine.state == .serving(.head) else { return nil }
        return timer.deadline - worker.settings.timeouts.requestHeader
    }

    private var isBetweenRequests: Bool {
        guard machine.isAtRest(bufferedBytes: decoder.bufferedBytes), overLimit == nil else { return false }
        return !flushIsDue && unsentBytes == 0
    }

    func slowSince(at now: NIODeadline) -> NIODeadline? {
        guard machine.isServing || machine.state == .finishing, overLimit == nil, !isBetweenRequests else { return nil }
        let acknowledged = context?.channel.acknowledgedBytes ?? 0
        let lastTaken = backlog.observe(unsentBytes, acknowledged: acknowledged, at: now)
        if let exchange {
            let unsent = exchange.stream?.unsentBytes ?? 0
            progressMade.observe(unsent: unsent, at: now)
            if exchange.wantsRequestBody { return max(progressMade.lastMade, lastTaken ?? .distantPast) }
            return lastTaken ?? (unsent > 0 ? progressMade.lastMade : nil)
        }
        switch machine.state {
        case .serving(.head): return timer.deadline - worker.settings.timeouts.requestHeader
        case .serving(.handshake): return timer.deadline - worker.settings.timeouts.handshake
        default: return lastTaken
        }
    }

    func unreadSince(at now: NIODeadline) -> NIODeadline? {
        context.flatMap { backlog.observe($0.channel, at: now) }
    }

    func heldMemory(of client: ClientUsage) -> [HeldMemory] {
        var held = exchange?.heldMemory(of: client).map { [$0] } ?? []
        if mayGiveInputBack, headMemory.isOf(client) {
            held.append(HeldMemory(bytes: headMemory.bytes, giveBack: giveInputBack))
        }
        return held
    }

    var mayGiveWay: Bool { context?.channel.mayEndInOrder != false }

    func giveWay() {
        exchange?.giveWay()
        if flushIsDue { flushNow() }
        // A client that has had nothing to say for a long time may not answer TLS's close_notify either.
        closePastTLS()
    }
}

extension ClientHandler: FlushedAtTurnEnd {
    func flushNow() {
        flushIsDue = false
        context?.flush()
    }
}
