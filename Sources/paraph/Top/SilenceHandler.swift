import NIOCore

/// Ends a connection when an idle state handler tells that nothing has come for its time.
final class SilenceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let error: any Error

    /// - Parameter error: The error that whoever reads is told.
    init(error: any Error) {
        self.error = error
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case IdleStateHandler.IdleStateEvent.read = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension SilenceHandler: Sendable {}
