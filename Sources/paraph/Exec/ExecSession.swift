import Bytes
import ForwardProxy
import FoundationEssentials
import LocalAuthority
import Logging
import NIOCore
import NIOPosix
import ParaphConfiguration
import Routing
import Settings

/// One command, from the start of its proxy to the end of both.
struct ExecSession: Sendable {
    let beginning: ProcessBeginning
    let words: [[UInt8]]
    let configuration: Configuration
    let state: ProxyState
    let account: String?
    let log: ExecLog

    func run() async throws -> CommandEnding {
        ProcessHardening.forgoBacktraces(besides: beginning.signals)
        guard let signals = CommandSupervisor.catchSignals(beginning.signals) else { throw ExecError.noDescriptors }
        return try await TemporaryDirectory.with(named: "paraph-exec") { directory in
            try await run(in: directory, signals)
        }
    }

    private func run(in directory: TemporaryDirectory, _ signals: SignalPipe) async throws -> CommandEnding {
        let proxy = try await ProxyServer(
            ProxyConfiguration(
                PrivateProxy.settings(configuration, account: account),
                state,
                accessLog: log.accessLog
            ),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: log.logger
        )
        guard await BlockingWork.run({ SocketOwner.isKnown }) else { throw ExecError.ownersNotKnown }
        let port: Int
        do {
            port = try await proxy.bind().port ?? 0
        } catch {
            throw ExecError.cannotListen(reason: SocketErrorText.describe(error))
        }
        let environment = try await BlockingWork.run { [configuration, state] in
            try ClientEnvironment.ofPrivateProxy(port: port, configuration, state, in: directory)
        }
        tell(environment)
        // Before the command says anything.
        await LogSink.standardError.finish()
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await proxy.run() }
            let ending = try await runCommand(environment, signals)
            log.endRemarks()
            tasks.cancelAll()
            try? await tasks.waitForAll()
            await log.finish()
            return ending
        }
    }

    /// Tells what the command's user has to know of; the rest is for `paraph check` to say.
    private func tell(_ environment: ClientEnvironment) {
        for sentence in configuration.switchedOff + environment.remarks { log.logger.warning("\(sentence)") }
        let report = AuthorityReport(state.authority.certificate, configuration: configuration, now: Date())
        for sentence in report.reachSentences { log.logger.warning("\(sentence)") }
        if configuration.proxy.upstreamProxy == nil,
            let name = ReplacedProxy.name(in: ProcessInfo.processInfo.environment)
        {
            log.logger.warning(
                """
                \(name) named another proxy, which the command's requests do not go through now; where they have to, \
                name it under upstream_proxy in \(configuration.file)
                """
            )
        }
    }

    private func runCommand(_ environment: ClientEnvironment, _ signals: SignalPipe) async throws -> CommandEnding {
        while let note = signals.pending() {
            if CommandSupervisor.prevents(note) { return .signalled(note.signal) }
        }
        let entries = CommandEnvironment.entries(
            present: beginning.environment,
            removed: configuration.secretVariables.union(environment.removed),
            assigned: environment.variables
        )
        let program = ProgramStart(
            path: [],
            arguments: words,
            environment: entries,
            streams: .inherited,
            signals: beginning.signals,
            descriptors: beginning.descriptors
        )
        let searchPath = ProcessInfo.processInfo.environment["PATH"].map { Array($0.utf8) }
        let process = try await BlockingWork.run { try CommandLocation.start(program, searchPath: searchPath) }
        // After it: what is forgone here, it would not have either.
        ProcessHardening.forgoCoreDumps()
        // A thread of its own: the proxy that the command waits for needs those of the common pool.
        let waiting = NIOThreadPool(numberOfThreads: 1)
        waiting.start()
        let ending = try await waiting.runIfActive {
            CommandSupervisor(process: process, signals: signals).wait()
        }
        try await waiting.shutdownGracefully()
        return ending
    }
}

/// The proxy that the environment names before a command gets another one.
enum ReplacedProxy {
    /// The variable that names it; nil when there is none, or it is on this machine: then it is most likely another
    /// Paraph.
    static func name(in environment: [String: String]) -> String? {
        ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].first { name in
            guard let value = environment[name], !value.isEmpty else { return false }
            let address = value.split(separator: "/").first { !$0.hasSuffix(":") } ?? ""
            let place = address.split(separator: "@").last.map(String.init) ?? ""
            guard let authority = try? Authority(parsing: place, defaultPort: 80) else { return true }
            return !(IPAddress(authority.host)?.isLoopback ?? (authority.host == "localhost"))
        }
    }
}
