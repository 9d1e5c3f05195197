import ArgumentParser
import Files
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
        ),
        completion: .file()
    )
    var config: String?

    /// Reads the configuration, and takes the variables that it names secrets by out of this process's environment.
    /// From then on no other process of the user sees into this one. On mistakes, prints every one of them on standard
    /// error.
    ///
    /// - Parameter environment: This process's.
    /// - Throws: The exit code for bad data.
    func load(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(ExitCode) -> Configuration {
        ProcessHardening.forgoTracing()
        let path = try path(environment: environment)
        return try Self.checked(await Self.result(path, environment))
    }

    /// The same for a command that is not on the concurrency pool.
    func load(environment: [String: String] = ProcessInfo.processInfo.environment) throws(ExitCode) -> Configuration {
        ProcessHardening.forgoTracing()
        let path = try path(environment: environment)
        return try Self.checked(
            Result { () throws(ConfigurationMistakes) in
                try Configuration.load(path: path, environment: environment)
            }
        )
    }

    private static func result(
        _ path: String,
        _ environment: [String: String]
    ) async -> Result<Configuration, ConfigurationMistakes> {
        await BlockingWork.run {
            Result { () throws(ConfigurationMistakes) in
                try Configuration.load(path: path, environment: environment)
            }
        }
    }

    private static func checked(
        _ result: Result<Configuration, ConfigurationMistakes>
    ) throws(ExitCode) -> Configuration {
        switch result {
        case .success(let configuration):
            VariableWiping.wipe(configuration.secretVariables)
            return configuration
        case .failure(let error):
            StandardError.print("\(error)")
            throw .badData
        }
    }

    /// The file. Where none is named and none lies in the usual places, says so on standard error.
    ///
    /// - Parameter environment: This process's.
    /// - Throws: The exit code for bad data.
    func path(environment: [String: String] = ProcessInfo.processInfo.environment) throws(ExitCode) -> String {
        let location = ConfigurationLocation(option: config, environment: environment)
        guard let path = location.path else {
            let places = location.searched.joined(separator: ", ")
            let other = "paraph.yml"
            let near = FileContents.exists(other) ? " There is \(other): give it that name, or name it so." : ""
            StandardError.print(
                "paraph: no configuration file; looked for \(places). Name one with --config FILE or $PARAPH_CONFIG.\(near)"
            )
            throw .badData
        }
        return path
    }
}

extension ConfigurationOption {
    /// Loads as `load` does, for a command that can do without: nil where no file is named and none lies in the usual
    /// places, or where one lies there that has mistakes, which is said.
    /// - Throws: The exit code for bad data, for a file that was named.
    func loadIfThere() async throws(ExitCode) -> Configuration? {
        let environment = ProcessInfo.processInfo.environment
        if config != nil || environment["PARAPH_CONFIG"]?.isEmpty == false { return try await load() }
        guard let path = ConfigurationLocation(option: nil, environment: environment).path else { return nil }
        switch await Self.result(path, environment) {
        case .success(let configuration):
            VariableWiping.wipe(configuration.secretVariables)
            return configuration
        case .failure(let error):
            VariableWiping.wipe(error.secretVariables)
            let count = error.mistakes.count
            StandardError.print(
                "paraph: \(path) has \(count) mistake\(count == 1 ? "" : "s") (`paraph check` tells) and is left aside"
            )
            return nil
        }
    }
}
