import ArgumentParser
import Credentials
import ParaphConfiguration

/// Removes an account's credential from the vault.
struct RemoveAccount: ParsableCommand {
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

    func run() throws {
        try option.withVault { vault, configuration throws(VaultError) in
            guard try vault?.remove(account.name) == true else {
                return VaultOption.missing(account.name, in: configuration)
            }
            StandardOutput.print("Removed the credential of \(account.name) from the vault.")
            return .success
        }
    }
}
