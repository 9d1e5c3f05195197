import ArgumentParser
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration

/// Validates the configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Validate the configuration.",
        discussion: """
            Prints every mistake as FILE:LINE:COLUMN: message and exits with 65, or prints one summary line and exits \
            with 0, after warnings of what a provider will probably refuse, of certificates of your own that end soon, \
            of hosts that the local CA does not reach, and of what a CA of your own may sign that it should not. \
            Secrets are read from where the file says they are, so that check finds what run would.
            """
    )

    @OptionGroup
    var option: ConfigurationOption

    func run() throws {
        ProcessHardening.apply()
        let configuration = try option.load()
        for advice in configuration.advice { StandardError.print(advice.line(file: configuration.file)) }
        try checkAuthority(configuration)
        StandardOutput.print(configuration.summary)
    }

    /// The first start makes it: before that there is nothing to say of it.
    private func checkAuthority(_ configuration: Configuration) throws(ExitCode) {
        do {
            let found = try LocalAuthority.load(
                certificatePath: configuration.authority.certificate,
                keyPath: configuration.authority.privateKey,
                now: Date()
            )
            guard let authority = found else { return }
            let report = AuthorityReport(authority.certificate, configuration: configuration, now: Date())
            for sentence in report.sentences { StandardError.print("\(configuration.file): warning: \(sentence)") }
        } catch {
            StandardError.print("paraph: \(error)")
            throw .badData
        }
    }
}
