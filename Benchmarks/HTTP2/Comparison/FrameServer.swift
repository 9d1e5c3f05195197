import NIOCore
import NIOEmbedded
import NIOHTTP2

/// A server by `NIOHTTP2Handler` alone: one handler behind it reads and writes frames.
final class FrameServer: ChannelInboundHandler, Contestant {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private(set) var tally = Tally()
    private let heads: LibraryHeads
    private var waiting = CircularBuffer<HTTP2StreamID>(initialCapacity: 128)
    private var context: ChannelHandlerContext?

    init(in channel: EmbeddedChannel, convertsHeads: Bool) throws {
        heads = try LibraryHeads(convertsHeads: convertsHeads)
        try channel.pipeline.syncOperations.addHandlers([
            NIOHTTP2Handler(mode: .server, connectionConfiguration: LibrarySettings.connection(.server)), self,
        ])
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let content):
            do {
                tally.countHead(isExpected: try heads.isGet(content.headers))
            } catch {
                context.fireErrorCaught(error)
            }
            waiting.append(frame.streamID)
            if content.endStream { tally.countEnd() }
        case .data(let content):
            tally.countBody(content.data.readableBytes)
            if content.endStream { tally.countEnd() }
        default: break
        }
    }

    func send(_ count: Int) {
        guard let context else { return }
        for _ in 0..<count {
            let streamID = waiting.removeFirst()
            let head = HTTP2Frame(streamID: streamID, payload: .headers(.init(headers: heads.makeResponse())))
            let body = HTTP2Frame(
                streamID: streamID,
                payload: .data(.init(data: .byteBuffer(Work.body), endStream: true))
            )
            context.write(wrapOutboundOut(head), promise: nil)
            context.write(wrapOutboundOut(body), promise: nil)
        }
        context.flush()
    }
}

@available(*, unavailable)
extension FrameServer: Sendable {}
