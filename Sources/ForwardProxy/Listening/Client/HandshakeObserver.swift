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

    private enum State {
        case handshake
        case completed(NIODeadline)
        /// The outcome is known: bytes have come through TLS, or something was reported.
        case over
    }

    private let records = TLSRecordObserver()
    private let reports: HandshakeReports
    /// The intercepted one; nil: the client speaks to the proxy itself.
    private let authority: Authority?
    private var state = State.handshake
    private var address: SocketAddress?

    init(reports: HandshakeReports, authority: Authority?) {
        self.reports = reports
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
        address = context.remoteAddress
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        state = .over
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        if case .over = state { return }
        state = .over
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted:
            if case .handshake = state { state = .completed(reports.clock.now) }
            records.leave(context.pipeline)
        case ChannelEvent.inputClosed: inputClosed()
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error, state) {
        case (NIOSSLError.uncleanShutdown, _), (_, .over): break
        case (is IOError, .completed): inputClosed()
        case (_, .handshake), (_, .completed):
            state = .over
            let failure = ClientHandshakeFailure(error, alert: records.alert, helloCame: records.helloCame)
            reports.failed(failure, authority: authority, address: address)
        }
        context.fireErrorCaught(error)
    }

    /// Some libraries verify the certificate when the handshake is over. What checks whether the proxy lives may close
    /// as early as they do, but by CONNECT it does not.
    private func inputClosed() {
        guard case .completed(let time) = state, reports.clock.now - time < Self.closeTime, let authority else {
            return
        }
        state = .over
        reports.closedAfterHandshake(authority: authority, address: address)
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
