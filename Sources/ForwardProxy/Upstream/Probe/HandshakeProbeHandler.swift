import NIOCore
import NIOSSL
import NIOTLS

/// Waits behind TLS until the server's certificates have been seen, then closes the connection.
final class HandshakeProbeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let verdict: CertificateVerdict
    private var promise: EventLoopPromise<[[UInt8]]>?
    private var outcome: Result<[[UInt8]], UpstreamFailure>?
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    init(verdict: CertificateVerdict) {
        self.verdict = verdict
    }

    /// - Parameter promise: Told what the server presented, whether or not that was accepted; fails with
    ///   ``UpstreamFailure`` when it presented nothing.
    func report(to promise: EventLoopPromise<[[UInt8]]>, timeout: TimeAmount, clock: any ProxyClock) {
        self.promise = promise
        if outcome != nil { return finish() }
        timer = clock.schedule(in: timeout, on: promise.futureResult.eventLoop) { [self] in end(.handshakeTimeout) }
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
        guard outcome == nil else { return }
        outcome = verdict.presentedDER.isEmpty ? .failure(failure) : .success(verdict.presentedDER)
        timer?.cancel()
        context?.close(promise: nil)
        finish()
    }

    private func finish() {
        guard let promise, let outcome else { return }
        self.promise = nil
        promise.completeWith(outcome.mapError { $0 as any Error })
    }
}

@available(*, unavailable)
extension HandshakeProbeHandler: Sendable {}
