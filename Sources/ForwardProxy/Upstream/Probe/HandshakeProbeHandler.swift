import NIOCore
import NIOSSL
import NIOTLS

/// Waits behind TLS until the server's certificates have been seen, then closes the connection.
final class HandshakeProbeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private typealias Outcome = Result<[[UInt8]], UpstreamFailure>

    private enum State {
        /// Nobody has asked yet for the outcome.
        case shakingHands
        case awaited(EventLoopPromise<[[UInt8]]>, timeout: Scheduled<Void>)
        /// The handshake is over, and nobody has asked yet.
        case over(Outcome)
        case reported
    }

    private let verdict: CertificateVerdict
    private var state = State.shakingHands
    private var context: ChannelHandlerContext?

    init(verdict: CertificateVerdict) {
        self.verdict = verdict
    }

    /// - Parameter promise: The promise of what the server presented, whether or not that was accepted; fails with
    ///   ``UpstreamFailure`` when it presented nothing.
    func report(to promise: EventLoopPromise<[[UInt8]]>, timeout: TimeAmount, clock: any ProxyClock) {
        switch state {
        case .shakingHands:
            let loop = promise.futureResult.eventLoop
            let timer = clock.schedule(in: timeout, on: loop) { [self] in end(.handshakeTimeout) }
            state = .awaited(promise, timeout: timer)
        case .over(let outcome): report(outcome, to: promise)
        case .awaited, .reported: promise.fail(UpstreamFailure.closed)
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { end(.closed) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.handshake(TLSWords.describe(error)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.handshake("the server closed the connection during the handshake"))
    }

    /// - Parameter failure: The outcome if no certificate was seen.
    private func end(_ failure: UpstreamFailure) {
        let outcome: Outcome = verdict.presentedDER.isEmpty ? .failure(failure) : .success(verdict.presentedDER)
        switch state {
        case .shakingHands:
            state = .over(outcome)
            context?.close(promise: nil)
        case .awaited(let promise, let timeout):
            timeout.cancel()
            report(outcome, to: promise)
            context?.close(promise: nil)
        case .over, .reported: break
        }
    }

    private func report(_ outcome: Outcome, to promise: EventLoopPromise<[[UInt8]]>) {
        state = .reported
        promise.completeWith(outcome.mapError { $0 as any Error })
    }
}

@available(*, unavailable)
extension HandshakeProbeHandler: Sendable {}
