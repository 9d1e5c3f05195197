import ArgumentParser

/// The accounts that the vault holds credentials of.
struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "See and change what the vault holds; never a secret.",
        discussion: """
            An account is named API/ACCOUNT, as the configuration names both, or by an enrolled one's id; or as two \
            words, of which the second is no API. A \
            proxy that runs notices every change at once.
            """,
        subcommands: [ListAccounts.self, ShowAccount.self, RemoveAccounts.self, RekeyVault.self, CopyAccounts.self]
    )
}
