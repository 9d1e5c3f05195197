import AdminServer
import FoundationEssentials
import ForwardProxy
import Logging
import ParaphConfiguration
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again at each SIGHUP and serves by it: all of it or, at any mistake, nothing of it.
struct Reloading: Service {
    let signals: UnixSignalsSequence
    let running: RunningConfiguration
    let proxy: ProxyServer
    let admin: AdminServer
    let metrics: RunMetrics
    let output: LogOutput
    let logger: Logger

    func run() async {
        for await _ in signals.cancelOnGracefulShutdown() {
            let applied = await reload()
            metrics.noteReload(applied: applied)
        }
    }

    private func reload() async -> Bool {
        let configuration: Configuration
        let state: ProxyState
        do throws(ConfigurationMistakes) {
            configuration = try Configuration.load(
                path: running.configuration.file,
                environment: ProcessInfo.processInfo.environment
            )
        } catch {
            for line in error.lines {
                logger.error("the configuration has a mistake", metadata: ["mistake": "\(line)"])
            }
            return refuse("it has mistakes")
        }
        do {
            state = try ProxyState(configuration)
        } catch {
            return refuse("the state cannot be used: \(error)")
        }
        let previous = running.adminSettings
        do {
            try await admin.reload(AdminSettings(configuration, state))
        } catch {
            return refuse(
                "the admin listener's address \(configuration.listen.admin.map { "\($0)" } ?? "off") cannot be listened "
                    + "on: \(SocketErrorText.describe(error))"
            )
        }
        let log = LogOutput.Settings(configuration.log)
        do {
            try await proxy.reload(
                settings: ProxySettings(configuration, accessLogFormat: log.format),
                authority: state.authority,
                vault: state.vault,
                logSink: log.level <= .info ? output.sink : nil
            )
        } catch {
            try? await admin.reload(previous)
            return refuse(
                "the proxy's address \(configuration.listen.proxy) cannot be listened on: \(SocketErrorText.describe(error))"
            )
        }
        output.settings = log
        running.replace(configuration, state)
        logger.info("the configuration was reloaded", metadata: ["file": "\(configuration.file)"])
        running.tell(logger)
        return true
    }

    private func refuse(_ reason: String) -> Bool {
        logger.error(
            "the configuration was not reloaded: everything goes on as before",
            metadata: ["file": "\(running.configuration.file)", "reason": "\(reason)"]
        )
        return false
    }
}
