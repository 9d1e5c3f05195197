import NIOCore
import NIOSSL
import NIOTLS
import Routing

/// Sees a client's TLS handshake from both sides of the handler that does it, and reports one that leads to nothing.
/// Gone from the channel when the first bytes have come through TLS.
final class HandshakeObserver: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The time after the handshake within which a client that does not trust the certificate is gone.
    private static let closeTime = TimeAmount.seconds(1)

    private let records = TLSRecordObserver()
    private let proxyLoop: ProxyLoop
    /// The intercepted one; nil: the client speaks to the proxy itself.
    private let authority: Authority?
    private var completion: NIODeadline?
    private var isReported = false
    private var isInPipeline = false
    private var address: SocketAddress?

    init(proxyLoop: ProxyLoop, authority: Authority?) {
        self.proxyLoop = proxyLoop
        self.authority = authority
    }

    /// Adds TLS, as seen by an observer, in front of a handler.
    func add(
        _ tls: NIOSSLServerHandler,
        to pipeline: ChannelPipeline.SynchronousOperations,
        position: ChannelPipeline.SynchronousOperations.Position
    ) throws {
        try pipeline.addHandlers([records, tls, self], position: position)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isInPipeline = true
        address = context.remoteAddress
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isInPipeline = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        guard isInPipeline else { return }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            completion = proxyLoop.worker.clock.now
            records.leave(context.pipeline)
        case ChannelEvent.inputClosed: inputClosed()
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: break
        case is IOError where completion != nil: inputClosed()
        default:
            report(ClientHandshakeFailure(error, alert: records.alert, helloCame: records.helloCame))
        }
        context.fireErrorCaught(error)
    }

    /// Some libraries verify the certificate when the handshake is over. What checks whether the proxy lives may close
    /// as early as they do, but by CONNECT it does not.
    private func inputClosed() {
        guard let completion, authority != nil, !proxyLoop.isDraining,
            proxyLoop.worker.clock.now - completion < Self.closeTime
        else { return }
        let reason = "the client closed the connection right after the handshake, without a request"
        report(.probablyUntrusting(reason: reason))
    }

    private func report(_ failure: ClientHandshakeFailure) {
        guard !isReported else { return }
        isReported = true
        proxyLoop.worker.reportClientHandshake(failure, authority: authority, address: address)
    }
}

/// Sees the records of a TLS handshake that come from the client.
final class TLSRecordObserver: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Indicates whether the client has begun the handshake.
    private(set) var helloCame = false
    /// The description of the alert that came last, where it was not encrypted.
    private(set) var alert: UInt8?

    private static let handshakeType: UInt8 = 22
    private static let alertHeader: [UInt8] = [21, 3, 3, 0, 2]

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        if bytes.first == Self.handshakeType { helloCame = true }
        // An alert is the last record of all.
        let last = bytes.suffix(Self.alertHeader.count + 2)
        if last.count == Self.alertHeader.count + 2, last.starts(with: Self.alertHeader) { alert = last.last }
        context.fireChannelRead(data)
    }

    func leave(_ pipeline: ChannelPipeline) {
        pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

@available(*, unavailable)
extension HandshakeObserver: Sendable {}

@available(*, unavailable)
extension TLSRecordObserver: Sendable {}
