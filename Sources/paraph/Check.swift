import ArgumentParser
import ParaphConfiguration

/// Validates the configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Validate the configuration.",
        discussion: """
            Prints every mistake as FILE:LINE:COLUMN: message and exits with 65, or prints one summary line and exits \
            with 0, after warnings of what a provider will probably refuse. Secrets are read from where the file says they are, so that check finds what run would.
            """
    )

    @OptionGroup
    var option: ConfigurationOption

    func run() throws {
        ProcessHardening.apply()
        let configuration = try option.load()
        for advice in configuration.advice { StandardError.print(advice.line(file: configuration.file)) }
        print(configuration.summary)
    }
}
