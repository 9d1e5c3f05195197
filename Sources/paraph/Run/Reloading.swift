import AdminServer
import Credentials
import Files
import FoundationEssentials
import ForwardProxy
import Inspection
import LocalAuthority
import Logging
import NIOPosix
import ParaphConfiguration
import ServiceLifecycle
import Settings
import UnixSignals

/// Reads the configuration again at SIGHUP, when it is asked to, and when a file that the configuration names has
/// changed, and serves by it: all of it or, at any mistake, nothing of it.
struct Reloading: Service {
    let signals: UnixSignalsSequence
    /// The signals at which the log's file is opened anew.
    let logSignals: UnixSignalsSequence
    let requests: ReloadRequests
    /// The watcher of the files that the configuration names; nil when changes of them are not noticed.
    let watcher: FileWatcher?
    /// The environment that this process was started with. What secrets were read from is no longer in its environment,
    /// nor is what they are first read from at a reload.
    let environment: [String: String]
    let running: RunningConfiguration
    let publication: Publication?
    let inheritedSockets: InheritedSockets
    let proxy: ProxyServer
    let admin: AdminServer
    let metrics: RunMetrics
    let status: RunStatus
    let manager: ServiceManager
    let output: LogOutput
    let logger: Logger

    func run() async {
        async let signalled: Void = noteSignals()
        async let reopened: Void = reopenLog()
        async let watched: Void = noteChanges()
        watcher?.watch(running.configuration.watchedFiles)
        await requests.serve {
            manager.reloads()
            let result = await reload()
            metrics.noteReload(applied: result.isApplied)
            status.note(result)
            let refusal = "; the configuration was not reloaded: see the log"
            manager.reloaded(status: running.status + (result.isApplied ? "" : refusal))
            return result
        }
        watcher?.stop()
        await watched
        await signalled
        await reopened
    }

    private func noteSignals() async {
        for await _ in signals.cancelOnGracefulShutdown() { requests.note() }
    }

    private func reopenLog() async {
        for await _ in logSignals.cancelOnGracefulShutdown() { await output.reopenFile(logger) }
    }

    private func noteChanges() async {
        await watcher?.run(
            changed: { files in
                logger.info(
                    "a file that the configuration names has changed",
                    metadata: ["files": "\(files.joined(separator: ", "))"]
                )
                requests.note()
            },
            failed: { error in
                logger.warning(
                    "files that change are seen at a reload only",
                    metadata: ["reason": "\(error)"]
                )
            }
        )
    }

    private func reload() async -> ReloadResult {
        await output.reopenFile(logger)
        // What is refused now is not tried again until a file is another one than it is now.
        let paths = running.configuration.watchedFiles.map(\.path)
        guard let files = try? await NIOThreadPool.singleton.runIfActive({ paths.map { SeenFile($0) } }) else {
            return .ending
        }
        let configuration: Configuration
        switch await load() {
        case .success(let loaded):
            configuration = loaded
            VariableWiping.blank(loaded.secretVariables)
        case .failure(let error):
            VariableWiping.blank(error.secretVariables)
            for line in error.lines {
                logger.error("the configuration has a mistake", metadata: ["mistake": "\(line)"])
            }
            watcher?.watch(files + error.watchedFiles)
            return refuse("it has mistakes", mistakes: error.lines)
        case nil:
            return .ending
        }
        let result = await serve(by: configuration)
        watcher?.watch(result.isApplied ? running.configuration.watchedFiles : files + configuration.watchedFiles)
        return result
    }

