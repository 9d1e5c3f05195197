import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("The end of what is written to a connection")
struct EndingTests {
    /// A connection that takes what is written only when it is told to.
    private final class Holder: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var written = ""
        private var promises: [EventLoopPromise<Void>?] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            written += String(buffer: unwrapOutboundIn(data))
            promises.append(promise)
        }

        func complete(_ error: (any Error)? = nil) {
            for promise in promises {
                if let error { promise?.fail(error) } else { promise?.succeed() }
            }
            promises.removeAll()
        }
    }

    private let holder = Holder()
    private let channel = EmbeddedChannel()

    private func begin(writing last: String, whenTaken taken: @escaping () -> Void) throws {
        try channel.pipeline.syncOperations.addHandlers(holder, Closing())
        let context = try channel.pipeline.syncOperations.context(handlerType: Closing.self)
        context.write(NIOAny(ByteBuffer(string: "answer")), promise: nil)
        context.flush(writing: ByteBuffer(string: last), whenTaken: taken)
    }

    private final class Closing: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
    }

    @Test("The last bytes go out behind everything else, and are waited for", arguments: ["", ", and the end"])
    func waits(last: String) throws {
        var isTaken = false
        try begin(writing: last) { isTaken = true }
        #expect(holder.written == "answer" + last)
        channel.embeddedEventLoop.run()
        #expect(!isTaken)
        holder.complete()
        // Not from within the write.
        #expect(!isTaken)
        channel.embeddedEventLoop.run()
        #expect(isTaken)
    }

    @Test("A connection that is lost is not waited for")
    func lost() throws {
        var isTaken = false
        try begin(writing: "") { isTaken = true }
        holder.complete(ChannelError.ioOnClosedChannel)
        channel.embeddedEventLoop.run()
        #expect(isTaken)
    }

    @Test("Without TLS the connection itself is past TLS")
    func bare() throws {
        try channel.pipeline.syncOperations.addHandler(Closing())
        let context = try channel.pipeline.syncOperations.context(handlerType: Closing.self)
        #expect(context.pastTLS === context)
    }
}
