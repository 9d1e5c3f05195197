import ArgumentParser
import FoundationEssentials
import ForwardProxy
import ParaphConfiguration
import Routing
import UpstreamTrust

/// Prints what to pin a server by, or tests the pins of a configuration.
struct Pins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Print what to pin a server by, or test the pins of the configuration.",
        discussion: """
            Connects, looks at the certificates, validates them and breaks the connection off: no request is sent. \
            Prints YAML to paste under an API, with the chain and both kinds of pin of each certificate as comments. \
            With a configuration, its way to the server is taken: trust, connect_to, upstream_proxy. What is pinned is \
            the root of the chain, and as a backup the other trusted roots of the same authority; --pin leaf pins the \
            server's own key instead, which is stricter and changes more often.

            With --check, the pins of the configuration are tested against the live servers: those of HOST, or of every \
            host that is not a wildcard.

            Exits with 0 when all is well, 77 when a chain or its pins are refused, 69 when a server cannot be reached, \
            65 when the configuration has to be changed.
            """
    )

    @Argument(help: "The server, as HOST or HOST:PORT; port 443 without one.")
    var host: String?

    @Flag(help: "Test the configured pins against the live servers.")
    var check = false

    @Option(
        help: ArgumentHelp("Trust the roots of this PEM file instead of the system's.", valueName: "file"),
        completion: .file()
    )
    var trust: [String] = []

    @Option(help: ArgumentHelp("Connect here instead of resolving the host.", valueName: "host:port"))
    var connectTo: String?

    @Option(help: ArgumentHelp("Connect through this proxy, whatever the configuration says.", valueName: "url"))
    var upstreamProxy: String?

    @Option(help: "What to pin: root or leaf.")
    var pin: PinProposal.Position = .root

    @Option(help: "What a pin is of: public_key or certificate.")
    var mode: PinningMode = .publicKey

    @OptionGroup
    var configurationOption: ConfigurationOption

    func validate() throws {
        guard host != nil || check else { throw ValidationError("name a host, or use --check") }
        if check, !trust.isEmpty || connectTo != nil {
            throw ValidationError("--check goes by the configuration; --trust and --connect-to are for printing")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        do {
            let way = try UpstreamWay(upstreamProxy)
            let server = try host.map { try PinsError.authority($0, "HOST", defaultPort: 443) }
            if check {
                let configuration = try await configurationOption.load()
                let servers = try CheckedServer.all(in: configuration, host: server, way: way)
                try await PinsCheck(configuration: configuration, servers: servers).run()
            } else if let server {
                let configuration = try await configurationOption.loadIfThere()
                let target = try await PinsTarget(
                    server,
                    configuration: configuration,
                    trust: trust,
                    connectTo: connectTo,
                    way: way
                )
                try await printPins(target)
            }
        } catch let error as PinsError {
            StandardError.print("paraph: \(error)")
            throw error.exitCode
        }
    }

    private func printPins(_ target: PinsTarget) async throws {
        let probed = try await target.probe()
        switch probed.decision {
        case .refused(let failure):
            throw PinsError.refused(failure)
        case .accepted(let accepted):
            let now = Date()
            let roots = await BlockingWork.run { [trust = target.tls.trust] in
                trust.rootsOfSameOrganization(asPath: accepted.path, at: now)
            }
            let proposal = PinProposal(
                path: accepted.path,
                sameOrganizationRoots: roots,
                mode: mode,
                position: pin
            )
            let report = PinsReport(
                target: target,
                chain: CertificateSummary.all(of: probed.presentedDER, path: accepted.path),
                proposal: proposal,
                now: now
            )
            StandardOutput.print(report.text, terminator: "")
        }
    }
}

extension PinningMode: ExpressibleByArgument {}