    private func serve(by configuration: Configuration) async -> ReloadResult {
        let state: ProxyState
        let logFile: LogFile?
        do throws(InheritedSocketError) {
            try inheritedSockets.check(configuration.listeners)
        } catch {
            return refuse("\(error)")
        }
        let settings = configuration.proxy.within(DescriptorLimit(raisedFor: configuration.proxy.limits))
        let listeners: MovedListeners
        do {
            listeners = try await proxy.moveListeners(to: settings)
        } catch {
            let failure = error as? ListenFailure
            return refuse(failure?.api.map { "the gateway of \($0)" } ?? "the proxy", failure?.address, error)
        }
        let adminListener: AdminListener?
        do {
            adminListener = try await admin.prepare(configuration.admin)
        } catch {
            listeners.abandon()
            return refuse("the admin listener", configuration.admin?.address, error)
        }
        do throws(LogFile.NotOpened) {
            // The one that lines go to has just been opened.
            let isOther = configuration.log.file != output.settings.file
            let path = isOther ? configuration.log.file : nil
            logFile = try await BlockingWork.run { () throws(LogFile.NotOpened) in try LogFile.named(path) }
        } catch {
            listeners.abandon()
            adminListener?.abandon()
            return refuse("log.file: \(error)")
        }
        do {
            state = try await ProxyState.open(
                configuration,
                keeping: running.state.vault,
                logger: logger
            )
            try await BlockingWork.run { [publication, logger, state] in
                try publication?.write(configuration, state.authority, logger: logger)
            }
            try await check(state.vault)
            try await proxy.reload(
                ProxyConfiguration(settings, state, accessLog: output.accessLog(by: configuration.log)),
                listeners: listeners
            )
        } catch {
            listeners.abandon()
            adminListener?.abandon()
            logFile?.close()
            await publishAgain()
            return refuse("what it needs cannot be had: \(error)")
        }
        admin.reload(AdminSettings(configuration, state), adminListener)
        if configuration.log.file == output.settings.file {
            output.settings = configuration.log
        } else {
            output.take(logFile, configuration.log)
        }
        proxy.journal.keep(configuration.keepsRequests)
        let changes = changes(to: configuration, state)
        running.replace(configuration, state)
        logger.info(
            "the configuration was reloaded",
            metadata: ["file": "\(configuration.file)", "changes": "\(changes)"]
        )
        await running.tell(logger)
        return .applied(changes)
    }

    /// Looks whether another store answers that is to take the place of one that does.
    private func check(_ vault: OpenedStore) async throws {
        let present = running.state.vault
        guard vault.isRemote, vault !== present else { return }
        do throws(VaultError) {
            try await vault.store.check()
        } catch {
            if (try? await present.store.check()) != nil { throw error }
        }
    }

    /// Publishes what is served by: something else may be published by now, in whole or in part.
    private func publishAgain() async {
        let (configuration, authority) = (running.configuration, running.state.authority)
        try? await BlockingWork.run { [publication, logger] in
            try publication?.write(configuration, authority, logger: logger)
        }
    }

    private func changes(to configuration: Configuration, _ state: ProxyState) -> SettingChanges {
        var changes = configuration.marks.changes(since: running.configuration.marks)
        let authorities = [running.state, state].map(\.authority.certificatePEM)
        // Its files are the proxy's own, which the configuration has not read.
        let isNamed = (changes.added + changes.changed + changes.removed).contains {
            $0 == "authority" || $0.hasPrefix("authority.")
        }
        if authorities[0] != authorities[1], !isNamed { changes.changed.append("authority") }
        return changes
    }

    /// - Returns: Nil when the process ends.
    private func load() async -> Result<Configuration, ConfigurationMistakes>? {
        let path = running.configuration.file
        return try? await NIOThreadPool.singleton.runIfActive { [environment] in
            Result { () throws(ConfigurationMistakes) in
                // The wait for a FIFO that nobody writes to would not end, nor would the proxy.
                try Configuration.load(path: path, environment: environment, waitsForWriters: false)
            }
        }
    }

    private func refuse(_ listener: String, _ address: ListenAddress?, _ error: any Error) -> ReloadResult {
        let name = address.map { "\($0)" } ?? "off"
        // Two listeners of one port stand side by side only on different addresses.
        let isOwn = address?.path == nil && running.configuration.listenAddresses.contains { $0.port == address?.port }
        let advice = isOwn ? "; this proxy listens on that port: start it again to move within its own ports" : ""
        return refuse(
            "the address of \(listener), \(name), cannot be listened on: \(SocketErrorText.describe(error))\(advice)"
        )
    }

    private func refuse(_ reason: String, mistakes: [String] = []) -> ReloadResult {
        logger.error(
            "the configuration was not reloaded: everything goes on as before",
            metadata: ["file": "\(running.configuration.file)", "reason": "\(reason)"]
        )
        return .refused(reason: reason, mistakes: mistakes)
    }
}
