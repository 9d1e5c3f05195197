import NIOCore
import NIOEmbedded
import NIOHTTP2

/// A client by `NIOHTTP2Handler` alone: one handler behind it reads and writes frames, those for the connection's window
/// included.
final class FrameClient: ChannelInboundHandler, Contestant {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private(set) var tally = Tally()
    private let heads: LibraryHeads
    private var context: ChannelHandlerContext?
    private var nextStreamID = HTTP2StreamID(1)
    private var sent = 0
    /// Bytes that the server has not been given back.
    private var missing = LibrarySettings.connectionWindow - 65_535

    init(in channel: EmbeddedChannel, convertsHeads: Bool) throws {
        heads = try LibraryHeads(convertsHeads: convertsHeads)
        try channel.pipeline.syncOperations.addHandlers([
            NIOHTTP2Handler(mode: .client, connectionConfiguration: LibrarySettings.connection(.client)), self,
        ])
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelActive(context: ChannelHandlerContext) {
        giveBack(context)
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .headers(let content):
            do {
                tally.countHead(isExpected: try heads.isOK(content.headers))
            } catch {
                context.fireErrorCaught(error)
            }
            if content.endStream { tally.countEnd() }
        case .data(let content):
            let count = content.data.readableBytes
            tally.countBody(count)
            if content.endStream { tally.countEnd() }
            missing += count
            if missing >= LibrarySettings.connectionWindow / 2 { giveBack(context) }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func send(_ count: Int) {
        guard let context else { return }
        for _ in 0..<count {
            let head = HTTP2Frame(
                streamID: nextStreamID,
                payload: .headers(.init(headers: heads.makeRequest(sent), endStream: true))
            )
            context.write(wrapOutboundOut(head), promise: nil)
            nextStreamID = nextStreamID.advanced(by: 2)
            sent += 1
        }
        context.flush()
    }

    private func giveBack(_ context: ChannelHandlerContext) {
        let update = HTTP2Frame(streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: missing))
        context.write(wrapOutboundOut(update), promise: nil)
        missing = 0
    }
}

@available(*, unavailable)
extension FrameClient: Sendable {}
