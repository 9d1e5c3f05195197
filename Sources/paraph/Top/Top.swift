import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import OAuthSigning
import Settings
import UnixSignals

/// Shows the requests of the running proxy.
struct Top: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the requests of the running proxy, as they end.",
        discussion: """
            Asks the admin listener of the configuration (on loopback where it listens on every address), which has the \
            same list as a page. The proxy records requests while a page or this command looks on, or always with \
            inspector.keep. Of the file nothing but the listener's address and \
            token is read.

            On a terminal: / filters (words that are all in the request; -word must not be), p pauses, c clears, q \
            quits. Elsewhere each request is a line.

            Exits with 69 when the proxy does not answer, or has ended; with 65 when the address cannot be told.
            """
    )

    @OptionGroup var configurationOption: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "An environment variable with the token of listen.admin, in place of the configuration's.",
            valueName: "name"
        )
    )
    var tokenEnv: String?

    @Option(
        help: ArgumentHelp(
            "A file with the token of listen.admin, in place of the configuration's.",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only requests with all these words; not those with a -word.", valueName: "words")
    )
    var filter: String = ""

    @Flag(help: "Print the requests that are kept, and end.")
    var once = false

    func validate() throws {
        if tokenEnv != nil, tokenFile != nil { throw ValidationError("Give either --token-env or --token-file.") }
    }

    func run() async throws {
        ProcessHardening.apply()
        let events = try events()
        do {
            if once {
                let kept = try await events.kept()
                for request in kept { print(request) }
                if let remark = Self.remark(kept, filter: filter) { StandardError.print("paraph: \(remark)") }
            } else if isatty(STDOUT_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" {
                try await TopSession(events: events, filter: filter, style: style).run()
            } else {
                try await events.follow(opened: {}) { print($0) }
            }
        } catch let failure as AdminEvents.Failure {
            StandardError.print("paraph: \(failure)")
            throw ExitCode.unavailable
        }
    }

    /// Returns what is said where no request was printed; nil: one was.
    static func remark(_ kept: [TopRequest], filter: String) -> String? {
        guard kept.isEmpty else {
            let isShown = kept.contains { $0.matches(filter) }
            return isShown ? nil : "none of the requests that are kept (\(kept.count)) matches the filter"
        }
        return "no request is kept: the proxy records requests while a page or paraph top looks on, and forgets them "
            + "after that. Run paraph top without --once, or have it always keep them: inspector: {keep: on}"
    }

    private func events() throws -> AdminEvents {
        if let token = try token() { return AdminEvents(address: try configurationOption.adminAddress(), token: token) }
        let listener = try configurationOption.adminListener()
        return AdminEvents(address: listener.address, token: listener.token)
    }

    private func print(_ request: TopRequest) {
        guard request.matches(filter) else { return }
        StandardOutput.print(TopLine(request).text(style: .plain))
        // Whoever reads through a pipe sees each line when it is due.
        fflush(nil)
    }

    private var style: TextStyle {
        ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false ? .plain : .terminal
    }

    private func token() throws -> Secret? {
        do throws(SecretSourceError) {
            return try SharedSecrets.secret(environment: tokenEnv, file: tokenFile)
        } catch {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }
}
