import ArgumentParser
import FoundationEssentials
import ParaphConfiguration
import Settings

/// The admin listener of the proxy that runs by the configuration: for commands that ask it.
extension ConfigurationOption {
    /// Reads the listener's address, and nothing else of the file. Says on standard error why it cannot be told.
    ///
    /// - Throws: The exit code for bad data.
    func adminAddress() async throws(ExitCode) -> ListenAddress {
        let path = try path()
        let address = try await Self.read { () throws(ConfigurationMistakes) in
            try Configuration.adminAddress(path: path)
        }
        return try usable(address, path: path)
    }

    /// Reads the listener's address and its token, and nothing else of the file, likewise.
    ///
    /// - Throws: The exit code for bad data.
    func adminListener() async throws(ExitCode) -> AdminListenerSettings {
        let path = try path()
        let environment = ProcessInfo.processInfo.environment
        let listener = try await Self.read { () throws(ConfigurationMistakes) in
            try Configuration.adminListener(path: path, environment: environment)
        }
        let address = try usable(listener?.address, path: path)
        return AdminListenerSettings(address: address, token: listener?.token)
    }

    private static func read<Part: Sendable>(
        _ body: @escaping @Sendable () throws(ConfigurationMistakes) -> Part
    ) async throws(ExitCode) -> Part {
        do throws(ConfigurationMistakes) {
            return try await BlockingWork.run(body)
        } catch {
            StandardError.print("\(error)")
            throw .badData
        }
    }

    private func usable(_ address: ListenAddress?, path: String) throws(ExitCode) -> ListenAddress {
        guard let address else {
            StandardError.print("paraph: the admin listener is off in \(path); give listen.admin an address")
            throw .badData
        }
        guard address.port != 0 else {
            StandardError.print("paraph: the admin listener has any free port in \(path); give listen.admin a port")
            throw .badData
        }
        return address
    }
}
