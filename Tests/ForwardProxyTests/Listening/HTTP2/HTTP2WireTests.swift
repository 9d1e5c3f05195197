import HTTP1Codec
import HTTP2Codec
import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("The output of a client's HTTP/2 connection")
struct HTTP2WireTests {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let wire: HTTP2Wire

        init(_ wire: HTTP2Wire) {
            self.wire = wire
        }

        func handlerAdded(context: ChannelHandlerContext) {
            wire.attach(to: context)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            wire.detach()
        }
    }

    private static let limits = MessageLimits()

    private let clock = EmbeddedClock()
    private let wire: HTTP2Wire
    private let channel: EmbeddedChannel

    init() throws {
        wire = HTTP2Wire(
            HTTP2Connection(role: .server, limits: HTTP2Limits(for: Self.limits), messageLimits: Self.limits),
            turn: EventLoopTurn(loop: clock.loop),
            clock: clock
        )
        channel = EmbeddedChannel(loop: clock.loop)
        try channel.pipeline.syncOperations.addHandler(Handler(wire))
    }

    private func written() throws -> ByteBuffer? { try channel.readOutbound(as: ByteBuffer.self) }

    /// Receives what a client begins with.
    private func receiveBeginning(react: () -> Void) {
        var client = HTTP2Connection(
            role: .client,
            limits: HTTP2Limits(for: Self.limits),
            messageLimits: Self.limits
        )
        wire.receive(client.takeOutput(), at: clock.now, react: react)
    }

    @Test("Bytes go out at the end of the turn, together")
    func flushesOnce() throws {
        #expect(!wire.hasSentAll)
        wire.flush()
        wire.connection.sendPing(1)
        wire.flush()
        #expect(try written() == nil)
        clock.loop.run()
        let bytes = try written()
        #expect(bytes != nil)
        #expect(try written() == nil)
        #expect(wire.hasSentAll)
    }

    @Test("What a read brings about goes out behind it, and waits for no turn")
    func flushesBehindRead() throws {
        wire.flushNow()
        #expect(try written() != nil)
        receiveBeginning {
            while (try? wire.connection.next()) != nil {}
            wire.flush()
        }
        clock.loop.run()
        #expect(try written() == nil)
        wire.flushNow()
        #expect(try written() != nil)
    }

    @Test("A channel that is full is given nothing more")
    func fills() throws {
        #expect(!wire.writabilityChanged(to: false))
        #expect(!wire.isWritable)
        wire.flushNow()
        #expect(try written() == nil)
        // Little waits, so that the client may be read.
        #expect(wire.mayRead(isOpen: true))
        #expect(!wire.writabilityChanged(to: true))
        wire.flushNow()
        #expect(try written() != nil)
    }

    @Test("A client that does not take much of what it is sent is not read before it does")
    func holdsRead() throws {
        _ = wire.writabilityChanged(to: false)
        while wire.connection.waitingBytes < HTTP2Output.waitingLimit { wire.connection.sendPing(1) }
        #expect(wire.mayRead(isOpen: false))
        #expect(!wire.holdsRead)
        #expect(!wire.mayRead(isOpen: true))
        #expect(wire.holdsRead)
        #expect(wire.writabilityChanged(to: true))
        #expect(!wire.holdsRead)
    }

    @Test("Without a channel nothing is written")
    func detaches() throws {
        wire.detach()
        wire.flushNow()
        #expect(try written() == nil)
        #expect(wire.connection.hasOutput)
    }
}
