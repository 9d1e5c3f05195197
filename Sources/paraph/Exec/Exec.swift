import ArgumentParser
import Credentials
import Files
import ForwardProxy
import FoundationEssentials
import NIOCore
import NIOPosix
import ParaphConfiguration

/// Runs a command whose requests are signed, without a proxy that has to be there before.
struct Exec: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command with a private proxy, which signs its requests.",
        discussion: """
            The command gets an environment that makes curl, wget, git, Python, Node, Java, Go and others use the proxy \
            and trust its local CA besides the system's; nothing else of it is touched, and the variables that the \
            configuration takes secrets from are left out. The proxy listens on a free port of 127.0.0.1, for this \
            user's programs alone, and ends with the command. access.clients and access.connect_ports of \
            the configuration do not apply. What a program reads of proxies in files of its own goes before; PHP's \
            streams know no proxy; Go and Java use none for localhost and 127.0.0.1.

            Exits as the command does: with its code, or by the signal that ended it. When it cannot be started: 127 \
            when there is no such command, 126 when it cannot be run, 65 for mistakes in the configuration, 69 when \
            something else is not to be had.
            """
    )

    @OptionGroup
    var configurationOption: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "The account of requests that name none.",
            discussion: "Without it: default. An API that has no such account refuses them.",
            valueName: "name"
        ),
        completion: ConfiguredNames.accountName
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "Append the proxy's log to a file.",
            discussion: "Without it, warnings go to standard error, and nothing else is logged.",
            valueName: "file"
        ),
        completion: .file()
    )
    var log: String?

    @Flag(name: .shortAndLong, help: "Say on standard error what the proxy does.")
    var verbose = false

    @Argument(parsing: .captureForPassthrough, help: "The command, after --.")
    var command: [String] = []

    func validate() throws {
        // What is captured for the command is not looked at by the library.
        if let word = command.first, ["--help", "-h"].contains(word) { throw CleanExit.helpRequest(Self.self) }
    }

    func run() async throws {
        do {
            let ending = try await perform()
            ending.leave()
        } catch let error as ExitCode {
            throw error
        } catch let error as CommandLocation.Failure {
            throw exit("\(error)", ExitCode(error.exitCode))
        } catch let error as ExecError {
            throw exit("\(error)", error.exitCode)
        } catch {
            throw exit("\(error)", .badData)
        }
    }

    private func exit(_ sentence: String, _ code: ExitCode) -> ExitCode {
        StandardError.print("paraph: \(sentence)")
        return code
    }

    private func perform() async throws -> CommandEnding {
        ProcessName.set("paraph-exec")
        let beginning = try ProcessBeginning.read()
        let words = try commandWords(beginning)
        let configuration = try await configurationOption.load()
        let state = try await ProxyState.open(configuration)
        return try await state.vault.closing { try await perform(words, beginning, configuration, state) }
    }

    private func perform(
        _ words: [[UInt8]],
        _ beginning: ProcessBeginning,
        _ configuration: Configuration,
        _ state: ProxyState
    ) async throws -> CommandEnding {
        try await state.vault.store.check()
        if let account { try await PrivateProxy.check(account: account, configuration, state.vault.store) }
        let terminal = LogStyle.terminal(ProcessInfo.processInfo.environment)
        let log = try await BlockingWork.run { [settings = configuration.log, file = self.log, verbose] in
            try ExecLog(settings, file: file, isVerbose: verbose, terminal: terminal)
        }
        let session = ExecSession(
            beginning: beginning,
            words: words,
            configuration: configuration,
            state: state,
            account: account,
            log: log
        )
        return try await session.run()
    }

    /// Returns the words of the command as the system handed them over: they need not be UTF-8.
    private func commandWords(_ beginning: ProcessBeginning) throws(ExecError) -> [[UInt8]] {
        let isMarked = command.first == "--"
        let count = command.count - (isMarked ? 1 : 0)
        guard count > 0 else { throw .noCommand }
        let words = Array(beginning.arguments.suffix(count))
        guard let first = words.first else { throw .noCommand }
        if !isMarked, first.first == UInt8(ascii: "-") { throw .unknownOption(String(decoding: first, as: UTF8.self)) }
        return words
    }
}

/// The name that this process has in lists of processes, and for pkill(1).
private enum ProcessName {
    /// Sets the name. Who means the proxies that run with `pkill -x paraph` does not mean what users run their programs
    /// by: signals are passed on to those.
    ///
    /// - Parameter name: The name, of at most 15 bytes.
    static func set(_ name: String) {
        try? FileContents.write(Array(name.utf8), to: "/proc/self/comm", mode: [])
    }
}
