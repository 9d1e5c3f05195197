import ArgumentParser
import Bytes
import Credentials

/// Shows what the vault holds for an account.
struct ShowAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what the vault holds for an account.",
        usage: "paraph accounts show API/ACCOUNT [--json] [--config FILE]",
        discussion: """
            The kind of token, when and how it was stored, when it expires, and what the provider said along with it \
            (a user's id, a screen name). When the configuration no longer fits it, that it is not used, and why. Exits \
            with 65 when nothing is stored.
            """
    )

    @Argument(help: "The account, as API/ACCOUNT or as two words.", completion: ConfiguredNames.account)
    var names: [String]

    @Flag(help: "Print one JSON object, as `paraph accounts list --long --json` does.")
    var json = false

    @OptionGroup
    var option: VaultOption

    func validate() throws {
        let accounts: [CredentialName]
        do throws(AccountWordsError) {
            accounts = try AccountWords.names(names)
        } catch {
            throw ValidationError("\(error)")
        }
        guard accounts.count == 1 else { throw ValidationError("Name one account.") }
    }

    func run() async throws {
        guard let name = try AccountWords.names(names).first else { return }
        try await option.withVault { vault, configuration in
            guard let credential = try await vault?.store.load(name) else {
                return VaultOption.missing(name, in: configuration)
            }
            let report = AccountReport(name, credential, in: configuration)
            if json { StandardOutput.print(json: report.json.line) } else { StandardOutput.print(report.text) }
            return .success
        }
    }
}
