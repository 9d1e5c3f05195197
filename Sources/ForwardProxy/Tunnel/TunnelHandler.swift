import NIOCore
import NIOSSL

/// One end of a blind tunnel: passes octets, ends and back-pressure to its partner.
///
/// Both ends are on one event loop. A read is passed on only while the partner is writable.
final class TunnelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var partner: TunnelHandler?
    private var context: ChannelHandlerContext?
    private var readIsHeld = false
    private var inputEnded = false
    private var outputIsEnding = false
    private var outputEnded = false
    /// Whether it ends otherwise than by the ends of both directions.
    private var isBroken = false
    private let idleTime: TimeAmount
    private var timer = ConnectionTimer()
    /// Called once when this end is over, with the octets that it and its partner have received.
    var onEnd: ((_ received: Int, _ receivedByPartner: Int) -> Void)?
    private var received = 0

    private init(idleTime: TimeAmount) {
        self.idleTime = idleTime
    }

    static func pair(idleTime: TimeAmount) -> (TunnelHandler, TunnelHandler) {
        let one = TunnelHandler(idleTime: idleTime)
        let other = TunnelHandler(idleTime: idleTime)
        one.partner = other
        other.partner = one
        return (one, other)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        restartTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        partner = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        restartTimer()
        partner?.write(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        partner?.context?.flush()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            inputEnded = true
            partner?.endOutput()
            if outputEnded { context.close(promise: nil) }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.releaseRead() }
    }

    func read(context: ChannelHandlerContext) {
        if let partner, partner.context?.channel.isWritable == false {
            readIsHeld = true
        } else {
            context.read()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Of TLS that another proxy is spoken to by. What is within the tunnel knows whether it is whole; the end follows.
        if case NIOSSLError.uncleanShutdown = error { return }
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        let report = onEnd
        onEnd = nil
        report?(received, partner?.received ?? 0)
        let partner = self.partner
        self.partner = nil
        // A channel whose output has ended closes at the end of its input, without an event that says so. The partner
        // may still have something to write then.
        if outputEnded, !isBroken {
            partner?.endOutput()
        } else {
            partner?.context?.close(promise: nil)
        }
        context.fireChannelInactive()
    }

    /// Ends both sides at once.
    func close() {
        isBroken = true
        context?.close(promise: nil)
    }

    private func write(_ data: NIOAny) {
        context?.write(data, promise: nil)
    }

    private func endOutput() {
        guard !outputIsEnding, let context else { return }
        outputIsEnding = true
        // Closing drops what is still to be written: nothing, written behind it, tells when it is gone.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            outputEnded = true
            self.context?.close(mode: inputEnded ? .all : .output, promise: nil)
        }
        context.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }

    private func releaseRead() {
        guard readIsHeld else { return }
        readIsHeld = false
        context?.read()
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
