import AdminServer
import ArgumentParser
import Credentials
import ForwardProxy
import FoundationEssentials
import Glibc
import Inspection
import Logging
import NIOCore
import NIOPosix
import ParaphConfiguration
import ServiceLifecycle
import Settings
import UnixSignals

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the proxy.",
        discussion: """
            The first log lines name the listeners; GET /readyz on the admin listener says when requests are served, \
            and so does paraph health. SIGHUP, or POST /reload on the admin listener, reloads the configuration: all of \
            it or, at any mistake, nothing; a file that it names, with a secret or a certificate, does the same when it \
            changes. SIGUSR1 opens log.file anew, and a reload does so too. SIGTERM and SIGINT, or POST /quit, stop the \
            proxy once the requests in flight are finished; a second signal cuts them off.

            --publish is for a folder that other containers see at the same path: authority.pem is the local CA's \
            certificate, roots.pem the system's CAs and the local CA, and env has the variables that paraph env --shell \
            dotenv prints. They are there before the proxy is ready, and written anew when a reload changes them. \
            Everybody may read them; nothing secret is in them.
            """
    )

    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "Write the local CA's certificate, and the variables that make programs use the proxy, into this folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var publish: String?

    @Option(
        help: ArgumentHelp("The client of access.clients that the published variables are for.", valueName: "name")
    )
    var client: String?

    private var publication: Publication? { publish.map { Publication(path: $0, client: client) } }

    func validate() throws {
        guard client == nil || publish != nil else {
            throw ValidationError("--client is for what --publish writes; nothing else needs it.")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        Allocator.limitHeaps(eventLoops: NIOSingletons.groupLoopCountSuggestion)
        Allocator.separateLargeBlocks()
        // Before anything says that the proxy is there: untrapped, they end the process at once.
        let reloadSignals = await UnixSignalsSequence(trapping: .sighup)
        let environment = ProcessInfo.processInfo.environment
        let service = ServiceEnvironment(environment, process: getpid())
        VariableWiping.wipe(ServiceEnvironment.names)
        let configuration = try await configurationOption.load(environment: environment)
        let output = LogOutput(configuration.log, sink: .process, terminal: .terminal(environment))
        let logger = output.logger()
        do throws(LogFile.NotOpened) {
            let file = try await BlockingWork.run { () throws(LogFile.NotOpened) in
                try LogFile.named(configuration.log.file)
            }
            if let file { output.take(file, configuration.log) }
        } catch {
            StandardError.print("paraph: log.file: \(error)")
            throw ExitCode.badData
        }
        let inheritedSockets: InheritedSockets
        do {
            inheritedSockets = try InheritedSockets(PassedSockets.read(service), for: configuration.listeners)
        } catch {
            logger.critical("a socket that was passed is of no use", metadata: ["reason": "\(error)"])
            throw ExitCode.badData
        }
        // Nothing else here has the state: when a reload replaces its store, that is closed with its last user.
        let running: RunningConfiguration
        do {
            running = RunningConfiguration(configuration, try await opened(configuration, logger))
        } catch {
            logger.critical("the state cannot be used", metadata: ["reason": "\(error)"])
            throw ExitCode.badData
        }
        do {
            let authority = running.state.authority
            try await BlockingWork.run { [publication] in
                try publication?.write(configuration, authority, logger: logger)
            }
        } catch {
            logger.critical("nothing can be published", metadata: ["reason": "\(error)"])
            throw (error as? EnvError)?.exitCode ?? ExitCode.badData
        }
        try await serve(
            running,
            inheritance: ProcessInheritance(environment: environment, service: service, sockets: inheritedSockets),
            signals: RunSignals(
                reload: reloadSignals,
                end: await UnixSignalsSequence(trapping: .sigterm, .sigint),
                log: await UnixSignalsSequence(trapping: .sigusr1)
            ),
            output: output,
            logger: logger
        )
    }

    /// Opens the state. Where that needs a local CA that is in etcd alone, it waits until etcd answers.
    private func opened(_ configuration: Configuration, _ logger: Logger) async throws -> ProxyState {
        var isTold = false
        while true {
            do {
                return try await ProxyState.open(configuration, logger: logger)
            } catch let error as VaultError where error.isUnavailability {
                if !isTold {
                    logger.error(
                        "the local CA that the proxies share cannot be had, which is tried again and again",
                        metadata: ["reason": "\(error)"]
                    )
                }
                isTold = true
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func serve(
        _ running: RunningConfiguration,
        inheritance: ProcessInheritance,
        signals: RunSignals,
        output: LogOutput,
        logger: Logger
    ) async throws {
        let configuration = running.configuration
        let monitor = StoreMonitor(running: running, logger: logger)
        let readiness = Readiness(probes: [.vault: { await monitor.isReadable }])
        readiness.set(.configuration, ready: true)
        readiness.set(.authority, ready: true)
        readiness.set(.vault, ready: true)
        let manager = ServiceManager(
            awaiting: configuration.admin == nil ? [.proxy] : [.proxy, .admin],
            socket: inheritance.service.notifySocket,
            logger: logger
        )
        let (peaks, newPeaks) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let descriptors = DescriptorLimit(raisedFor: configuration.proxy.limits)
        let proxy = try await ProxyServer(
            ProxyConfiguration(
                configuration.proxy.within(descriptors),
                running.state,
                accessLog: output.accessLog(by: configuration.log)
            ),
            group: MultiThreadedEventLoopGroup.singleton,
            inheritedSockets: inheritance.sockets,
            logger: logger,
            readinessChanged: { isReady in
                readiness.set(.proxy, ready: isReady)
                if isReady { manager.listens(.proxy, status: running.status) } else { manager.stops() }
            },
            loadAbated: { newPeaks.yield() }
        )
        do {
            _ = try await proxy.bind()
        } catch {
            await tell(error, logger)
            throw ExitCode.unavailable
        }
        proxy.journal.keep(configuration.keepsRequests)
        await running.tell(logger)
        let metrics = RunMetrics(proxy: proxy, readiness: readiness)
        let status = RunStatus(proxy: proxy, running: running, readiness: readiness)
        let reloads = ReloadRequests()
        let ending = Ending(signals: signals.end, cutShort: proxy.cutDrainShort) {
            logger.critical("something that is under way does not end: the process ends without it")
            Glibc.exit(ExitCode.failure.rawValue)
        }
        let admin = AdminServer(
            settings: running.adminSettings,
            backend: AdminBackend(
                readiness: readiness,
                metrics: metrics.families,
                enrolment: proxy,
                status: status,
                control: RunControl(reloads: reloads, ending: ending),
                checks: RunChecks(running: running).run,
                tokenGuard: proxy,
                journal: proxy.journal,
                isOwnUser: SocketOwner.isOwnUser
            ),
            connectionLimit: descriptors.adminConnections,
            inheritedSockets: inheritance.sockets,
            logger: logger,
            onListening: { listener in
                proxy.ownListeners.add(listener)
                manager.listens(.admin, status: running.status)
            }
        )
        let reloading = Reloading(
            signals: signals.reload,
            logSignals: signals.log,
            requests: reloads,
            watcher: await fileWatcher(logger),
            environment: inheritance.environment,
            running: running,
            publication: publication,
            inheritedSockets: inheritance.sockets,
            proxy: proxy,
            admin: admin,
            metrics: metrics,
            status: status,
            manager: manager,
            output: output,
            logger: logger
        )
        // Services end in the reverse order: /readyz tells of the draining for as long as it lasts.
        let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: admin, serviceName: "admin"),
            .init(service: SpanExport(proxy: proxy, logger: logger), serviceName: "span export"),
            .init(service: monitor, serviceName: "store monitor"),
            .init(service: proxy, serviceName: "proxy"),
            .init(service: reloading, serviceName: "reloading"),
            .init(service: ending, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "ending"),
        ]
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: quiet(logger))
        )
        let release = Task { try await MemoryRelease.run(peaks: peaks) }
        defer { release.cancel() }
        let watching = inheritance.service.watchdogInterval.map { interval in
            let group = MultiThreadedEventLoopGroup.singleton
            return Task { try await Watchdog(interval: interval, group: group, tell: manager.lives).run() }
        }
        defer { watching?.cancel() }
        do {
            try await group.run()
        } catch {
            let address = configuration.admin?.address
            var metadata = await Self.reason(error, address)
            metadata["setting"] = "listen.admin"
            metadata["address"] = "\(address.map { "\($0)" } ?? "off")"
            logger.critical("the admin listener's address cannot be listened on", metadata: metadata)
            throw ExitCode.unavailable
        }
        await running.state.vault.close()
        await manager.finish()
        logger.info("stopped")
    }

    /// Returns a watcher of files; nil where the system has none to give, which is told: what the proxy serves does not
    /// depend on it.
    private func fileWatcher(_ logger: Logger) async -> FileWatcher? {
        do {
            return try await FileWatcher(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
        } catch {
            logger.warning(
                "files that change are seen at a reload only",
                metadata: ["reason": "\(error)"]
            )
            return nil
        }
    }

    /// Tells what kept the proxy from listening.
    private func tell(_ error: any Error, _ logger: Logger) async {
        let failure = error as? ListenFailure
        var metadata = await Self.reason(error, failure?.address)
        guard let failure else { return logger.critical("the proxy cannot listen", metadata: metadata) }
        metadata["address"] = "\(failure.address)"
        metadata["setting"] = failure.api.map { "apis.\($0).gateway" } ?? "listen.proxy"
        logger.critical(
            failure.api == nil
                ? "the proxy's address cannot be listened on" : "a gateway's address cannot be listened on",
            metadata: metadata
        )
    }

    private static func reason(_ error: any Error, _ address: ListenAddress?) async -> Logger.Metadata {
        var metadata: Logger.Metadata = ["reason": "\(SocketErrorText.describe(error))"]
        if let address, SocketErrorText.isAddressInUse(error) {
            let holder = await BlockingWork.run { AddressHolder.find(address) }
            if let holder { metadata["holder"] = "\(holder)" }
        }
        return metadata
    }

    /// The library's own lines at info say nothing that ours do not.
    private func quiet(_ logger: Logger) -> Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}
