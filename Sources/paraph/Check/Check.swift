import ArgumentParser
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration

/// Validates the configuration.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Validate the configuration.",
        discussion: """
            Prints every mistake as FILE:LINE:COLUMN: message and exits with 65, or prints one summary line and exits \
            with 0, after warnings of what a provider will probably refuse, of what nobody can use, of secrets that others \
            of this machine can read, of certificates of your own that end soon, of hosts that the local CA does not \
            reach, and of what a CA of your own may sign that it should not. Secrets are read from where the file says \
            they are, so that check finds what run would. No server is asked, without --online.
            """
    )

    @OptionGroup
    var option: ConfigurationOption

    @Flag(help: "Also warn of hosts whose names do not resolve.")
    var online = false

    func run() async throws {
        ProcessHardening.apply()
        let configuration = try await option.load()
        let exposures = await BlockingWork.run { SecretExposure.advice(on: configuration) }
        for advice in (configuration.advice + exposures).sorted(by: { $0.position < $1.position }) {
            StandardError.print(advice.line(file: configuration.file))
        }
        try await checkAuthority(configuration)
        if online { await checkNames(configuration) }
        StandardOutput.print(configuration.summary)
    }

    private func checkNames(_ configuration: Configuration) async {
        for name in await UpstreamExamination(configuration: configuration).unresolvedNames() {
            StandardError.print(
                "\(configuration.file): warning: \(name) does not resolve here: check its spelling and this machine's name "
                    + "servers (getent hosts \(name))"
            )
        }
    }

    /// The first start makes it: before that there is nothing to say of it.
    private func checkAuthority(_ configuration: Configuration) async throws(ExitCode) {
        do {
            let found = try await BlockingWork.run {
                try LocalAuthority.load(
                    certificatePath: configuration.authority.certificate,
                    keyPath: configuration.authority.privateKey,
                    now: Date()
                )
            }
            guard let authority = found else { return }
            let report = AuthorityReport(authority.certificate, configuration: configuration, now: Date())
            for sentence in report.sentences { StandardError.print("\(configuration.file): warning: \(sentence)") }
        } catch {
            StandardError.print("paraph: \(error)")
            throw .badData
        }
    }
}
