import Credentials
import NIOCore
import NIOSSL
import NIOTLS
import UpstreamTrust

/// Stands between the TLS that is spoken with another proxy and everything that goes through it.
///
/// The handlers behind it learn that the channel is active when the proxy's certificate has been accepted, and nothing
/// of this TLS else: what TLS of their own tells them is of the server at the far end.
final class ProxyTLSHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum State {
        case shakingHands
        case up
        case failed
    }

    private let proxy: UpstreamProxy
    /// The place where the verification of the proxy's certificate leaves the reason of a refusal.
    private let verdict: CertificateVerdict
    private let timeout: TimeAmount
    private let clock: any ProxyClock
    private var timer: Scheduled<Void>?
    private var state = State.shakingHands

    /// - Parameter timeout: How long the handshake may take.
    init(proxy: UpstreamProxy, verdict: CertificateVerdict, timeout: TimeAmount, clock: any ProxyClock) {
        self.proxy = proxy
        self.verdict = verdict
        self.timeout = timeout
        self.clock = clock
    }

    func channelActive(context: ChannelHandlerContext) {
        timer = clock.schedule(in: timeout, on: context.eventLoop) { [self] in
            fail(.handshakeTimeout, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            guard state == .shakingHands else { return }
            state = .up
            timer?.cancel()
            context.fireChannelActive()
        case TLSUserEvent.shutdownCompleted: break
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard state == .up else { return fail(failure(error), context) }
        if case NIOSSLError.uncleanShutdown = error {
            // Whoever has no TLS of its own inside has to know that the end may be an attacker's.
            context.fireErrorCaught(error)
        } else {
            context.fireErrorCaught(UpstreamFailure.upstreamProxy("\(proxy)", .closed))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(failure(nil), context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    private func failure(_ error: (any Error)?) -> UpstreamProxyFailure {
        if let failure = verdict.failure { return .notTrusted(failure) }
        let words = error.map(TLSWords.describe) ?? "the peer closed the connection during the handshake"
        return .handshake(words)
    }

    private func fail(_ failure: UpstreamProxyFailure, _ context: ChannelHandlerContext) {
        guard state == .shakingHands else { return }
        state = .failed
        timer?.cancel()
        context.fireErrorCaught(UpstreamFailure.upstreamProxy("\(proxy)", failure))
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension ProxyTLSHandler: Sendable {}
