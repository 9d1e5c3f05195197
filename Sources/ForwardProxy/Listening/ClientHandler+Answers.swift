import Glibc
import HTTP1Codec
import NIOCore
import NIOSSL

// MARK: - What an exchange asks of the client's connection

extension ClientHandler {
    func write(_ octets: ByteBuffer) {
        context?.write(wrapOutboundOut(octets), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    /// The exchange can take more of the request.
    func requestBodyWanted() {
        pump()
    }

    /// The whole request is out.
    func awaitResponse() {
        start(.response, worker.settings.timeouts.responseHeader)
    }

    /// Something has moved.
    func progress() {
        start(.transfer, worker.settings.timeouts.idle)
    }

    /// The response is through, and so is the request.
    func exchangeFinished(close: Bool) {
        exchange = nil
        if close || proxyLoop.isDraining { return finishAndClose() }
        start(.nextRequest, worker.settings.timeouts.idle)
        pump()
    }

    /// The response is through, but the client has not been read to the end of its request.
    func exchangeFinishedUnread() {
        exchange = nil
        finishAndClose()
    }

    /// The client must see that its response is not whole: no orderly end.
    func abort() {
        exchange = nil
        phase = .closed
        timer.cancel()
        proxyLoop.clients.remove(self)
        guard let context else { return }
        // A reset, and not an end that could pass for the response's: past TLS, which would announce one.
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(Glibc.linger(l_onoff: 1, l_linger: 0))
        bareContext?.close(promise: nil)
    }

    /// Where writes and closes go to the bare connection, past TLS if there is any.
    private var bareContext: ChannelHandlerContext? {
        guard interception != nil else { return context }
        return try? context?.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
    }

    /// Sends the proxy's own answer.
    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchange = nil
        guard let context, phase != .closed else { return }
        // After a malformed request nothing that follows can be trusted to be one.
        let closes =
            !requestIsComplete || problem.status == 400 || problem == .configurationChanged || proxyLoop.isDraining
            || isOverLimit || !(head?.keepAlive ?? false)
        write(
            ProblemResponse.octets(
                for: problem,
                omitsBody: head?.method == .head,
                closes: closes,
                allocator: context.channel.allocator
            )
        )
        flush()
        if closes { return finishAndClose() }
        start(.nextRequest, worker.settings.timeouts.idle)
        pump()
    }

    /// Ends the connection in order as soon as the client has taken everything that was written for it.
    func finishAndClose() {
        guard let context, phase == .serving else { return }
        phase = .finishing
        start(.transfer, worker.settings.timeouts.idle)
        flush()
        // Closing drops what is still to be written: nothing, written behind it, tells when it is gone.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in linger() }
        guard let bareContext else { return written.succeed() }
        bareContext.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }

    /// Everything is out. What the client still sends is taken for a while, so that a reset does not overtake the answer.
    private func linger() {
        guard let context, phase == .finishing else { return }
        if inputEnded { return context.close(promise: nil) }
        phase = .lingering
        start(.linger, Self.lingerTime)
        context.close(mode: .output, promise: nil)
        releaseRead()
    }

    /// The proxy is stopping: a connection between requests ends now, any other after its response.
    func drain() {
        if phase == .serving, exchange == nil { context?.close(promise: nil) }
    }

    func closeNow() {
        context?.close(promise: nil)
    }
}
