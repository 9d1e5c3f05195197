import NIOCore

/// Takes the answer to CONNECT out of what comes, for a client that does not wait for it.
final class ConnectAnswerSkipper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var head = ByteBuffer()
    private var isPast = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isPast else { return context.fireChannelRead(data) }
        head.writeImmutableBuffer(unwrapInboundIn(data))
        guard let end = head.readableBytesView.firstRange(of: "\r\n\r\n".utf8)?.upperBound else { return }
        isPast = true
        head.moveReaderIndex(to: end)
        if head.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(head)) }
    }
}
