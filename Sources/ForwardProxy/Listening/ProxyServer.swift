package import Credentials
package import LocalAuthority
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import UpstreamTrust

/// The forward proxy: its listener, its event loops, and its orderly end.
package final class ProxyServer: Service {
    private let settings: ProxySettings
    private let group: any EventLoopGroup
    private let logger: Logger
    let keeper: TokenKeeper
    private let vault: Vault
    private let invalidation: AccountInvalidation
    /// Enrols, lists and removes accounts while the proxy runs.
    package let enroller: Enroller
    private let workers: [ObjectIdentifier: NIOLoopBound<ProxyWorker>]
    private let connections = ConnectionCounter()
    /// A name server that does not answer holds up look-ups for seconds: they get threads of their own.
    private let resolverThreads = NIOThreadPool(numberOfThreads: 16)
    private let readinessChanged: @Sendable (Bool) -> Void
    private let listener = Mutex<(any Channel)?>(nil)

    /// Does all that is done once: TLS contexts, signer tables, pools.
    ///
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
        self.settings = settings
        self.group = group
        self.logger = logger
        self.readinessChanged = readinessChanged
        let apis = try settings.apis.map { try APIContext(settings: $0) }
        let leaves = try LeafContexts(authority: authority)
        let keeper = TokenKeeper(
            apis: apis,
            vault: vault,
            waiterLimit: settings.limits.exchangeWaiters,
            logger: logger
        )
        self.keeper = keeper
        self.vault = vault
        let resolverThreads = resolverThreads
        resolverThreads.start()
        let loops = Array(group.makeIterator())
        let idlePerTarget = max(1, settings.limits.pooledPerHost / max(1, loops.count))
        var workers: [ObjectIdentifier: NIOLoopBound<ProxyWorker>] = [:]
        var transports: [ExchangeTransport] = []
        for loop in loops {
            // Made on its loop, where it stays.
            let (worker, transport) = try loop.submit {
                let worker = ProxyWorker(
                    loop: loop,
                    settings: settings,
                    apis: apis,
                    leaves: leaves,
                    keeper: keeper,
                    resolverThreads: resolverThreads,
                    idlePerTarget: idlePerTarget,
                    logSink: logSink,
                    logger: logger
                )
                return (NIOLoopBound(worker, eventLoop: loop), worker.tokens.transport)
            }.wait()
            workers[ObjectIdentifier(loop)] = worker
            transports.append(transport)
        }
        self.workers = workers
        invalidation = AccountInvalidation(keeper: keeper, apis: apis, workers: Array(workers.values))
        enroller = Enroller(
            settings: settings.enrolment ?? EnrolmentSettings(),
            apis: apis,
            vault: vault,
            transports: transports,
            invalidation: invalidation,
            logger: logger
        )
    }

    /// Begins to listen; connections are accepted, and served once ``run()`` runs.
    ///
    /// - Returns: the address, with the port that was chosen where the settings leave it open.
    package func bind() async throws -> SocketAddress {
        let channel = try await listen()
        listener.withLock { $0 = channel }
        guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        logger.info("listening", metadata: ["listener": "proxy", "address": "\(address.urlText)"])
        return address
    }

    /// Serves until a graceful shutdown, then drains: requests in flight are finished, for as long as
    /// `timeouts.drain` says. Call ``bind()`` first; otherwise this does.
    package func run() async throws {
        if listener.withLock({ $0 == nil }) { _ = try await bind() }
        guard let listener = listener.withLock({ $0 }) else { return }
        ChainVerifier.preload()
        readinessChanged(true)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.keepTokens() }
            tasks.addTask {
                try? await gracefulShutdown()
                await self.drain(listener)
            }
            // The second one ends first: at a signal, or when this task is cancelled.
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Until the task is cancelled.
    private func keepTokens() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchVault() }
            await self.keeper.run()
        }
    }

    /// Other processes change the vault as well: `paraph login`, `paraph accounts`.
    private func watchVault() async {
        let (changes, continuation) = AsyncStream<DirectoryChanges>.makeStream()
        let watcher: VaultWatcher
        do {
            watcher = try await VaultWatcher(directory: vault.changesPath, eventLoop: group.next()) {
                continuation.yield($0)
            }
        } catch {
            return logger.warning(
                "what other commands change in the vault is seen at the next start only",
                metadata: ["reason": "\(error)"]
            )
        }
        // What changed before that was not told.
        await invalidation.forget(nil)
        for await change in changes {
            await invalidation.filesChanged(change.fileNames, isIncomplete: change.overflowed)
        }
        await watcher.stop()
    }

    private func listen() async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [workers, connections, limit = settings.limits.connections] channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let worker = workers[ObjectIdentifier(channel.eventLoop)] else {
                        throw ChannelError.operationUnsupported
                    }
                    let count = connections.increment()
                    channel.closeFuture.whenComplete { _ in connections.decrement() }
                    // A connection over the limit is told so; far over it there is no room even for that.
                    guard count <= limit + max(64, limit / 10) else { throw ChannelError.eof }
                    try channel.pipeline.syncOperations.addHandler(
                        ClientHandler(worker: worker.value, isOverLimit: count > limit)
                    )
                }
            }
            .bind(host: settings.host, port: settings.port)
            .get()
    }

    private func drain(_ listener: any Channel) async {
        readinessChanged(false)
        logger.info("stopping, once the requests in flight are finished")
        try? await listener.close()
        for worker in workers.values { worker.eventLoop.execute { worker.value.drain() } }
        let drained = await waitUntilDrained()
        if !drained {
            logger.warning("timeouts.drain is over: what is still in flight is cut off")
        }
        for worker in workers.values {
            try? await worker.eventLoop.submit { worker.value.closeAll() }.get()
        }
        try? await resolverThreads.shutdownGracefully()
    }

    /// False when `timeouts.drain` was over first.
    private func waitUntilDrained() async -> Bool {
        await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask { [connections] in
                await connections.untilZero()
                return true
            }
            tasks.addTask { [settings] in
                try? await Task.sleep(for: .nanoseconds(settings.timeouts.drain.nanoseconds))
                return false
            }
            let first = await tasks.next() ?? true
            tasks.cancelAll()
            return first
        }
    }
}
