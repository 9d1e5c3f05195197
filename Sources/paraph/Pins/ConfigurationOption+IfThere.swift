import ArgumentParser
import FoundationEssentials
import ParaphConfiguration

extension ConfigurationOption {
    /// As `load`, for a command that can do without: nil where no file is named and none lies in the usual places, or
    /// where one lies there that has mistakes, which is said.
    /// - Throws: The exit code for bad data, for a file that was named.
    func loadIfThere() throws(ExitCode) -> Configuration? {
        let environment = ProcessInfo.processInfo.environment
        if config != nil || environment["PARAPH_CONFIG"]?.isEmpty == false { return try load() }
        guard let path = ConfigurationLocation(option: nil, environment: environment).path else { return nil }
        do {
            let configuration = try Configuration.load(path: path, environment: environment)
            VariableWiping.wipe(configuration.secretVariables)
            return configuration
        } catch {
            VariableWiping.wipe(error.secretVariables)
            let count = error.mistakes.count
            StandardError.print(
                "paraph: \(path) has \(count) mistake\(count == 1 ? "" : "s") (`paraph check` tells) and is left aside"
            )
            return nil
        }
    }
}
