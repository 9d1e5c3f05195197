import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOEmbedded

/// A server by Paraph's codec, in a handler like the proxy's.
final class CodecServer: ChannelInboundHandler, Contestant {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = IOData

    private(set) var tally = Tally()
    private var connection = HTTP2Connection(role: .server)
    private var waiting = CircularBuffer<HTTP2StreamID>(initialCapacity: 128)
    private var context: ChannelHandlerContext?
    private let head: ResponseHead
    private let via: AppendedFields = ["Via": Work.via]

    init(in channel: EmbeddedChannel) throws {
        head = try Work.responseHead()
        try channel.pipeline.syncOperations.addHandler(self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelActive(context: ChannelHandlerContext) {
        flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.receive(unwrapInboundIn(data))
        react()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
    }

    func send(_ count: Int) {
        for _ in 0..<count {
            let streamID = waiting.removeFirst()
            connection.sendResponse(streamID, head, appending: via, endsStream: false)
            connection.sendData(streamID, Work.body, endsStream: true)
        }
        react()
        flush()
    }

    private func react() {
        do throws(HTTP2ConnectionError) {
            while let event = try connection.next() { take(event) }
        } catch {
            context?.fireErrorCaught(error)
        }
    }

    private func take(_ event: HTTP2Event) {
        switch event {
        case .requestHead(let streamID, let head, _):
            tally.countHead(isExpected: head.method == .get)
            waiting.append(streamID)
        case .data(let streamID, let bytes):
            tally.countBody(bytes.readableBytes)
            connection.consumed(streamID, bytes: bytes.readableBytes)
        case .end: tally.countEnd()
        case .responseHead, .reset, .writable, .refused, .goAway, .pong: break
        }
    }

    private func flush() {
        guard connection.hasOutput else { return }
        context?.writeAndFlush(wrapOutboundOut(.byteBuffer(connection.takeOutput())), promise: nil)
    }
}

@available(*, unavailable)
extension CodecServer: Sendable {}
