import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOEmbedded

/// A client by Paraph's codec, in a handler like the proxy's.
final class CodecClient: ChannelInboundHandler, Contestant {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = IOData

    private(set) var tally = Tally()
    private var connection = HTTP2Connection(role: .client)
    private var context: ChannelHandlerContext?
    private let head: RequestHead
    private let authority = ByteBuffer(string: Work.authority)
    private let signatures = Work.authorizations.map { authorization -> AppendedFields in
        ["Authorization": authorization, "Via": Work.via]
    }
    private var sent = 0

    init(in channel: EmbeddedChannel) throws {
        head = try Work.requestHead()
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

    func send(_ count: Int) throws {
        for _ in 0..<count {
            guard let streamID = connection.openStream() else { throw InvalidComparison("no stream can be opened") }
            connection.sendRequest(
                streamID,
                head,
                scheme: .https,
                authority: authority,
                appending: signatures[sent % signatures.count],
                endsStream: true
            )
            sent += 1
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
        case .responseHead(_, let head, _):
            tally.countHead(isExpected: head.status == 200)
        case .data(let streamID, let bytes):
            tally.countBody(bytes.readableBytes)
            connection.consumed(streamID, bytes: bytes.readableBytes)
        case .end: tally.countEnd()
        case .requestHead, .reset, .writable, .refused, .goAway, .pong: break
        }
    }

    private func flush() {
        guard connection.hasOutput else { return }
        context?.writeAndFlush(wrapOutboundOut(.byteBuffer(connection.takeOutput())), promise: nil)
    }
}

@available(*, unavailable)
extension CodecClient: Sendable {}
