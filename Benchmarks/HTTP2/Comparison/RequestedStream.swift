import NIOCore
import NIOHTTP2

/// The handler of the channel of one stream that is opened to a server.
final class RequestedStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let client: StreamClient
    private let number: Int

    init(client: StreamClient, number: Int) {
        self.client = client
        self.number = number
    }

    func channelActive(context: ChannelHandlerContext) {
        let head = HTTP2Frame.FramePayload.headers(.init(headers: client.heads.makeRequest(number), endStream: true))
        context.writeAndFlush(wrapOutboundOut(head), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let content):
            do {
                client.tally.countHead(isExpected: try client.heads.isOK(content.headers))
            } catch {
                context.fireErrorCaught(error)
            }
            if content.endStream { client.tally.countEnd() }
        case .data(let content):
            client.tally.countBody(content.data.readableBytes)
            if content.endStream { client.tally.countEnd() }
        default: break
        }
    }
}

@available(*, unavailable)
extension RequestedStream: Sendable {}
