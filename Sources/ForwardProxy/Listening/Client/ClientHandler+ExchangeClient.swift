import HTTP1Codec
import NIOCore
import Settings

// MARK: - What an exchange asks of the client's connection

extension ClientHandler: ExchangeClient {
    var isWritable: Bool { machine.isWritable }

    var takesResets: Bool { false }

    // MARK: Request

    /// Passes on what has come of the request in flight.
    func hand(_ event: RequestEvent, to exchange: Exchange) {
        switch event {
        case .head: break
        case .body(let bytes):
            progress()
            progressMade.requestMoved(bytes: bytes.readableBytes, at: clock.coarseNow)
            exchange.requestBody(bytes)
        case .end(let trailers):
            // From now on the exchange counts them.
            releaseInput()
            exchange.requestEnd(trailers: trailers)
        }
    }

    // MARK: Response

    func writeContinue() {
        write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"))
        flush()
    }

    private var scratch: ResponseScratch { proxyLoop.scratch }

    func writeInterim(_ response: ResponseHead) {
        scratch.claim(for: self)
        response.write(
            into: &scratch.response.bytes,
            dropping: ResponseForwarding.hopByHop,
            appending: [:]
        )
    }

    func writeHead(
        _ response: ResponseHead,
        to request: RequestHead,
        proxyStatus: String?,
        requestIsComplete: Bool
    ) {
        scratch.claim(for: self)
        let dropped = self.response.writeHead(
            response,
            to: request,
            closes: proxyLoop.isDraining,
            proxyStatus: proxyStatus,
            requestIsComplete: requestIsComplete,
            into: scratch
        )
        guard let exchange, exchange.tellsHeads else { return }
        exchange.tellHead(response, dropping: dropped, appending: scratch.fields)
    }

    func writeBody(_ bytes: ByteBuffer) {
        scratch.claim(for: self)
        if response.writePiece(bytes, into: &scratch.response.bytes) { return }
        writeGathered()
        write(bytes)
        guard response.isChunked else { return }
        scratch.claim(for: self)
        ChunkedEncoding.writeChunkEnd(into: &scratch.response.bytes)
    }

    func writeEnd(trailers: FieldSection?) {
        guard response.isChunked else { return }
        scratch.claim(for: self)
        ChunkedEncoding.writeLastChunk(trailers: trailers, into: &scratch.response.bytes)
    }

    func writeGathered() {
        guard scratch.release(by: self) else { return }
        response.headWasSent()
        write(scratch.response.take(in: proxyLoop.turn.number))
    }

    func withdrawHead() -> Bool {
        response.withdrawHead() && scratch.release(by: self)
    }

    // MARK: Course

    func requestBodyWanted() {
        pump()
    }

    func awaitResponse(for time: TimeAmount) {
        if machine.responseAwaited() == .startTimer { startTimer(time) }
    }

    func progress() {
        if machine.transferAwaited() == .startTimer { startTimer(proxyLoop.timeouts.idle) }
    }

    func awaitRequest(for time: TimeAmount) {
        if machine.transferAwaited() == .startTimer { startTimer(time) }
    }

    // MARK: End

    func exchangeFinished() {
        exchangeEnded()
        responseEnded(closes: response.closes || proxyLoop.isDraining)
    }

    func exchangeFinishedUnread() {
        exchangeEnded()
        responseEnded(closes: true)
    }

    func abort(_ reason: UpstreamFailure?) {
        exchangeEnded()
        reset()
    }

    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchangeEnded()
        guard !machine.isClosed else { return }
        // Interim responses that came before are this client's, and would otherwise be the next one's.
        writeGathered()
        let answer = ClientResponse.answer(
            problem,
            to: head,
            closes: proxyLoop.isDraining || requests.identity.overLimit != nil,
            requestIsComplete: requestIsComplete
        )
        write(answer.bytes)
        // Below TLS the channel counts only what was flushed.
        if hasTLS { flushNow() } else { flush() }
        responseEnded(closes: answer.closes)
    }

    func switchProtocols(_ response: ResponseHead, of exchange: Exchange, on stream: any UpstreamStream) {
        exchangeEnded()
        let action = machine.protocolsSwitched()
        guard action == .openTunnel, let context else {
            stream.close(.cancelled)
            if action == .close { close() }
            return
        }
        scratch.claim(for: self)
        ResponseForwarding.write(switching: response, fields: &scratch.fields, into: &scratch.response.bytes)
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
            near.end()
            stream.close(.cancelled)
            context.close(promise: nil)
        }
    }
}
