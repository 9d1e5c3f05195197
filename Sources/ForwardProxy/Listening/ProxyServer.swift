package import Credentials
import Glibc
package import Inspection
package import LocalAuthority
package import Logging
package import NIOCore
import NIOPosix
package import OpenTelemetry
package import PrometheusMetrics
import ServiceLifecycle
package import Settings
import Synchronization
import UpstreamTrust

/// The forward proxy: its listener, its event loops, its reloads, and its orderly end.
package final class ProxyServer: Service {
    private struct State {
        var listeners: [ListenerKey: any Channel] = [:]
        var generation: ProxyGeneration
        var isStopping = false
    }

    private let common: ProxyCommon
    private let inheritedSockets: InheritedSockets
    private let logger: Logger
    /// The parts of the event loops, by event loop.
    let loops: [ObjectIdentifier: NIOLoopBound<ProxyLoop>]
    private let acceptors: [ObjectIdentifier: NIOLoopBound<ConnectionAcceptor>]
    private let room: ConnectionRoom
    private let readinessChanged: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let generations: AsyncStream<ProxyGeneration>
    private let acceleratedShutdown: AsyncStream<Void>
    private let shutdownAcceleration: AsyncStream<Void>.Continuation
    private let newGenerations: AsyncStream<ProxyGeneration>.Continuation

    /// - Parameters:
    ///   - vault: Where exchanged tokens are kept.
    ///   - inheritedSockets: Those that listeners have already; the others are bound.
    ///   - clock: The clock that all its times are taken from.
    ///   - resolve: Asks the resolver; may block its thread.
    ///   - readinessChanged: Told true when requests are served, and false when the proxy begins to stop.
    ///   - loadAbated: Called when most of many client connections have ended, or when much memory that requests were
    ///     held in is free again, on an event loop.
    ///   - accessLog: Where access log lines go; nil for none.
    package init(
        settings: ProxySettings,
        authority: LocalAuthority,
        vault: any CredentialStore,
        group: any EventLoopGroup,
        inheritedSockets: InheritedSockets = .none,
        clock: any ProxyClock = SystemClock.shared,
        accessLog: AccessLogOutput?,
        logger: Logger,
        resolve: @escaping @Sendable (_ host: String, _ port: Int) -> [SocketAddress] = SystemAddresses.of(_:port:),
        readinessChanged: @escaping @Sendable (Bool) -> Void = { _ in },
        loadAbated: @escaping @Sendable () -> Void = {}
    ) async throws {
        self.inheritedSockets = inheritedSockets
        self.logger = logger
        self.readinessChanged = readinessChanged
        common = ProxyCommon(
            group: group,
            clock: clock,
            limits: settings.limits,
            resolve: resolve,
            memoryAbated: loadAbated,
            logger: logger
        )
        common.usages.apply(settings.limits)
        common.names.start()
        let generation = try await ProxyGeneration(
            settings: settings,
            authority: authority,
            vault: vault,
            common: common,
            accessLog: accessLog,
            previous: nil
        )
        state = Mutex(State(generation: generation))
        var loops: [ObjectIdentifier: NIOLoopBound<ProxyLoop>] = [:]
        for (id, worker) in generation.workers {
            let registry = common.registry(of: worker.eventLoop)
            loops[id] = try await worker.eventLoop.submit {
                NIOLoopBound(ProxyLoop(worker: worker.value, registry: registry), eventLoop: worker.eventLoop)
            }.get()
        }
        self.loops = loops
        for proxyLoop in loops.values {
            let siblings = loops.values.filter { $0.eventLoop !== proxyLoop.eventLoop }
            try await proxyLoop.eventLoop.submit { proxyLoop.value.siblings = siblings }.get()
        }
        common.usages.onMemoryWanted { [loops] holder, most in
            for proxyLoop in loops.values {
                proxyLoop.eventLoop.execute { proxyLoop.value.reclaimMemory(of: holder, above: most) }
            }
        }
        let room = ConnectionRoom(loops: Array(loops.values), clock: clock, abated: loadAbated)
        self.room = room
        var acceptors: [ObjectIdentifier: NIOLoopBound<ConnectionAcceptor>] = [:]
        for (id, proxyLoop) in loops {
            let registry = common.registry(of: proxyLoop.eventLoop)
            acceptors[id] = try await proxyLoop.eventLoop.submit {
                let acceptor = ConnectionAcceptor(proxyLoop.value, room: room, registry: registry)
                return NIOLoopBound(acceptor, eventLoop: proxyLoop.eventLoop)
            }.get()
        }
        self.acceptors = acceptors
        (generations, newGenerations) = AsyncStream.makeStream()
        (acceleratedShutdown, shutdownAcceleration) = AsyncStream.makeStream()
        newGenerations.yield(generation)
    }

    /// The parts that are made of the present configuration.
    var generation: ProxyGeneration { state.withLock { $0.generation } }

    /// Returns the address that it listens at, at the moment.
    /// - Parameter api: The API whose gateway is meant; nil: the proxy itself.
    func address(ofGateway api: String? = nil) -> SocketAddress? {
        state.withLock { state in
            let listener = state.generation.settings.listeners.first { $0.purpose.api == api }
            return listener.flatMap { state.listeners[$0.key] }?.localAddress
        }
    }

    /// The use that each client makes of what all share.
    var usages: ClientUsages { common.usages }

    /// The listeners that the proxy connects nobody to. Its own listeners are among them; further ones of the process
    /// are to be added.
    package var ownListeners: OwnListeners { common.ownListeners }

    var names: NameResolvers { common.names }
    var logins: LoginGuard { common.logins }
    var exchangesOfAccounts: LastExchanges { common.lastExchanges }
    var trust: TrustMonitor { common.trust }

    /// The number of log-ins of clients, and tokens of the admin listener, that were wrong, and of those that were
    /// refused unchecked.
    package var failedLogins: (failed: Int, unchecked: Int) { common.logins.counts }

    /// The spans that wait for the collector.
    package var spans: SpanQueue { common.spans }

    /// The latest requests, while somebody looks on.
    package var journal: RequestJournal { common.journal }

    /// The metrics as they are at the moment.
    package func metricFamilies() async -> [MetricFamily] {
        await ScrapedMetrics.families(common, generation, clients: room.counter, loops: loops)
    }

    /// Begins to listen, on every address or on none; connections are accepted, and served once ``run()`` runs.
    ///
    /// - Returns: The proxy's address, with the port that was chosen where the settings leave it open.
    /// - Throws: `ListenFailure`.
    package func bind() async throws -> SocketAddress {
        let wanted = generation.settings.listeners
        let channels = try await listen(wanted, accepting: true)
        state.withLock { $0.listeners = channels }
        for listener in wanted { announce(listener.purpose, channels[listener.key]) }
        guard let address = address() else { throw ChannelError.unknownLocalAddress }
        return address
    }

    /// Serves until a graceful shutdown, then drains: requests in flight are finished, for as long as
    /// `timeouts.drain` says. Call ``bind()`` first; otherwise this does.
    package func run() async throws {
        if state.withLock({ $0.listeners.isEmpty }) { _ = try await bind() }
        readinessChanged(true)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.runGenerations() }
            tasks.addTask {
                try? await gracefulShutdown()
                await self.drain()
            }
            // The second one ends first: at a signal, or when this task is cancelled.
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Runs them until the task is cancelled.
    private func runGenerations() async {
        await withDiscardingTaskGroup { group in
            for await generation in generations {
                group.addTask { await generation.run() }
            }
        }
    }

    // MARK: Reload

    /// Binds the addresses that a reload will listen on and this configuration does not.
    ///
    /// - Throws: `ListenFailure` when one cannot be listened on: then nothing has changed.
    package func moveListeners(to settings: ProxySettings) async throws -> MovedListeners {
        let present = state.withLock { $0.listeners }
        let added = settings.listeners.filter { present[$0.key] == nil }
        return MovedListeners(added: try await listen(added, accepting: false))
    }

    /// Serves requests that begin from now on by other settings; those in flight keep what they started with.
    ///
    /// Idle upstream connections whose certificates pass by the policy of now are kept; the others are closed. Open
    /// tunnels stay.
    ///
    /// - Parameter listeners: Those that the settings name.
    /// - Throws: When something cannot be had, like the context of an API's TLS policy: then nothing has changed.
    package func reload(
        settings: ProxySettings,
        authority: LocalAuthority,
        vault: any CredentialStore,
        accessLog: AccessLogOutput?,
        listeners: MovedListeners
    ) async throws {
        let previous = generation
        let next = try await ProxyGeneration(
            settings: settings,
            authority: authority,
            vault: vault,
            common: common,
            accessLog: accessLog,
            previous: previous
        )
        let wanted = settings.listeners
        let removed = state.withLock { state -> [any Channel]? in
            guard !state.isStopping else { return nil }
            state.generation = next
            let present = state.listeners
            state.listeners = [:]
            for (key, _) in wanted { state.listeners[key] = present[key] ?? listeners.added[key] }
            return present.filter { state.listeners[$0.key] == nil }.map(\.value)
        }
        guard let removed else { return listeners.abandon() }
        let before = Dictionary(
            previous.settings.listeners.map { ($0.key, $0.purpose.api) },
            uniquingKeysWith: { first, _ in first }
        )
        let channels = state.withLock { $0.listeners }
        for (key, purpose) in wanted where before[key] != purpose.api { announce(purpose, channels[key]) }
        await close(removed)
        common.trust.policiesChanged()
        common.usages.apply(settings.limits)
        newGenerations.yield(next)
        await replaceWorkers(of: previous, by: next)
        for channel in listeners.added.values { try? await channel.setOption(.autoRead, value: true).get() }
    }

    /// Returns when every event loop has its new worker, and has sorted its idle upstream connections.
    private func replaceWorkers(of previous: ProxyGeneration, by next: ProxyGeneration) async {
        let unused = UseCounter(count: loops.count) { previous.keeper.finish() }
        for (id, proxyLoop) in loops {
            guard let worker = next.workers[id] else { continue }
            try? await proxyLoop.eventLoop.flatSubmit {
                proxyLoop.value.replaceWorker(worker.value, onUnused: unused.release)
            }.get()
        }
    }

    // MARK: Listening

    /// - Parameter accepting: Whether connections are accepted at once, or left to wait.
    private func listen(
        _ listeners: [(key: ListenerKey, purpose: ListenerPurpose)],
        accepting: Bool
    ) async throws -> [ListenerKey: any Channel] {
        var channels: [ListenerKey: any Channel] = [:]
        for (key, purpose) in listeners where channels[key] == nil {
            do {
                channels[key] = try await listen(key, named: purpose.api ?? "proxy", accepting: accepting)
            } catch {
                for channel in channels.values { try? await channel.close() }
                throw ListenFailure(address: key.address, api: purpose.api, cause: error)
            }
        }
        return channels
    }

    private func listen(_ key: ListenerKey, named name: String, accepting: Bool) async throws -> any Channel {
        let bootstrap = Self.bootstrap(common.group, for: key.address)
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
            listener = try await listen(at: path, bootstrap)
        } else {
            listener = try await bootstrap.bind(host: key.address.host, port: key.address.port).get()
        }
        common.ownListeners.add(listener)
        return listener
    }

    /// Closes listeners once the connections that they have accepted are served: NIO closes those, too, that it is still
    /// setting up.
    private func close(_ listeners: [any Channel]) async {
        for listener in listeners { try? await listener.setOption(.autoRead, value: false).get() }
        // Each connection is set up by its own event loop, and then goes back to the listener's.
        for proxyLoop in loops.values { try? await proxyLoop.eventLoop.submit {}.get() }
        for listener in listeners {
            try? await listener.eventLoop.submit {}.get()
            try? await listener.close()
            // What else happens then, like the removal of a socket's file.
            try? await listener.closeFuture.get()
        }
    }

    private func announce(_ purpose: ListenerPurpose, _ listener: (any Channel)?) {
        guard let address = listener?.localAddress else { return }
        var metadata: Logger.Metadata = ["listener": "proxy", "address": "\(address.urlText)"]
        if let api = purpose.api {
            metadata["listener"] = "gateway"
            metadata["api"] = "\(api)"
        }
        logger.info("listening", metadata: metadata)
    }

    // MARK: End

    /// Has requests in flight no longer waited for, now or once the proxy stops.
    @Sendable package func cutDrainShort() {
        shutdownAcceleration.yield()
    }

    private func drain() async {
        readinessChanged(false)
        logger.info("stopping, once the requests in flight are finished")
        let listeners = state.withLock { state in
            state.isStopping = true
            return state.listeners
        }
        await close(Array(listeners.values))
        for proxyLoop in loops.values { proxyLoop.eventLoop.execute { proxyLoop.value.drain() } }
        switch await waitUntilDrained() {
        case .drained: break
        case .timeIsOver: logger.warning("timeouts.drain is over: what is still in flight is cut off")
        case .cutShort: logger.warning("told again to stop: what is still in flight is cut off")
        }
        for proxyLoop in loops.values {
            try? await proxyLoop.eventLoop.submit { proxyLoop.value.closeAll() }.get()
        }
        common.names.shutdown()
        common.logins.report()
    }

    private enum DrainEnd { case drained, timeIsOver, cutShort }

    private func waitUntilDrained() async -> DrainEnd {
        let limit = generation.settings.timeouts.drain
        let (times, newTime) = AsyncStream<Void>.makeStream()
        let loop = common.group.any()
        let timer = try? await loop.submit { [common] in
            common.clock.schedule(in: limit, on: loop) { newTime.yield() }
        }.get()
        defer { timer?.cancel() }
        return await withTaskGroup(of: DrainEnd.self) { tasks in
            tasks.addTask { [room] in
                await room.counter.untilZero()
                return .drained
            }
            tasks.addTask {
                for await _ in times { break }
                return .timeIsOver
            }
            tasks.addTask { [acceleratedShutdown] in
                for await _ in acceleratedShutdown { break }
                return .cutShort
            }
            let first = await tasks.next() ?? .drained
            tasks.cancelAll()
            return first
        }
    }
}
