import Glibc
import NIOCore
import NIOSSL

/// The orderly close of a connection, which loses nothing of what was written to it.
///
/// 1. ``begin(on:writing:whenTaken:)`` writes the last bytes, and waits until the system has taken everything: a close
///    before that would drop the rest. A peer that takes nothing has no more time for it than for any other step.
/// 2. The handler ends the output, so that the peer sees the end.
/// 3. What the peer still sends is taken for ``lingerTime`` and dropped, so that a reset does not overtake the last
///    bytes.
/// 4. The handler closes the connection: when that time is over, or when the peer sends nothing more.
enum OrderlyClose {
    static let lingerTime = TimeAmount.seconds(2)

    /// The time for which the peer's close_notify is waited for once a TLS connection is closed for good. All that had to
    /// reach the peer has been flushed by then, or is to be cut off; many peers never send it.
    static let closeNotifyTime = TimeAmount.milliseconds(100)

    /// Flushes what was written, with the last bytes behind it.
    ///
    /// - Parameters:
    ///   - context: Where the bytes are written: if there are none, ``ChannelHandlerContext/pastTLS``, for TLS makes
    ///     something of nothing.
    ///   - taken: Called when the system has taken everything, or can take no more. Not called from within a write,
    ///     where TLS's close_notify could not be written at once and would be dropped.
    static func begin(
        on context: ChannelHandlerContext,
        writing last: ByteBuffer = ByteBuffer(),
        whenTaken taken: @escaping () -> Void
    ) {
        let written = context.eventLoop.makePromise(of: Void.self)
        let loop = context.eventLoop.assumeIsolated()
        written.futureResult.assumeIsolated().whenComplete { _ in loop.execute(taken) }
        context.writeAndFlush(NIOAny(last), promise: written)
    }
}

extension ChannelHandlerContext {
    /// The context by which writes and closes go to the bare connection, past TLS if there is any: of two,
    /// one within the other, past both.
    var pastTLS: ChannelHandlerContext {
        let pipeline = pipeline.syncOperations
        return (try? pipeline.context(handlerType: NIOSSLServerHandler.self))
            ?? (try? pipeline.context(handlerType: NIOSSLClientHandler.self)) ?? self
    }

    /// Has the connection end with a reset when it is closed, and not in a way that could pass for an end in order. It is
    /// to be closed past TLS, which would announce one.
    func resetAtClose() {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(Glibc.linger(l_onoff: 1, l_linger: 0))
    }
}
