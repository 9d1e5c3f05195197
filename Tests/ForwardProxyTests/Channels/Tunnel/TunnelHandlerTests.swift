import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("One end of a tunnel")
struct TunnelHandlerTests {
    /// The end of the connection had passed before what is behind this came.
    private final class PastEnd: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelInactive(context: ChannelHandlerContext) {}
    }

    private let clock = EmbeddedClock()

    private func channel(_ handlers: [any ChannelHandler]) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: handlers, loop: clock.loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test("takes the other one with it where its connection had just ended, and is reported once")
    func endsBeforeItBegan() throws {
        let (near, far) = TunnelHandler.pair(idleTime: .seconds(9), clock: clock)
        var reports = 0
        near.begin(for: nil) { _, _ in reports += 1 }
        let upstream = try channel([far])
        let client = try channel([PastEnd(), near])
        client.close(promise: nil)
        clock.loop.run()
        #expect(!upstream.isActive)
        #expect(reports == 1)
    }

    @Test("is reported once where it has not come about")
    func neverBegins() {
        let (near, _) = TunnelHandler.pair(idleTime: .seconds(9), clock: clock)
        var reports = 0
        near.begin(for: nil) { _, _ in reports += 1 }
        near.end()
        near.end()
        #expect(reports == 1)
    }
}
