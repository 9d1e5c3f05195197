import Glibc
import HTTP1Codec
import NIOCore

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
        if close || inputEnded || worker.isDraining {
            if inputEnded { context?.close(promise: nil) } else { linger() }
            return
        }
        start(.nextRequest, worker.settings.timeouts.idle)
        pump()
    }

    /// The response is through, but the client has not been read to the end of its request.
    func exchangeFinishedUnread() {
        exchange = nil
        linger()
    }

    /// The client must see that its response is not whole: no orderly end.
    func abort() {
        exchange = nil
        phase = .closed
        timer.cancel()
        worker.clients.remove(self)
        guard let context else { return }
        // A reset, and not an end that could pass for the response's.
        (context.channel as? any SocketOptionProvider)?.setSoLinger(Glibc.linger(l_onoff: 1, l_linger: 0))
            .whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
    }

    /// Sends the proxy's own answer.
    func answer(_ problem: Problem, to head: RequestHead?, requestIsComplete: Bool) {
        exchange = nil
        guard let context, phase != .closed else { return }
        // After a malformed request nothing that follows can be trusted to be one.
        let closes =
            !requestIsComplete || problem.status == 400 || worker.isDraining || isOverLimit
            || !(head?.keepAlive ?? false)
        write(
            ProblemResponse.octets(
                for: problem,
                omitsBody: head?.method == .head,
                closes: closes,
                allocator: context.channel.allocator
            )
        )
        flush()
        if closes { return linger() }
        start(.nextRequest, worker.settings.timeouts.idle)
        pump()
    }

    func linger() {
        guard let context, phase != .closed, phase != .lingering else { return }
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
