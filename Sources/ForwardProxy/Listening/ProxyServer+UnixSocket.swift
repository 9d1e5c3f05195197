import Glibc
import NIOCore
import NIOPosix
import Settings

extension ProxyServer {
    /// Returns a bootstrap with the options that all listeners of an address have.
    static func bootstrap(_ group: any EventLoopGroup, for address: ListenAddress) -> ServerBootstrap {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: UnixSocket.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        guard address.path == nil else { return bootstrap }
        // Connections inherit it.
        return KeepAlive.probe(acceptedBy: bootstrap).serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    }

    /// Listens on a Unix domain socket, whose file is there for as long as the listener is open.
    func listen(at path: String, _ bootstrap: ServerBootstrap) async throws -> any Channel {
        // The lock on its directory may be another process's for a moment.
        let socket = try await NIOThreadPool.singleton.runIfActive { try UnixSocket.listen(at: path) }
        do {
            let listener = try await bootstrap.withBoundSocket(socket.descriptor).get()
            Glibc.listen(socket.descriptor, UnixSocket.backlog)
            listener.closeFuture.whenComplete { _ in socket.removeFile() }
            return listener
        } catch {
            socket.removeFile()
            throw error
        }
    }
}
