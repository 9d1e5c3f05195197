import NIOCore

/// Tells a newcomer that there is no room even to wait for its request, and closes the connection.
final class TurnedAwayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: ByteBuffer

    /// - Parameter problem: What its request would be answered with.
    init(_ problem: Problem) {
        answer = ProblemResponse.bytes(for: problem, omitsBody: false, closes: true)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
