import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Writes that wait in a channel", .generousLimit, .timed)
struct PendingWritesTests {
    private static let group = MultiThreadedEventLoopGroup.singleton

    /// Writes single bytes for as long as there is room for more.
    private final class Writer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let onTaken: EventLoopPromise<Void>
        private(set) var isFull = false
        private var pending = PendingWrites()

        init(onTaken: EventLoopPromise<Void>) {
            self.onTaken = onTaken
        }

        func channelActive(context: ChannelHandlerContext) {
            while !pending.isFull {
                let promise =
                    pending.isLast(on: context) ? PendingWrites.promise(on: context) { self.onTaken.succeed() } : nil
                context.writeAndFlush(NIOAny(ByteBuffer(repeating: 0, count: 4096)), promise: promise)
            }
            isFull = true
        }
    }

    @Test("are bounded where the other side takes nothing, and told when they are taken")
    func bounded() async throws {
        let (accepted, newAccepted) = AsyncStream<any Channel>.makeStream()
        let listener = try await ServerBootstrap(group: Self.group)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                newAccepted.yield(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let loop = Self.group.next()
        let taken = loop.makePromise(of: Void.self)
        let client = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Writer(onTaken: taken))
                }
            }
            .connect(to: try #require(listener.localAddress))
            .get()
        let unsent = try await client.getOption(.bufferedWritableBytes).get()
        #expect(unsent <= 64 * 4096)
        let server = try #require(await accepted.first { _ in true })
        try await server.setOption(.autoRead, value: true).get()
        try await taken.futureResult.get()
        #expect(try await client.getOption(.bufferedWritableBytes).get() == 0)
        try await client.close()
        try await listener.close()
    }
}
