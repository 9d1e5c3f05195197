import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// The main job, shown on this machine alone: nothing is configured, nothing is left behind.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show one request being signed and verified, on this machine alone.",
        discussion: """
            Starts an OAuth 1.0a provider (TLS, on loopback) and a proxy with a throw-away CA, sends one unsigned \
            request through the proxy, and prints what became of it at every step. Then it stays up until ^C and \
            prints curl lines to try.
            """
    )

    @Flag(help: "Exit after the one request: with 0 when the provider verified its signature, with 70 otherwise.")
    var once = false

    func run() async throws {
        // A reader that goes away early is no reason to leave files behind.
        signal(SIGPIPE, SIG_IGN)
        let outcome = DemoRun.Outcome()
        do {
            try await TemporaryDirectory.with(named: "paraph-demo") { directory in
                try await serve(in: directory, outcome: outcome)
            }
        } catch {
            StandardError.print("paraph demo: \(error)")
            throw ExitCode.software
        }
        guard outcome.isVerified else { throw ExitCode.software }
    }

    private func serve(in directory: TemporaryDirectory, outcome: DemoRun.Outcome) async throws {
        // The story says what a log would, and better.
        let logger = Logger(label: "paraph.demo") { _ in SwiftLogNoOpLogHandler() }
        let setup = try DemoSetup(now: Date())
        let provider = try setup.makeProvider(logger: logger)
        let demo = DemoRun(
            setup: setup,
            provider: provider,
            directory: directory,
            output: .standard,
            curl: await BlockingWork.run { CurlInvocation.path },
            staysUp: !once,
            outcome: outcome,
            logger: logger
        )
        // Services end in the reverse order: the provider outlives the proxy's connections to it.
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: provider, serviceName: "provider"),
                    .init(service: demo, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "demo"),
                ],
                gracefulShutdownSignals: [.sigint, .sigterm],
                logger: logger
            )
        )
        try await services.run()
    }
}

extension ExitCode {
    /// EX_SOFTWARE of sysexits: an internal error.
    fileprivate static let software = ExitCode(70)
}
