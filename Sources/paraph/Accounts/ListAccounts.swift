import ArgumentParser
import Bytes
import Credentials
import ParaphConfiguration
import Settings

/// Lists the accounts whose credentials are in the vault.
struct ListAccounts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts that the vault holds a credential of.",
        discussion: """
            Prints a line for each: API, tab, account. With --long also the kind of token, when it was stored, and how: \
            by an exchange of the proxy's, by login or by enrolment; and "not used" where the configuration no longer \
            fits it, which `paraph accounts show` explains. What cannot be opened is told on standard error, and the \
            command exits with 65.
            """
    )

    @Flag(name: .shortAndLong, help: "Open each credential, and print more of it.")
    var long = false

    @Argument(help: "Only this API's.")
    var api: String?

    @OptionGroup
    var option: VaultOption

    func run() throws {
        try option.withVault { vault, configuration throws(VaultError) in
            guard let vault else {
                StandardError.print("The vault \(configuration.vault.directory) does not exist yet: nothing is stored.")
                return .success
            }
            if let api, !configuration.proxy.apis.contains(where: { sameBytes($0.name, api) }) {
                StandardError.print("The configuration has no API \"\(condensed(api, limit: 100))\".")
            }
            let errors = long ? try printContents(of: vault, configuration) : try printNames(in: vault)
            for error in errors { StandardError.print("paraph: \(error)") }
            return errors.isEmpty ? .success : .badData
        }
    }

    private func printNames(in vault: Vault) throws(VaultError) -> [VaultError] {
        let listing = try vault.listing()
        for name in listing.names where concerns(name) { StandardOutput.print(AccountReport.line(name)) }
        return listing.errors
    }

    private func printContents(of vault: Vault, _ configuration: Configuration) throws(VaultError) -> [VaultError] {
        let contents = try vault.contents()
        for (name, credential) in contents.credentials where concerns(name) {
            StandardOutput.print(AccountReport(name, credential, in: configuration).line)
        }
        return contents.errors
    }

    private func concerns(_ name: CredentialName) -> Bool { api.map { $0 == name.api } ?? true }
}
