import ArgumentParser
import Dispatch
import Files
import ForwardProxy
import Glibc
import SystemPackage

struct Paraph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paraph",
        abstract: "A forward proxy that signs API requests with OAuth.",
        discussion: """
            Clients that only know HTTPS_PROXY send their requests unsigned; for the configured API hosts the proxy \
            adds the signature and forwards over verified TLS.
            """,
        version: BuildInformation.line,
        subcommands: [
            Demo.self, Run.self, Exec.self, Env.self, Check.self, Health.self, Status.self, Top.self,
            Doctor<PrivateServer>.self, Presets.self, Pins.self, Login.self, Accounts.self,
            CertificateAuthority.self, Explain.self, Verify.self,
        ]
    )
}

/// The beginning of the process.
@main
enum Program {
    static func main() {
        guard !CommandLine.arguments.isEmpty else {
            StandardError.print(
                "paraph: /proc is not there, from which this program learns its arguments; mount it: mount -t proc proc /proc"
            )
            exit(ExitCode.unavailable.rawValue)
        }
        // Before there is another thread: the first one's mask is changed, too, as soon as it waits for the others.
        InheritedSignals.noteMask()
        UsableProcessors.limitEventLoops()
        // What is logged last is often why the process ends.
        atexit(finishLog)
        Task { @MainActor in
            end(by: await run())
        }
        dispatchMain()
    }

    /// Ends the process. What a command could not write is an error, though nothing else be wrong.
    private static func end(by code: ExitCode) -> Never {
        guard fflush(nil) != 0, code.isSuccess, errno != EPIPE else { exit(code.rawValue) }
        StandardError.print("paraph: standard output cannot be written: \(Errno.last.reason)")
        exit(ExitCode.notWritten.rawValue)
    }

    /// Runs the command as the library's own `main` does, whose messages may have what somebody else wrote as it came.
    /// One that is not asynchronous may read files as it goes: it is not on the concurrency pool.
    @MainActor private static func run() async -> ExitCode {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "help",
            let sentence = CommandAdvice.sentence(onHelpOf: arguments.dropFirst(), of: Paraph.self)
        {
            StandardError.print("Error: \(sentence)")
            return .validationFailure
        }
        do {
            var command = try await Paraph.asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .success
        } catch {
            let message = Paraph.fullMessage(for: error)
            let code = Paraph.exitCode(for: error)
            guard !message.isEmpty else { return code }
            if code == .validationFailure,
                let advice = CommandAdvice(CommandLine.arguments.dropFirst(), of: Paraph.self).sentence
            {
                // In place of the library's sentence: the usage goes with it as it is.
                StandardError.print("Error: \(advice)" + message.drop { !$0.isNewline })
                return code
            }
            let isScript = CommandLine.arguments.contains { $0.hasPrefix("--generate-completion-script") }
            let said = isScript ? CompletionScript(message).text : message
            if code.isSuccess { StandardOutput.write(said + "\n") } else { StandardError.print(message) }
            return code
        }
    }
}

/// Finishes the log on whichever thread ends the process: of no actor, unlike a closure in `main`.
private func finishLog() {
    LogSink.process.finish()
    // What was said of it, if it could not be written.
    LogSink.standardError.finish()
}
