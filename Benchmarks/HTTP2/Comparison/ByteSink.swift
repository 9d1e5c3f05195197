import NIOCore

/// The last handler before the socket that is not there: takes what is sent, as a socket that takes everything.
final class ByteSink: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    private(set) var bytes = 0
    private let keepsBytes: Bool
    /// The bytes that were sent, if they are kept.
    private(set) var kept = ByteBuffer()

    init(keepsBytes: Bool) {
        self.keepsBytes = keepsBytes
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let buffer) = unwrapOutboundIn(data) {
            bytes += buffer.readableBytes
            if keepsBytes { kept.writeImmutableBuffer(buffer) }
        }
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {}
}

@available(*, unavailable)
extension ByteSink: Sendable {}
