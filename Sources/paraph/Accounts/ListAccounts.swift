import ArgumentParser
import Bytes
import Credentials
import ParaphConfiguration
import Settings

/// Lists the accounts whose credentials are in the vault.
struct ListAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the accounts that the vault holds a credential of.",
        usage: "paraph accounts list [API | API/ACCOUNT …] [--long] [--json] [--config FILE]",
        discussion: """
            Prints a line for each: API, tab, account. With --long also the kind of token, when it was stored, and how: \
            by an exchange of the proxy's, by login or by enrolment; and "not used" where the configuration no longer \
            fits it, which `paraph accounts show` explains. With --json each line is a JSON object with api and account, \
            with --long also token, stored, origin, used, reason, expires, refresh_token (whether one is kept), user_name and \
            attributes. Of several names each is an API's or API/ACCOUNT, in any order; two words of which the second is no \
            API are an API and its account. What cannot be opened is told on standard error, and the command exits with 65.
            """
    )

    @Flag(name: .shortAndLong, help: "Open each credential, and print more of it.")
    var long = false

    @Flag(help: "Print a JSON object on each line.")
    var json = false

    @Argument(help: "Only these APIs' accounts, or these accounts.", completion: ConfiguredNames.apiOrAccount)
    var names: [String] = []

    @OptionGroup
    var option: VaultOption

    func validate() throws {
        do throws(AccountWordsError) {
            _ = try AccountWords.names(names.filter { $0.contains("/") })
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        try await option.withVault { vault, configuration in
            let selection = try await VaultOption.selection(names, in: vault, configuration)
            let unknown = selection.apis.filter { VaultOption.isUnknown(api: $0, in: configuration) }
            for api in unknown { StandardError.print("paraph: \(VaultOption.unknown(api: api, in: configuration))") }
            guard let vault else {
                StandardError.print("The vault \(configuration.vault.name) does not exist yet: nothing is stored.")
                return unknown.isEmpty ? .success : .badData
            }
            let (errors, printed) =
                long
                ? try await printContents(of: vault.store, selection, configuration)
                : try await printNames(in: vault.store, selection)
            for error in errors { StandardError.print("paraph: \(error)") }
            let apis = Set(printed.map(\.api))
            let missing = Set(selection.accounts).subtracting(printed)
            for name in missing.sorted(by: { "\($0)" < "\($1)" }) {
                _ = VaultOption.missing(name, in: configuration)
            }
            return errors.isEmpty && missing.isEmpty && apis.isSuperset(of: unknown) ? .success : .badData
        }
    }

    /// - Returns: The errors, and what was printed.
    private func printNames(
        in vault: any CredentialStore,
        _ selection: AccountSelection
    ) async throws(VaultError) -> ([VaultError], printed: [CredentialName]) {
        let listing = try await vault.listing()
        let names = listing.names.filter(selection.contains)
        for name in names {
            if json {
                StandardOutput.print(json: JSONText.object(AccountReport.members(name)).line)
            } else {
                StandardOutput.print(AccountReport.line(name))
            }
        }
        return (listing.errors, names)
    }

    private func printContents(
        of vault: any CredentialStore,
        _ selection: AccountSelection,
        _ configuration: Configuration
    ) async throws(VaultError) -> ([VaultError], printed: [CredentialName]) {
        let contents = try await vault.contents()
        let credentials = contents.credentials.filter { selection.contains($0.name) }
        for (name, credential) in credentials {
            let report = AccountReport(name, credential, in: configuration)
            if json { StandardOutput.print(json: report.json.line) } else { StandardOutput.print(report.line) }
        }
        return (contents.errors, credentials.map(\.name))
    }
}
