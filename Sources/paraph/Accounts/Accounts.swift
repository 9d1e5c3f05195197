import ArgumentParser
import Bytes
import Credentials
import ParaphConfiguration
import Settings

/// The accounts that the vault holds credentials of.
struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and change what the vault holds; never a secret.",
        discussion: "A proxy that runs notices every change at once.",
        subcommands: [ListAccounts.self, ShowAccount.self, RemoveAccount.self, RekeyVault.self, CopyAccounts.self]
    )
}

/// An account, named on the command line.
struct AccountArguments: ParsableArguments {
    @Argument(help: "The API, as the configuration names it.")
    var api: String

    @Argument(help: "The account: of the configuration, or an enrolled one's id.")
    var account: String

    var name: CredentialName { CredentialName(api: api, account: account) }
}

/// Lists the accounts whose credentials are in the vault.
struct ListAccounts: AsyncParsableCommand {
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

    func run() async throws {
        try await option.withVault { vault, configuration in
            guard let vault else {
                StandardError.print("The vault \(configuration.vault.name) does not exist yet: nothing is stored.")
                return .success
            }
            if let api, !configuration.proxy.apis.contains(where: { sameBytes($0.name, api) }) {
                StandardError.print("The configuration has no API \"\(condensed(api, limit: 100))\".")
            }
            let errors =
                long
                ? try await printContents(of: vault.store, configuration) : try await printNames(in: vault.store)
            for error in errors { StandardError.print("paraph: \(error)") }
            return errors.isEmpty ? .success : .badData
        }
    }

    private func printNames(in vault: any CredentialStore) async throws(VaultError) -> [VaultError] {
        let listing = try await vault.listing()
        for name in listing.names where concerns(name) { StandardOutput.print(AccountReport.line(name)) }
        return listing.errors
    }

    private func printContents(
        of vault: any CredentialStore,
        _ configuration: Configuration
    ) async throws(VaultError) -> [VaultError] {
        let contents = try await vault.contents()
        for (name, credential) in contents.credentials where concerns(name) {
            StandardOutput.print(AccountReport(name, credential, in: configuration).line)
        }
        return contents.errors
    }

    private func concerns(_ name: CredentialName) -> Bool { api.map { $0 == name.api } ?? true }
}

/// Shows what the vault holds for an account.
struct ShowAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what the vault holds for an account.",
        discussion: """
            The kind of token, when and how it was stored, when it expires, and what the provider said along with it \
            (a user's id, a screen name). When the configuration no longer fits it, that it is not used, and why. Exits \
            with 65 when nothing is stored.
            """
    )

    @OptionGroup
    var account: AccountArguments

    @OptionGroup
    var option: VaultOption

    func run() async throws {
        try await option.withVault { vault, configuration in
            guard let credential = try await vault?.store.load(account.name) else {
                return VaultOption.missing(account.name, in: configuration)
            }
            StandardOutput.print(AccountReport(account.name, credential, in: configuration).text)
            return .success
        }
    }
}

/// Removes an account's credential from the vault.
struct RemoveAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account's credential from the vault.",
        discussion: """
            An enrolled account is there no more; one of the configuration gets a new token as it got its first. The \
            provider is not told: a token that must not be used any more has to be revoked there too. Exits with 65 \
            when nothing is stored.
            """
    )

    @OptionGroup
    var account: AccountArguments

    @OptionGroup
    var option: VaultOption

    func run() async throws {
        try await option.withVault { vault, configuration in
            guard try await vault?.store.remove(account.name) == true else {
                return VaultOption.missing(account.name, in: configuration)
            }
            StandardOutput.print("Removed the credential of \(account.name) from the vault.")
            return .success
        }
    }
}

/// The configuration's vault, for a command that works on what is in it.
struct VaultOption: ParsableArguments {
    @OptionGroup
    var option: ConfigurationOption

    /// Runs a command on the vault, and makes none where there is none.
    /// - Parameter body: Is given nil where there is no vault: nothing has been stored yet. Returns the command's code.
    /// - Throws: The code when it is not 0; that for bad data after the sentence with the reason is printed.
    func withVault(
        _ body: (OpenedStore?, Configuration) async throws -> ExitCode
    ) async throws(ExitCode) {
        ProcessHardening.apply()
        let configuration = try option.load()
        let code: ExitCode
        do {
            if let vault = try OpenedStore.openExisting(configuration.vault) {
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
        StandardError.print(
            "paraph: The vault \(configuration.vault.name) holds nothing for \(name). "
                + "`paraph accounts list` prints what it holds."
        )
        return .badData
    }
}
