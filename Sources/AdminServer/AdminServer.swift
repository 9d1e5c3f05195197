package import Credentials
import Hummingbird
package import Logging
package import NIOCore
import ServiceLifecycle
import Synchronization

/// The admin listener: health, metrics, the local CA's certificate, and the accounts.
package final class AdminServer: Service {
    /// Connections at once. Others wait to be accepted.
    private let connectionLimit: Int
    private let connections: AdminConnections
    /// How long a connection may have no request, and a request's head or body stand still.
    private static let idleTimeout = TimeAmount.seconds(60)

    private let settings: SettingsBox
    private let responder: AdminResponder
    private let logger: Logger
    private let onListening: @Sendable (any Channel) -> Void
    private enum Order: Sendable {
        case start(AdminMove)
        /// In the place of the present listener; nil: there is to be none.
        case replace(AdminMove?)
    }

    private let orders: AsyncStream<Order>
    private let newOrders: AsyncStream<Order>.Continuation

    /// - Parameters:
    ///   - metrics: asked at each scrape.
    ///   - connectionLimit: how many connections are taken at once. With more than may wait for a verification, 1,024, a
    ///     probe still gets through then.
    ///   - enrolment: the accounts; nil: `/register` and `/accounts` say that enrolment is not configured.
    ///   - tokenGuard: slows guesses at the token; nil: nobody does.
    ///   - onListening: told each listener, before it is of use to anybody.
    package init(
        settings: AdminSettings,
        readiness: Readiness,
        metrics: @escaping @Sendable () -> [MetricFamily] = { [] },
        enrolment: (any EnrolmentService)? = nil,
        connectionLimit: Int = 2_048,
        tokenGuard: (any TokenGuard)? = nil,
        logger: Logger,
        onListening: @escaping @Sendable (any Channel) -> Void = { _ in }
    ) {
        self.connectionLimit = connectionLimit
        connections = AdminConnections(limit: connectionLimit)
        let box = SettingsBox(settings)
        self.settings = box
        responder = AdminResponder(
            settings: { box.value },
            readiness: readiness,
            metrics: metrics,
            accounts: enrolment.map { AccountEndpoints(service: $0, logger: logger) },
            tokenGuard: tokenGuard,
            connections: connections
        )
        self.logger = logger
        self.onListening = onListening
        (orders, newOrders) = AsyncStream.makeStream()
    }

    /// Listens and serves until a graceful shutdown.
    ///
    /// - Throws: when the address of the first settings cannot be listened on.
    package func run() async throws {
        try await withGracefulShutdownHandler {
            try await serve()
        } onGracefulShutdown: { [newOrders] in
            newOrders.finish()
        }
    }

    /// Listens where a reload will have it, besides where it does now.
    ///
    /// - Returns: nil when the address stays.
    /// - Throws: when that address cannot be listened on: then nothing has changed.
    package func prepare(_ address: AdminSettings.Address?) async throws -> AdminMove? {
        guard address != settings.value.address else { return nil }
        let move = AdminMove(to: address)
        guard address != nil else { return move }
        // Nobody starts a listener while the others are stopping.
        guard case .enqueued = newOrders.yield(.start(move)) else { throw CancellationError() }
        try await move.done()
        return move
    }

    /// Answers by other settings from now on, and listens where they say alone.
    ///
    /// - Parameter move: what ``prepare(_:)`` returned for their address.
    package func reload(_ next: AdminSettings, _ move: AdminMove?) {
        settings.value = next
        if let move { newOrders.yield(.replace(move.address == nil ? nil : move)) }
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            var listener: AdminMove?
            if let address = settings.value.address {
                let first = AdminMove(to: address)
                tasks.addTask { try await self.listen(first) }
                listener = first
                try await first.done()
                announce(first)
            }
            for await order in orders {
                switch order {
                case .start(let move):
                    // A listener that cannot be had takes nothing else down.
                    tasks.addTask { try? await self.listen(move) }
                case .replace(let move):
                    listener?.stop()
                    listener = move
                    if let move { announce(move) }
                }
            }
            try await tasks.waitForAll()
        }
    }

    private func announce(_ move: AdminMove) {
        guard let address = move.boundAddress else { return }
        logger.info("listening", metadata: ["listener": "admin", "address": "\(address)"])
    }

    /// Until the move is stopped, or the whole server.
    private func listen(_ move: AdminMove) async throws {
        guard let address = move.address else { return }
        // The library's own lines at info say nothing that the line "listening" does not.
        var libraryLogger = logger
        libraryLogger.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [AdminConnections.Handler(self.connections)],
                    idleTimeout: Self.idleTimeout
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: "paraph",
                reuseAddress: true,
                availableConnectionsDelegate: .maximum(connectionLimit, logger: libraryLogger)
            ),
            onServerRunning: { [onListening] channel in
                onListening(channel)
                let bound = channel.localAddress.map { bound in
                    AdminSettings.Address(host: bound.ipAddress ?? "\(bound)", port: bound.port ?? 0)
                }
                move.listens(on: bound)
            },
            logger: libraryLogger
        )
        let group = ServiceGroup(services: [application], logger: libraryLogger)
        do {
            async let stopping: Void = {
                await move.stopped()
                await group.triggerGracefulShutdown()
            }()
            try await group.run()
            // For whoever still waits for it to listen.
            move.report(CancellationError())
            move.stop()
            await stopping
        } catch {
            move.report(error)
            throw error
        }
    }
}

extension AdminServer {
    /// The settings of the moment.
    private final class SettingsBox: Sendable {
        private let storage: Mutex<AdminSettings>

        init(_ settings: AdminSettings) { storage = Mutex(settings) }

        var value: AdminSettings {
            get { storage.withLock { $0 } }
            set { storage.withLock { $0 = newValue } }
        }
    }
}
