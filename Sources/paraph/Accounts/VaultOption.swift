import ArgumentParser
import Bytes
import Credentials
import ParaphConfiguration
import Settings

/// The configuration's vault, for a command that works on what is in it.
struct VaultOption: ParsableArguments {
    @OptionGroup
    var option: ConfigurationOption

    /// Runs a command on the vault, and makes none where there is none.
    /// - Parameter body: The function that is given the vault, nil where there is none: nothing has been stored yet.
    ///   Returns the command's code.
    /// - Throws: The code when it is not 0; that for bad data after the sentence with the reason is printed.
    func withVault(
        _ body: (OpenedStore?, Configuration) async throws -> ExitCode
    ) async throws(ExitCode) {
        ProcessHardening.apply()
        let configuration = try await option.load()
        let code: ExitCode
        do {
            let opened = try await BlockingWork.run { try OpenedStore.openExisting(configuration.vault) }
            if let vault = opened {
                code = try await vault.closing { try await body(vault, configuration) }
            } else {
                code = try await body(nil, configuration)
            }
        } catch {
            StandardError.print("paraph: \(error)")
            throw .badData
        }
        guard code == .success else { throw code }
    }

    /// Says that there is no such credential.
    static func missing(_ name: CredentialName, in configuration: Configuration) -> ExitCode {
        let reason = isUnknown(api: name.api, in: configuration) ? unknown(api: name.api, in: configuration) + " " : ""
        StandardError.print(
            "paraph: \(reason)The vault \(configuration.vault.name) holds nothing for \(name). "
                + "`paraph accounts list` prints what it holds."
        )
        return .badData
    }

    static func isUnknown(api: String, in configuration: Configuration) -> Bool {
        !configuration.proxy.apis.contains { sameBytes($0.name, api) }
    }

    /// Returns the sentence on an API that the configuration has not.
    static func unknown(api: String, in configuration: Configuration) -> String {
        let known = configuration.proxy.apis.map(\.name)
        let near = NearestWord.to(api, among: known).map { " Did you mean \($0)?" }
        return "There is no API \"\(condensed(api, limit: 100))\" in the configuration; there are: "
            + "\(known.joined(separator: ", ")).\(near ?? "")"
    }

    /// Returns the APIs and accounts that words name.
    ///
    /// - Throws: ``AccountWordsError``, ``VaultError``.
    static func selection(
        _ words: [String],
        in vault: OpenedStore?,
        _ configuration: Configuration
    ) async throws -> AccountSelection {
        let known = configuration.proxy.apis.map(\.name)
        let others = words.filter { !$0.contains("/") && isUnknown(api: $0, in: configuration) }
        // The vault may still hold what an API had that the configuration has no longer.
        let stored = try await others.isEmpty ? [] : vault?.store.listing().names.map(\.api) ?? []
        let forgotten = others.filter { word in stored.contains { sameBytes($0, word) } }
        return try AccountSelection(words, apis: known + forgotten)
    }
}
