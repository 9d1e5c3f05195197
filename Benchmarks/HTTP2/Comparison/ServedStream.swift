import NIOCore
import NIOHTTP2

/// The handler of the channel of one stream that a client has opened.
final class ServedStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let server: StreamServer
    private var context: ChannelHandlerContext?

    init(server: StreamServer) {
        self.server = server
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let content):
            do {
                server.tally.countHead(isExpected: try server.heads.isGet(content.headers))
            } catch {
                context.fireErrorCaught(error)
            }
            server.waiting.append(self)
            if content.endStream { server.tally.countEnd() }
        case .data(let content):
            server.tally.countBody(content.data.readableBytes)
            if content.endStream { server.tally.countEnd() }
        default: break
        }
    }

    func answer() {
        guard let context else { return }
        let head = HTTP2Frame.FramePayload.headers(.init(headers: server.heads.makeResponse()))
        let body = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(Work.body), endStream: true))
        context.write(wrapOutboundOut(head), promise: nil)
        context.writeAndFlush(wrapOutboundOut(body), promise: nil)
    }
}

@available(*, unavailable)
extension ServedStream: Sendable {}
