import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2

/// Gives probes to `NIOHTTP2Handler`.
final class LibraryProbe: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private var outcome = "nothing"
    private var hasEnded = false
    private var context: ChannelHandlerContext?

    /// - Returns: The last that came of it, in words.
    static func outcome(of probe: Probe) throws -> String {
        let handler = LibraryProbe()
        let channel = try makeChannel(.server, with: handler, sink: ByteSink(keepsBytes: false))
        try channel.writeInbound(PeerInput(to: .server, reads: 0).opening)
        for _ in 0..<probe.repetitions where !handler.hasEnded { try channel.writeInbound(probe.input) }
        return handler.outcome
    }

    /// - Returns: The bytes sent of two bodies of 100,000 bytes, one begun after the other, to a server that reads none.
    static func uploads() throws -> [Int] {
        let sink = ByteSink(keepsBytes: true)
        let handler = LibraryProbe()
        let channel = try makeChannel(.client, with: handler, sink: sink)
        var opening = ByteBuffer()
        opening.writeFrame(type: 4, payload: ByteBuffer())
        try channel.writeInbound(opening)
        handler.upload(on: [1, 3])
        var sent = sink.kept
        sent.moveReaderIndex(forwardBy: 24)
        var bytes = [0, 0]
        while let (high, low, type, _, stream) = sent.readMultipleIntegers(
            as: (UInt8, UInt16, UInt8, UInt8, UInt32).self
        ) {
            let length = Int(high) << 16 | Int(low)
            sent.moveReaderIndex(forwardBy: length)
            if type == 0 { bytes[Int(stream / 2)] += length }
        }
        return bytes
    }

    private static func makeChannel(_ role: Role, with handler: LibraryProbe, sink: ByteSink) throws -> EmbeddedChannel
    {
        let channel = EmbeddedChannel(handler: sink)
        try channel.pipeline.syncOperations.addHandlers([
            NIOHTTP2Handler(
                mode: role == .server ? .server : .client,
                connectionConfiguration: LibrarySettings.connection(role)
            ), handler,
        ])
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 443), promise: nil)
        return channel
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded, case .headers(let content) = unwrapInboundIn(data).payload else { return }
        let values = content.headers.filter { !$0.name.hasPrefix(":") }.map { "\(Array($0.value.utf8))" }
        outcome = "head: \(values.joined())"
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !hasEnded else { return }
        hasEnded = true
        outcome = "connection ended: \(type(of: error))"
    }

    private func upload(on streams: [HTTP2StreamID]) {
        let head: HPACKHeaders = [":method": "POST", ":scheme": "https", ":authority": "a", ":path": "/"]
        for streamID in streams { write(.headers(.init(headers: head)), on: streamID) }
        let body = IOData.byteBuffer(ByteBuffer(repeating: 0, count: 100_000))
        for streamID in streams {
            write(.data(.init(data: body, endStream: true)), on: streamID)
            context?.flush()
        }
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on streamID: HTTP2StreamID) {
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: streamID, payload: payload)), promise: nil)
    }
}

@available(*, unavailable)
extension LibraryProbe: Sendable {}
