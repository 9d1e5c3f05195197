import AdminServer
import ArgumentParser
import Credentials
import FoundationEssentials
import ForwardProxy
import LocalAuthority
import Logging
import NIOPosix
import ParaphConfiguration
import ServiceLifecycle
import UnixSignals

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the proxy.",
        discussion: """
            The first log lines name the listeners; GET /readyz on the admin listener says when requests are served. \
            SIGTERM and SIGINT stop it once the requests in flight are finished.
            """
    )

    @OptionGroup var configurationOption: ConfigurationOption

    func run() async throws {
        ProcessHardening.apply()
        let configuration = try configurationOption.load()
        let format = AccessLogFormat(rawValue: configuration.log.format.rawValue) ?? .json
        let level = Logger.Level(rawValue: configuration.log.level.rawValue) ?? .info
        let logger = Logger(label: "paraph") { label in
            LineLogHandler(label: label, level: level, format: format, sink: .standardError)
        }
        let state: ProxyState
        do {
            state = try ProxyState(configuration)
        } catch {
            logger.critical("the state cannot be used", metadata: ["reason": "\(error)"])
            throw ExitCode.badData
        }
        try await serve(configuration, state: state, format: format, logger: logger)
    }

    private func serve(
        _ configuration: Configuration,
        state: ProxyState,
        format: AccessLogFormat,
        logger: Logger
    ) async throws {
        let readiness = Readiness(probes: [.vault: { state.vault.isReadable }])
        readiness.set(.configuration, ready: true)
        readiness.set(.authority, ready: true)
        readiness.set(.vault, ready: true)
        let proxy = try ProxyServer(
            settings: ProxySettings(configuration, accessLogFormat: format),
            authority: state.authority,
            vault: state.vault,
            group: MultiThreadedEventLoopGroup.singleton,
            logSink: logger.logLevel <= .info ? .standardError : nil,
            logger: logger,
            readinessChanged: { readiness.set(.proxy, ready: $0) }
        )
        do {
            _ = try await proxy.bind()
        } catch {
            logger.critical(
                "the proxy's address cannot be listened on",
                metadata: ["address": "\(configuration.listen.proxy)", "reason": "\(SocketErrorText.describe(error))"]
            )
            throw ExitCode.unavailable
        }
        tellState(configuration, state, logger)
        // Services end in the reverse order: /readyz tells of the draining for as long as it lasts.
        var services: [any Service] = []
        if let admin = configuration.listen.admin {
            services.append(
                AdminServer(
                    host: admin.host,
                    port: admin.port,
                    authorityPEM: state.authority.certificatePEM,
                    readiness: readiness,
                    token: configuration.enrolment?.token,
                    enrolment: proxy.enroller,
                    logger: logger
                )
            )
        }
        services.append(proxy)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: quiet(logger)
            )
        )
        do {
            try await group.run()
        } catch {
            logger.critical(
                "the admin listener's address cannot be listened on",
                metadata: [
                    "address": "\(configuration.listen.admin.map { "\($0)" } ?? "off")",
                    "reason": "\(SocketErrorText.describe(error))",
                ]
            )
            throw ExitCode.unavailable
        }
        logger.info("stopped")
    }

    private func tellState(_ configuration: Configuration, _ state: ProxyState, _ logger: Logger) {
        for sentence in configuration.switchedOff + configuration.warnings { logger.warning("\(sentence)") }
        logger.info(
            state.authority.wasCreated ? "local CA made" : "local CA loaded",
            metadata: [
                "certificate": "\(configuration.authority.certificate)",
                "sha256": "\(state.authority.fingerprint)",
            ]
        )
    }

    /// The library's own lines at info say nothing that ours do not.
    private func quiet(_ logger: Logger) -> Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }
}
