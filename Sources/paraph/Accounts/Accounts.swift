import ArgumentParser
import Credentials

/// The accounts that the vault holds credentials of.
struct Accounts: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and change what the vault holds; never a secret.",
        discussion: "A proxy that runs notices every change at once.",
        subcommands: [ListAccounts.self, ShowAccount.self, RemoveAccount.self, RekeyVault.self]
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
