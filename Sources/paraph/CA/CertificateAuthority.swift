import ArgumentParser
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Routing
import Settings

/// The local CA.
struct CertificateAuthority: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "See, hand out and renew the local CA.",
        discussion: """
            The local CA signs the certificates that clients see for the hosts of the configured APIs. Clients have to \
            trust it. It can sign for these hosts alone; when hosts are added, it has to be renewed.
            """,
        subcommands: [ShowAuthority.self, ExportAuthority.self, RenewAuthority.self]
    )
}

/// Shows what the CA's certificate says, and which configured hosts it covers.
struct ShowAuthority: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the local CA: fingerprint, dates, what it may sign, and which hosts it covers.",
        discussion: """
            Exits with 0 also where something is found wrong; paraph check and the start of paraph run say the same.
            """
    )

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup
    var option: AuthorityOption

    func run() throws {
        let (certificate, configuration) = try option.load()
        let description = AuthorityDescription(
            AuthorityReport(certificate, configuration: configuration, now: Date()),
            hosts: configuration.reach.hosts
        )
        if json {
            StandardOutput.print(json: try description.jsonText)
        } else {
            StandardOutput.print(description.text)
        }
    }
}

/// The configuration's CA, for a command that works on it.
struct AuthorityOption: ParsableArguments {
    @OptionGroup
    var option: ConfigurationOption

    /// Reads the certificate. The key is not needed, so that who may not read it can use the command.
    /// - Throws: The code for bad data, after the sentence with the reason is printed; also where there is none yet.
    func load() throws(ExitCode) -> (certificate: AuthorityCertificate, configuration: Configuration) {
        let configuration = try option.load()
        let path = configuration.authority.certificate
        do {
            guard let certificate = try AuthorityCertificate.read(path: path) else {
                StandardError.print("paraph: there is no CA in \(path) yet; paraph run makes it at its first start")
                throw ExitCode.badData
            }
            return (certificate, configuration)
        } catch let code as ExitCode {
            throw code
        } catch {
            StandardError.print("paraph: \(error)")
            throw .badData
        }
    }
}

extension Configuration {
    /// The names that the local CA has to sign for: the hosts of the APIs, and nothing else.
    var reach: AuthorityReach { AuthorityReach(hosts: proxy.apis.flatMap(\.route.hosts)) }
}
