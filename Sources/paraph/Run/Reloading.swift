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
            let present = running.configuration.listen.admin
            return refuse("the admin listener", configuration.listen.admin, in: present, error)
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
            return refuse("the proxy", configuration.listen.proxy, in: running.configuration.listen.proxy, error)
        }
        output.settings = log
        running.replace(configuration, state)
        logger.info("the configuration was reloaded", metadata: ["file": "\(configuration.file)"])
        running.tell(logger)
        return true
    }

    /// - Parameter present: where it listens now; in its place the other address was to be.
    private func refuse(
        _ listener: String,
        _ address: ListenAddress?,
        in present: ListenAddress?,
        _ error: any Error
    ) -> Bool {
        let name = address.map { "\($0)" } ?? "off"
        // Two listeners of one port stand side by side only on different addresses.
        let overlaps = address?.port == present?.port ? "; to move it within its port, start the proxy again" : ""
        return refuse(
            "the address of \(listener), \(name), cannot be listened on: \(SocketErrorText.describe(error))\(overlaps)"
        )
    }

    private func refuse(_ reason: String) -> Bool {
        logger.error(
            "the configuration was not reloaded: everything goes on as before",
            metadata: ["file": "\(running.configuration.file)", "reason": "\(reason)"]
        )
        return false
    }
}
