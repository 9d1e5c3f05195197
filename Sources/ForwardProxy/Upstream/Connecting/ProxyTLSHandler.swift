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
        /// - Parameter timeout: The end of the time for it; nil before the connection is up.
        case shakingHands(timeout: Scheduled<Void>?)
        case up
        case failed
    }

    private let proxy: UpstreamProxy
    /// The place where the verification of the proxy's certificate leaves the reason of a refusal.
    private let verdict: CertificateVerdict
    private let timeout: TimeAmount
    private let clock: any ProxyClock
    private var state = State.shakingHands(timeout: nil)

    /// - Parameter timeout: The time that the handshake may take.
    init(proxy: UpstreamProxy, verdict: CertificateVerdict, timeout: TimeAmount, clock: any ProxyClock) {
        self.proxy = proxy
        self.verdict = verdict
        self.timeout = timeout
        self.clock = clock
    }

    func channelActive(context: ChannelHandlerContext) {
        guard case .shakingHands = state else { return }
        let timer = clock.schedule(in: timeout, on: context.eventLoop) { [self] in fail(.handshakeTimeout, context) }
        state = .shakingHands(timeout: timer)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            guard case .shakingHands(let timeout) = state else { return }
            state = .up
            timeout?.cancel()
            context.fireChannelActive()
        case TLSUserEvent.shutdownCompleted: break
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case .up = state else { return fail(failure(error), context) }
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
        if case .shakingHands(let timeout) = state { timeout?.cancel() }
    }

    private func failure(_ error: (any Error)?) -> UpstreamProxyFailure {
        if let failure = verdict.failure { return .notTrusted(failure) }
        let words = error.map(TLSWords.describe) ?? "the peer closed the connection during the handshake"
        return .handshake(words)
    }

    private func fail(_ failure: UpstreamProxyFailure, _ context: ChannelHandlerContext) {
        guard case .shakingHands(let timeout) = state else { return }
        state = .failed
        timeout?.cancel()
        context.fireErrorCaught(UpstreamFailure.upstreamProxy("\(proxy)", failure))
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension ProxyTLSHandler: Sendable {}
