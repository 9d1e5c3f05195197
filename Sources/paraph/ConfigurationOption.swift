import ArgumentParser
import FoundationEssentials
import ParaphConfiguration

/// `--config`, and the reading of the file that it names.
struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "Otherwise $PARAPH_CONFIG, then ./paraph.yaml, then /etc/paraph/paraph.yaml.",
            valueName: "file"
        )
    )
    var config: String?

    /// Reads the configuration. On mistakes, prints every one of them on standard error.
    /// - Throws: the exit code for bad data.
    func load() throws(ExitCode) -> Configuration {
        let environment = ProcessInfo.processInfo.environment
        let location = ConfigurationLocation(option: config, environment: environment)
        guard let path = location.path else {
            let places = location.searched.joined(separator: ", ")
            StandardError.print(
                "paraph: no configuration file; looked for \(places). Name one with --config FILE or $PARAPH_CONFIG."
            )
            throw .badData
        }
        do {
            return try Configuration.load(path: path, environment: environment)
        } catch {
            StandardError.print("\(error)")
            throw .badData
        }
    }
}
