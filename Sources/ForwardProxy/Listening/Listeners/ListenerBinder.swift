import Glibc
import Logging
import NIOCore
import NIOPosix
import Settings

/// Opens listeners, whose connections go to the acceptors of the event loops, and closes them.
struct ListenerBinder: Sendable {
    private let common: ProxyCommon
    private let inheritedSockets: InheritedSockets
    private let acceptors: [ObjectIdentifier: NIOLoopBound<ConnectionAcceptor>]

    /// - Parameters:
    ///   - inheritedSockets: Those that listeners have already; the others are bound.
    ///   - acceptors: Those of all event loops, by event loop.
    init(
        common: ProxyCommon,
        inheritedSockets: InheritedSockets,
        acceptors: [ObjectIdentifier: NIOLoopBound<ConnectionAcceptor>]
    ) {
        self.common = common
        self.inheritedSockets = inheritedSockets
        self.acceptors = acceptors
    }

    // MARK: Opening

    /// Opens all of these listeners, or none.
    ///
    /// - Parameter accepting: Whether connections are accepted at once, or left to wait.
    /// - Throws: `ListenFailure`.
    func open(
        _ listeners: [(key: ListenerKey, purpose: ListenerPurpose)],
        accepting: Bool
    ) async throws -> [ListenerKey: any Channel] {
        var channels: [ListenerKey: any Channel] = [:]
        for (key, purpose) in listeners where channels[key] == nil {
            do {
                channels[key] = try await open(key, named: purpose.api ?? "proxy", accepting: accepting)
            } catch {
                for channel in channels.values { try? await channel.close() }
                throw ListenFailure(address: key.address, api: purpose.api, cause: error)
            }
        }
        return channels
    }

    private func open(_ key: ListenerKey, named name: String, accepting: Bool) async throws -> any Channel {
        let bootstrap = bootstrap(for: key.address)
            .serverChannelOption(.autoRead, value: accepting)
            .serverChannelInitializer { [common] channel in
                channel.eventLoop.makeCompletedFuture {
                    let rest = AcceptRest(clock: common.clock, onRest: common.usages.acceptingRests)
                    try channel.pipeline.syncOperations.addHandler(rest)
                }
            }
            .childChannelInitializer { [acceptors] channel in
                guard let acceptor = acceptors[ObjectIdentifier(channel.eventLoop)]?.value else {
                    return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
                }
                return acceptor.accept(channel, at: key)
            }
        let listener: any Channel
        if let socket = inheritedSockets.take(for: InheritedSockets.Listener(name: name, address: key.address)) {
            listener = try await bootstrap.withBoundSocket(socket).get()
            // NIO has the kernel queue no more than 128 connections at a socket that is bound already.
            Glibc.listen(socket, UnixSocket.backlog)
        } else if let path = key.address.path {
            listener = try await open(at: path, bootstrap)
        } else {
            listener = try await bootstrap.bind(host: key.address.host, port: key.address.port).get()
        }
        common.ownListeners.add(listener)
        return listener
    }

    /// Returns a bootstrap with the options that all listeners of an address have.
    private func bootstrap(for address: ListenAddress) -> ServerBootstrap {
        let bootstrap = ServerBootstrap(group: common.group)
            .serverChannelOption(.backlog, value: UnixSocket.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        guard address.path == nil else { return bootstrap }
        // Connections inherit it.
        return KeepAlive.probe(acceptedBy: bootstrap).serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    }

    /// Listens on a Unix domain socket, whose file is there for as long as the listener is open.
    private func open(at path: String, _ bootstrap: ServerBootstrap) async throws -> any Channel {
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

    /// Logs where a listener is.
    func announce(_ purpose: ListenerPurpose, _ listener: (any Channel)?) {
        guard let address = listener?.localAddress else { return }
        var metadata: Logger.Metadata = ["listener": "proxy", "address": "\(address.urlText)"]
        if let api = purpose.api {
            metadata["listener"] = "gateway"
            metadata["api"] = "\(api)"
        }
        common.logger.info("listening", metadata: metadata)
    }

    // MARK: Closing

    /// Closes listeners once the connections that they have accepted are served: NIO closes those, too, that it is still
    /// setting up.
    func close(_ listeners: [any Channel]) async {
        for listener in listeners { try? await listener.setOption(.autoRead, value: false).get() }
        // Each connection is set up by its own event loop, and then goes back to the listener's.
        for acceptor in acceptors.values { try? await acceptor.eventLoop.submit {}.get() }
        for listener in listeners {
            try? await listener.eventLoop.submit {}.get()
            try? await listener.close()
            // What else happens then, like the removal of a socket's file.
            try? await listener.closeFuture.get()
        }
    }
}
