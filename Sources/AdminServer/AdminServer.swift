import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import ServiceLifecycle
package import Settings
import Synchronization

/// The admin listener: health, metrics, the local CA's certificate, the accounts, and what the process is told to do.
package final class AdminServer: Service {
    private enum Order: Sendable {
        case start(AdminListener)
        /// The listener takes the place of the present one.
        case replace(AdminListener)
    }

    private static let name = "paraph"
    /// The time for which a connection may have no request, and a request's head or body stand still.
    private static let idleTimeout = TimeAmount.seconds(60)
    /// The time that a request's body may take as a whole: it is 64 KiB at most.
    private static let bodyTimeout = TimeAmount.seconds(30)

    /// Connections at once. Others wait to be accepted.
    private let connectionLimit: Int
    private let connections: AdminConnections
    private let inheritedSockets: InheritedSockets
    private let current: CurrentSettings
    private let responder: @Sendable (AdminListener) -> AdminResponder
    private let logger: Logger
    private let onListening: @Sendable (any Channel) -> Void
    private let orders: AsyncStream<Order>
    private let newOrders: AsyncStream<Order>.Continuation

    /// - Parameters:
    ///   - connectionLimit: The number of connections that are taken at once. With more than may wait for a
    ///     verification, 1,024, a probe still gets through then.
    ///   - inheritedSockets: Those that listeners have already; the others are bound.
    ///   - onListening: The function that is told each listener, before it is of use to anybody.
    package init(
        settings: AdminSettings,
        backend: AdminBackend,
        connectionLimit: Int = 2_048,
        inheritedSockets: InheritedSockets = .none,
        logger: Logger,
        onListening: @escaping @Sendable (any Channel) -> Void = { _ in }
    ) {
        self.connectionLimit = connectionLimit
        connections = AdminConnections(limit: connectionLimit)
        self.inheritedSockets = inheritedSockets
        let current = CurrentSettings(settings)
        self.current = current
        let endpoints = AdminResponder.Endpoints(backend, logger: logger)
        responder = { listener in
            AdminResponder(
                listener: listener,
                authorityPEM: { current.authorityPEM },
                backend: backend,
                endpoints: endpoints
            )
        }
        self.logger = logger
        self.onListening = onListening
        (orders, newOrders) = AsyncStream.makeStream()
    }

    /// Listens and serves until a graceful shutdown.
    ///
    /// - Throws: When the address of the first settings cannot be listened on.
    package func run() async throws {
        try await withGracefulShutdownHandler {
            try await serve()
        } onGracefulShutdown: { [newOrders] in
            newOrders.finish()
        }
    }

    /// Listens where a reload will have it, besides where it does now. What the new listener answers is judged by these
    /// settings from the start.
    ///
    /// - Returns: Nil when the address stays.
    /// - Throws: When that address cannot be listened on: then nothing has changed.
    package func prepare(_ settings: AdminListenerSettings?) async throws -> AdminListener? {
        guard settings?.address != current.listener.address else { return nil }
        let listener = AdminListener(settings)
        guard settings != nil else { return listener }
        // Nobody starts a listener while the others are stopping.
        guard case .enqueued = newOrders.yield(.start(listener)) else { throw CancellationError() }
        try await listener.done()
        return listener
    }

    /// Answers by other settings from now on, and listens where they say alone.
    ///
    /// - Parameter listener: The result of ``prepare(_:)`` for these settings.
    package func reload(_ next: AdminSettings, _ listener: AdminListener?) {
        current.authorityPEM = next.authorityPEM
        guard let listener else { return current.listener.rule = AccessRule(next.listener) }
        current.listener = listener
        newOrders.yield(.replace(listener))
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            var listener = current.listener
            if listener.address != nil {
                let first = listener
                tasks.addTask { try await self.listen(first) }
                try await first.done()
                announce(first)
            }
            for await order in orders {
                switch order {
                case .start(let next):
                    // A listener that cannot be had takes nothing else down.
                    tasks.addTask { try? await self.listen(next) }
                case .replace(let next):
                    listener.stop()
                    listener = next
                    announce(next)
                }
            }
            try await tasks.waitForAll()
        }
    }

    private func announce(_ listener: AdminListener) {
        guard let address = listener.boundAddress else { return }
        logger.info("listening", metadata: ["listener": "admin", "address": "\(address)"])
    }

    /// Waits until the listener is stopped, or the whole server.
    private func listen(_ listener: AdminListener) async throws {
        guard let address = listener.address else { return }
        // The library's own lines at info say nothing that the line "listening" does not.
        var libraryLogger = logger
        libraryLogger.logLevel = max(logger.logLevel, .warning)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [AdminConnectionHandler(self.connections, bodyTimeout: Self.bodyTimeout)],
            idleTimeout: Self.idleTimeout
        )
        let onServerRunning = { @Sendable [onListening] (channel: any Channel) in
            onListening(channel)
            let bound = channel.localAddress.map { bound in
                ListenAddress(host: bound.ipAddress ?? "\(bound)", port: bound.port ?? 0)
            }
            listener.listens(on: bound)
        }
        let server: any Service
        if let socket = inheritedSockets.take(for: InheritedSockets.Listener(name: "admin", address: address)) {
            server = InheritedSocketServer(
                socket: socket,
                responder: responder(listener),
                serverName: Self.name,
                configuration: configuration,
                connectionLimit: connectionLimit,
                onServerRunning: onServerRunning,
                logger: libraryLogger
            )
        } else {
            server = Application(
                responder: responder(listener),
                server: .http1(configuration: configuration),
                configuration: ApplicationConfiguration(
                    address: .hostname(address.host, port: address.port),
                    serverName: Self.name,
                    reuseAddress: true,
                    availableConnectionsDelegate: .maximum(connectionLimit, logger: libraryLogger)
                ),
                onServerRunning: onServerRunning,
                logger: libraryLogger
            )
        }
        let group = ServiceGroup(services: [server], logger: libraryLogger)
        do {
            async let stopping: Void = {
                await listener.stopped()
                listener.streams.end()
                await group.triggerGracefulShutdown()
            }()
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: {
                // Their connections would last as long as they do.
                listener.streams.end()
            }
            // For whoever still waits for it to listen.
            listener.report(CancellationError())
            listener.stop()
            await stopping
        } catch {
            listener.report(error)
            throw error
        }
    }
}

extension AdminServer {
    /// The settings that the last reload brought.
    private final class CurrentSettings: Sendable {
        private let storage: Mutex<(listener: AdminListener, authorityPEM: String)>

        init(_ settings: AdminSettings) {
            storage = Mutex((AdminListener(settings.listener), settings.authorityPEM))
        }

        var listener: AdminListener {
            get { storage.withLock { $0.listener } }
            set { storage.withLock { $0.listener = newValue } }
        }

        var authorityPEM: String {
            get { storage.withLock { $0.authorityPEM } }
            set { storage.withLock { $0.authorityPEM = newValue } }
        }
    }
}

/// The settings of the admin listener by the configuration. May change while it listens.
package struct AdminSettings: Sendable {
    /// The listener to open; nil when it is off.
    package var listener: AdminListenerSettings?
    /// The local CA's certificate, which clients have to trust.
    package var authorityPEM: String

    package init(listener: AdminListenerSettings?, authorityPEM: String) {
        self.listener = listener
        self.authorityPEM = authorityPEM
    }
}
