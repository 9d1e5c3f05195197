import ArgumentParser
import ParaphConfiguration

/// Validates the configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Validate the configuration.",
        discussion: """
            Prints every mistake as FILE:LINE:COLUMN: message and exits with 65, or prints one summary line and exits \
            with 0. Secrets are read from where the file says they are, so that check finds what run would.
            """
    )

    @OptionGroup
    var option: ConfigurationOption

    func run() throws {
        print(try option.load().summary)
    }
}
