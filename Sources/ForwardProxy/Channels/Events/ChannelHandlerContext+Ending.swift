import Glibc
import NIOCore
import NIOSSL

extension ChannelHandlerContext {
    /// Flushes what was written, with the last bytes behind it. On a connection without any it is to be called on
    /// ``pastTLS``, for TLS makes something of nothing.
    ///
    /// - Parameter taken: Called when the system has taken everything, or can take no more. Not called from within a
    ///   write, where TLS's close_notify could not be written at once and would be dropped.
    func flush(writing last: ByteBuffer = ByteBuffer(), whenTaken taken: @escaping () -> Void) {
        let written = eventLoop.makePromise(of: Void.self)
        let loop = eventLoop.assumeIsolated()
        written.futureResult.assumeIsolated().whenComplete { _ in loop.execute(taken) }
        writeAndFlush(NIOAny(last), promise: written)
    }

    /// The context by which writes and closes go to the bare connection, past TLS if there is any: of two,
    /// one within the other, past both.
    var pastTLS: ChannelHandlerContext {
        let pipeline = pipeline.syncOperations
        return (try? pipeline.context(handlerType: NIOSSLServerHandler.self))
            ?? (try? pipeline.context(handlerType: NIOSSLClientHandler.self)) ?? self
    }

    /// Makes the connection end with a reset when it is closed, and not in a way that could pass for an end in order. It
    /// is to be closed past TLS, which would announce one.
    func resetAtClose() {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(Glibc.linger(l_onoff: 1, l_linger: 0))
    }
}
