import ArgumentParser
import Credentials
import ParaphConfiguration

/// Shows what the vault holds for an account.
struct ShowAccount: ParsableCommand {
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

    func run() throws {
        try option.withVault { vault, configuration throws(VaultError) in
            guard let credential = try vault?.load(account.name) else {
                return VaultOption.missing(account.name, in: configuration)
            }
            StandardOutput.print(AccountReport(account.name, credential, in: configuration).text)
            return .success
        }
    }
}
