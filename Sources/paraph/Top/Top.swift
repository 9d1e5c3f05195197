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
        commandName: "top",
        abstract: "Show the requests of the running proxy, as they begin and end.",
        discussion: """
            Asks the admin listener of the configuration (on loopback where it listens on every address), which has the \
            same list as a page. The proxy records requests while a page or this command looks on, or always with \
            inspector.keep. Of the file nothing but the listener's address and \
            token is read.

            On a terminal: / filters (words that are all in the request; -word must not be), p pauses, c clears, q \
            quits. Requests in flight stand last, with the time that they have taken so far. Elsewhere each request is \
            a line, as it ends.

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
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only requests with all these words; not those with a -word.", valueName: "words")
    )
    var filter: String = ""

    @Flag(help: "Print the requests that are kept and those in flight, and end.")
    var once = false

    func validate() throws {
        if tokenEnv != nil, tokenFile != nil { throw ValidationError("Give either --token-env or --token-file.") }
    }

    func run() async throws {
        ProcessHardening.apply()
        let events = try await events()
        do {
            if once {
                let list = try await events.list()
                let inFlight = list.inFlight.filter { $0.matches(filter) }
                let showsClient = (list.requests.map(\.head) + inFlight.map(\.head)).contains { $0.client != nil }
                for request in list.requests { print(request, showsClient: showsClient) }
                for request in inFlight {
                    let line = TopLine(request, after: request.age(at: Date()))
                    StandardOutput.print(line.text(showsClient: showsClient, style: .plain))
                }
                if inFlight.isEmpty, let remark = Self.remark(list.requests, filter: filter) {
                    StandardError.print("paraph: \(remark)")
                }
            } else if isatty(STDOUT_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" {
                try await TopSession(events: events, filter: filter, style: style).run()
            } else {
                var showsClient = false
                try await events.follow(opened: {}) { told in
                    guard case .ended(let request) = told else { return }
                    if request.head.client != nil { showsClient = true }
                    print(request, showsClient: showsClient)
                }
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

    private func events() async throws -> AdminEvents {
        if let token = try await token() {
            return AdminEvents(address: try await configurationOption.adminAddress(), token: token)
        }
        let listener = try await configurationOption.adminListener()
        return AdminEvents(address: listener.address, token: listener.token)
    }

    private func print(_ request: TopRequest, showsClient: Bool) {
        guard request.matches(filter) else { return }
        StandardOutput.print(TopLine(request).text(showsClient: showsClient, style: .plain))
        // Whoever reads through a pipe sees each line when it is due.
        fflush(nil)
    }

    private var style: TextStyle {
        ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false ? .plain : .terminal
    }

    private func token() async throws -> Secret? {
        do throws(SecretSourceError) {
            return try await SharedSecrets.secret(environment: tokenEnv, file: tokenFile)
        } catch {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }
}
