import NIOCore
import Synchronization

@testable import ForwardProxy

/// The bytes that go into a connection whose other end, behind the proxy, takes nothing.
struct Flow {
    /// Bytes that were handed to the connection; the last piece of them may be queued still.
    var written: Int
    /// Indicates whether the connection took no more before the limit was reached.
    var isHeldBack: Bool
    /// Done when the last piece is out.
    var lastWrite: EventLoopFuture<Void>

    /// Writes piece by piece until the connection takes no more, or `limit` bytes are through.
    ///
    /// Time is counted in turns of the proxy's event loops: when many pass and not a piece moves, it is not going to.
    static func fill(_ wire: Wire, through proxy: RunningProxy, piece: ByteBuffer, limit: Int) async throws -> Flow {
        let done = Count()
        var written = 0
        var lastWrite = wire.channel.eventLoop.makeSucceededVoidFuture()
        var idleRounds = 0
        var lastDone = 0
        while idleRounds < 1000 {
            let now = done.value
            if now >= limit { return Flow(written: written, isHeldBack: false, lastWrite: lastWrite) }
            if now == written {
                written += piece.readableBytes
                lastWrite = wire.channel.writeAndFlush(piece)
                lastWrite.whenSuccess { [count = piece.readableBytes] in
                    done.add(count)
                }
            }
            for proxyLoop in proxy.server.loops.values { try await proxyLoop.eventLoop.submit {}.get() }
            try await wire.channel.eventLoop.submit {}.get()
            idleRounds = now == lastDone ? idleRounds + 1 : 0
            lastDone = now
        }
        return Flow(written: written, isHeldBack: true, lastWrite: lastWrite)
    }
}

private final class Count: Sendable {
    private let state = Mutex(0)
    var value: Int { state.withLock { $0 } }
    func add(_ count: Int) { state.withLock { $0 += count } }
}
