package import Inspection
package import Logging
package import NIOCore
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
    private let logger: Logger
    /// The parts of the event loops, by event loop.
    let loops: [ObjectIdentifier: NIOLoopBound<ProxyLoop>]
    private let binder: ListenerBinder
    private let room: ConnectionRoom
    private let readinessChanged: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let generations: AsyncStream<ProxyGeneration>
    private let drainWait = DrainWait()
    private let newGenerations: AsyncStream<ProxyGeneration>.Continuation

    /// - Parameters:
    ///   - inheritedSockets: Those that listeners have already; the others are bound.
    ///   - clock: The clock that all its times are taken from.
    ///   - resolve: Asks the resolver; may block its thread.
    ///   - readinessChanged: Told true when requests are served, and false when the proxy begins to stop.
    ///   - loadAbated: Called when most of many client connections have ended, or when much memory that requests were
    ///     held in is free again, on an event loop.
    package init(
        _ configuration: ProxyConfiguration,
        group: any EventLoopGroup,
        inheritedSockets: InheritedSockets = .none,
        clock: any ProxyClock = SystemClock.shared,
        logger: Logger,
        resolve: @escaping @Sendable (_ host: String, _ port: Int) -> [SocketAddress] = SystemAddresses.of(_:port:),
        readinessChanged: @escaping @Sendable (Bool) -> Void = { _ in },
        loadAbated: @escaping @Sendable () -> Void = {}
    ) async throws {
        let settings = configuration.settings
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
        let generation = try await ProxyGeneration(configuration, common: common, previous: nil)
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
            try await proxyLoop.eventLoop.submit { proxyLoop.value.join(siblings) }.get()
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
        binder = ListenerBinder(
            common: common,
            inheritedSockets: inheritedSockets,
            acceptors: acceptors
        )
        (generations, newGenerations) = AsyncStream.makeStream()
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
    var exchangesOfAccounts: LastExchanges { common.keeping.lastExchanges }
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
        let channels = try await binder.open(wanted, accepting: true)
        state.withLock { $0.listeners = channels }
        for listener in wanted { binder.announce(listener.purpose, channels[listener.key]) }
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
        return MovedListeners(added: try await binder.open(added, accepting: false))
    }

    /// Serves requests that begin from now on by another configuration; those in flight keep what they started with.
    ///
    /// Idle upstream connections whose certificates pass by the policy of now are kept; the others are closed. Open
    /// tunnels stay.
    ///
    /// - Parameter listeners: Those that the settings name.
    /// - Throws: When something cannot be had, like the context of an API's TLS policy: then nothing has changed.
    package func reload(_ configuration: ProxyConfiguration, listeners: MovedListeners) async throws {
        let settings = configuration.settings
        let previous = generation
        let next = try await ProxyGeneration(configuration, common: common, previous: previous)
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
        for (key, purpose) in wanted where before[key] != purpose.api { binder.announce(purpose, channels[key]) }
        await binder.close(removed)
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

    // MARK: End

    /// Stops waiting for the requests in flight, now or once the proxy stops.
    @Sendable package func cutDrainShort() {
        drainWait.cutShort()
    }

    private func drain() async {
        readinessChanged(false)
        logger.info("stopping, once the requests in flight are finished")
        let listeners = state.withLock { state in
            state.isStopping = true
            return state.listeners
        }
        await binder.close(Array(listeners.values))
        for proxyLoop in loops.values { proxyLoop.eventLoop.execute { proxyLoop.value.drain() } }
        let limit = generation.settings.timeouts.drain
        switch await drainWait.untilEnd(of: room.counter, within: limit, clock: common.clock, on: common.group.any()) {
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
}
