import NIOCore
import NIOPosix

/// Listens on a free port of 127.0.0.1 and answers the first bytes of each connection with the same ones.
final class CannedListener: Sendable {
    let port: Int
    private let listener: any Channel
    private let requests: AsyncStream<String>

    /// - Parameters:
    ///   - answer: The answer to every request; nil: there is none.
    ///   - closes: Whether the connection ends with the answer.
    init(_ answer: String?, closes: Bool = true) async throws {
        let (requests, received) = AsyncStream<String>.makeStream()
        self.requests = requests
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = Answering(answer: answer, closes: closes) { received.yield($0) }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        port = listener.localAddress?.port ?? 0
    }

    /// The next request, as it came.
    var request: String {
        get async {
            for await request in requests { return request }
            return ""
        }
    }

    func close() async throws {
        try await listener.close()
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: String?
        private let closes: Bool
        private let receive: (String) -> Void

        init(answer: String?, closes: Bool, receive: @escaping (String) -> Void) {
            self.answer = answer
            self.closes = closes
            self.receive = receive
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            receive(String(buffer: unwrapInboundIn(data)))
            if let answer { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil) }
            if closes { context.close(promise: nil) }
        }
    }
}
