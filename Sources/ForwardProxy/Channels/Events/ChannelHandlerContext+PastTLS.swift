import Glibc
import NIOCore
import NIOSSL

extension ChannelHandlerContext {
    /// The context by which writes and closes go to the bare connection, past TLS if there is any.
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
