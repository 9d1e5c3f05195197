import AdminServer
import ArgumentParser
import Bytes
import ForwardProxy
import FoundationEssentials
import Glibc
import LocalAuthority
import ParaphConfiguration
import Routing

/// Looks at everything that a signed request needs, and says what works and how to fix the rest.
struct Doctor<Server: ClientServer>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract: "Find out what works, and how to fix the rest.",
            discussion: """
                Looks at the configuration, the listeners, the local CA, the vault and each server of etcd, the names of \
                the APIs' hosts, their certificates and pins, and the clock. Then it has each client that it finds on this machine \
                (curl, wget, git, python3, node, npm, java, go, ruby, php) make one real request, GET, to the first configured \
                host, through a private proxy as paraph exec has it; and, where this shell's variables name the proxy of the \
                configuration, one through that, which the proxy itself answers.

                Exits with 0 when nothing fails, with 65 when the configuration has mistakes, with 1 when the provider refuses \
                what it says of the account (a secret, a token, a password), and with 69 when anything else fails. With --json \
                each line is an object with subject, verdict (ok, note, fails or left_out), message and remedies, as of POST \
                /doctor.
                """
        )
    }

    @OptionGroup
    var configurationOption: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "What the clients ask for: an https URL of a configured API.",
            discussion: "Without it: / of the first host, or the first of its paths.",
            valueName: "url"
        )
    )
    var url: String?

    @Option(
        help: ArgumentHelp("The account that the requests are signed as.", valueName: "name"),
        completion: ConfiguredNames.accountName
    )
    var account: String?

    @Flag(help: "Send no request: leave out the clock and the clients.")
    var noRequests = false

    @Flag(help: "Print a JSON object on each line.")
    var json = false

    func run() async throws {
        ProcessHardening.apply()
        let configuration = try await configurationOption.load()
        let target = try ClientTarget(url, in: configuration)
        let table = FindingTable(style: .ofStandardOutput, subjects: Self.subjects)
        var told: [Finding] = []
        func tell(_ findings: [Finding]) {
            told += findings
            for finding in findings {
                if json {
                    StandardOutput.print(json: DoctorFinding(finding).json.line)
                } else {
                    StandardOutput.print(table.row(finding), style: table.style)
                }
            }
            fflush(nil)
        }
        let service = ServiceExamination(configuration: configuration, sendsRequests: !noRequests)
        let proxyIsRunning = await service.run(tell)
        if noRequests {
            tell([Finding("clients", .leftOut, "no request is sent (--no-requests)")])
        } else {
            let clients = ClientExamination(
                configuration: configuration,
                url: target,
                account: account,
                proxyIsRunning: proxyIsRunning,
                server: Server(configuration: configuration, account: account)
            )
            for await findings in clients.findings() { tell(findings) }
        }
        if told.contains(where: \.isProvenWrong) { throw ExitCode.failure }
        if told.contains(where: { $0.verdict == .fails }) { throw ExitCode.unavailable }
    }

    /// The subjects that the first column has to hold.
    private static var subjects: [String] { ["configuration", "admin listener"] + ClientProbe.all.map(\.name) }
}
