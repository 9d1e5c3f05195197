import ArgumentParser
import FoundationEssentials
import LocalAuthority

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
