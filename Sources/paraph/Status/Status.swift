import AdminServer
import ArgumentParser

/// Tells what the running proxy serves, and what is wrong.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "See what the running proxy serves, and what is wrong.",
        discussion: """
            Asks for /status on the admin listener of the configuration (on loopback where it listens on every \
            address): version, configuration and its last reload, listeners, APIs with pins and clocks, accounts \
            and their tokens, the local CA, the vault, and last what is wrong, with what to do. Never a secret or a \
            token. Of the file nothing but that address and its token is read. --json prints the answer as it is, which \
            docs/admin.md describes.

            Exits with 0 when nothing is wrong, with 1 when there are warnings alone, and with 2 when something does \
            not work, as monitoring plugins do; with 69 when no proxy answers, with 77 when the token is not the \
            proxy's, and with 65 when the address or the token cannot be told from the file.
            """
    )

    @OptionGroup
    var configurationOption: ConfigurationOption

    @Flag(help: "Print the answer of the proxy as it is, as JSON.")
    var json = false

    @Option(help: ArgumentHelp("The time for the answer: 250ms, 3s, 1m.", valueName: "duration"))
    var timeout = ProbeTimeout(milliseconds: 5_000)

    func run() async throws {
        ProcessHardening.apply()
        let listener = try await configurationOption.adminListener()
        let answer: String
        do throws(StatusQuestion.Failure) {
            answer = try await StatusQuestion(listener: listener, timeout: timeout.amount).answer()
        } catch {
            StandardError.print("paraph: \(error)")
            throw error.exitCode
        }
        if json { StandardOutput.print(json: answer) }
        guard let status = ServiceStatus(jsonText: answer) else {
            StandardError.print("paraph: the proxy is of another version, whose answer cannot be read here; see --json")
            throw ExitCode.unavailable
        }
        if !json {
            let style = TextStyle.ofStandardOutput
            StandardOutput.print(StatusText(status, style: style).text, style: style)
        }
        guard let worst = status.problems.first else { return }
        throw ExitCode(worst.severity == .error ? 2 : 1)
    }
}
