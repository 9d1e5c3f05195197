package import Credentials
package import LocalAuthority
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import UpstreamTrust

/// The forward proxy: its listener, its event loops, its reloads, and its orderly end.
package final class ProxyServer: Service {
    private struct State {
        var listener: (any Channel)?
        var generation: ProxyGeneration
        var isStopping = false
    }

    private let common: ProxyCommon
    private let logger: Logger
    /// By event loop.
    private let loops: [ObjectIdentifier: NIOLoopBound<ProxyLoop>]
    private let connections = ConnectionCounter()
    private let readinessChanged: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let generations: AsyncStream<ProxyGeneration>
    private let newGenerations: AsyncStream<ProxyGeneration>.Continuation

    /// - Parameters:
    ///   - vault: where exchanged tokens are kept.
    ///   - readinessChanged: told true when requests are served, and false when the proxy begins to stop.
    ///   - logSink: where access log lines go; nil for none.
    package init(
        settings: ProxySettings,
        authority: LocalAuthority,
        vault: Vault,
        group: any EventLoopGroup,
        logSink: LogSink?,
        logger: Logger,
        readinessChanged: @escaping @Sendable (Bool) -> Void = { _ in }
    ) throws {
        self.logger = logger
        self.readinessChanged = readinessChanged
        common = ProxyCommon(group: group, logger: logger)
        common.resolverThreads.start()
        let generation = try ProxyGeneration(
            settings: settings,
            authority: authority,
            vault: vault,
            common: common,
            logSink: logSink,
            previous: nil
        )
        state = Mutex(State(generation: generation))
        loops = try generation.workers.mapValues { worker in
            try worker.eventLoop.submit {
                NIOLoopBound(ProxyLoop(worker: worker.value), eventLoop: worker.eventLoop)
            }.wait()
        }
        (generations, newGenerations) = AsyncStream.makeStream()
        newGenerations.yield(generation)
    }

    /// What is made of the present configuration.
    var generation: ProxyGeneration { state.withLock { $0.generation } }

    /// Where it listens at the moment.
    var address: SocketAddress? { state.withLock { $0.listener }?.localAddress }

    /// How often upstream certificates were not accepted.
    package var trustFailures: [TrustFailureCount] { common.trust.counts }

    /// Begins to listen; connections are accepted, and served once ``run()`` runs.
    ///
    /// - Returns: the address, with the port that was chosen where the settings leave it open.
    package func bind() async throws -> SocketAddress {
        let settings = generation.settings
        let (channel, address) = try await listen(host: settings.host, port: settings.port)
        state.withLock { $0.listener = channel }
        announce(channel)
        return address
    }

    /// Serves until a graceful shutdown, then drains: requests in flight are finished, for as long as
    /// `timeouts.drain` says. Call ``bind()`` first; otherwise this does.
    package func run() async throws {
        if state.withLock({ $0.listener == nil }) { _ = try await bind() }
        ChainVerifier.preload()
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

    /// Until the task is cancelled.
    private func runGenerations() async {
        await withDiscardingTaskGroup { group in
            for await generation in generations {
                group.addTask { [common] in await generation.run(watchingOn: common.group.next()) }
            }
        }
    }

    // MARK: Reload

    /// Binds the address that a reload will listen on, where it is another one. What connects there before the reload is
    /// served as everybody else is.
    ///
    /// - Throws: when it cannot be listened on: then nothing has changed.
    package func moveListener(to host: String, port: Int) async throws -> MovedListener {
        let present = generation.settings
        guard (host, port) != (present.host, present.port) else { return MovedListener(channel: nil) }
        return MovedListener(channel: try await listen(host: host, port: port).channel)
    }

    /// Serves requests that begin from now on by other settings; those in flight keep what they started with.
    ///
    /// Idle upstream connections whose certificates pass by the policy of now are kept; the others are closed. Open
    /// tunnels stay.
    ///
    /// - Parameter listener: of the address in the settings.
    /// - Throws: when something cannot be had, like the context of an API's TLS policy: then nothing has changed.
    package func reload(
        settings: ProxySettings,
        authority: LocalAuthority,
        vault: Vault,
        logSink: LogSink?,
        listener: MovedListener
    ) async throws {
        let previous = generation
        let next = try ProxyGeneration(
            settings: settings,
            authority: authority,
            vault: vault,
            common: common,
            logSink: logSink,
            previous: previous
        )
        let replaced = state.withLock { state -> (isStopping: Bool, listener: (any Channel)?) in
            guard !state.isStopping else { return (true, listener.channel) }
            state.generation = next
            guard let channel = listener.channel else { return (false, nil) }
            defer { state.listener = channel }
            return (false, state.listener)
        }
        if let channel = listener.channel, !replaced.isStopping { announce(channel) }
        try? await replaced.listener?.close()
        guard !replaced.isStopping else { return }
        common.trust.policiesChanged()
        newGenerations.yield(next)
        await replaceWorkers(of: previous, by: next)
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

    private func listen(host: String, port: Int) async throws -> (channel: any Channel, address: SocketAddress) {
        let channel = try await ServerBootstrap(group: common.group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [loops, connections] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let proxyLoop = loops[ObjectIdentifier(channel.eventLoop)]?.value else {
                        throw ChannelError.operationUnsupported
                    }
                    let settings = proxyLoop.worker.settings
                    guard ProxyServer.admits(channel, settings) else { throw ChannelError.eof }
                    let limit = settings.limits.connections
                    let count = connections.increment()
                    channel.closeFuture.whenComplete { _ in connections.decrement() }
                    // A connection over the limit is told so; far over it there is no room even for that.
                    guard count <= limit + max(64, limit / 10) else { throw ChannelError.eof }
                    try channel.pipeline.syncOperations.addHandler(
                        ClientHandler(proxyLoop: proxyLoop, isOverLimit: count > limit)
                    )
                }
            }
            .bind(host: host, port: port)
            .get()
        guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        return (channel, address)
    }

    private func announce(_ listener: any Channel) {
        guard let address = listener.localAddress else { return }
        logger.info("listening", metadata: ["listener": "proxy", "address": "\(address.urlText)"])
    }

    // MARK: End

    private func drain() async {
        readinessChanged(false)
        logger.info("stopping, once the requests in flight are finished")
        let listener = state.withLock { state in
            state.isStopping = true
            return state.listener
        }
        try? await listener?.close()
        for proxyLoop in loops.values { proxyLoop.eventLoop.execute { proxyLoop.value.drain() } }
        let drained = await waitUntilDrained()
        if !drained {
            logger.warning("timeouts.drain is over: what is still in flight is cut off")
        }
        for proxyLoop in loops.values {
            try? await proxyLoop.eventLoop.submit { proxyLoop.value.closeAll() }.get()
        }
        try? await common.resolverThreads.shutdownGracefully()
    }

    /// False when `timeouts.drain` was over first.
    private func waitUntilDrained() async -> Bool {
        let limit = generation.settings.timeouts.drain
        return await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask { [connections] in
                await connections.untilZero()
                return true
            }
            tasks.addTask {
                try? await Task.sleep(for: .nanoseconds(limit.nanoseconds))
                return false
            }
            let first = await tasks.next() ?? true
            tasks.cancelAll()
            return first
        }
    }
}
