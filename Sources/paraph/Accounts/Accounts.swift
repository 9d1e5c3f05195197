import ArgumentParser

/// The accounts that the vault holds credentials of.
struct Accounts: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and change what the vault holds; never a secret.",
        discussion: "A proxy that runs notices every change at once.",
        subcommands: [ListAccounts.self, ShowAccount.self, RemoveAccount.self, RekeyVault.self]
    )
}
