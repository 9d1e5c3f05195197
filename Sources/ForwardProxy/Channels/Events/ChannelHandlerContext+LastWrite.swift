import NIOCore

extension ChannelHandlerContext {
    /// Writes the last that a connection is sent, and calls `taken` when the system has taken everything: closing before
    /// that would drop the rest.
    ///
    /// - Parameter taken: Not called from within a write, where TLS's close_notify could not be written at once and would
    ///   be dropped. Called too when it cannot be written.
    func writeLast(_ bytes: ByteBuffer, _ taken: @escaping () -> Void) {
        let written = eventLoop.makePromise(of: Void.self)
        let loop = eventLoop.assumeIsolated()
        written.futureResult.assumeIsolated().whenComplete { _ in loop.execute(taken) }
        writeAndFlush(NIOAny(bytes), promise: written)
    }
}
