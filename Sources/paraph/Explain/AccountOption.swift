import ArgumentParser
import Credentials
import ParaphConfiguration

/// `--account`, and the configuration that has it: its secrets need not be exported again.
struct AccountOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            An account of the configuration. Its consumer, its token and the way in which the API's requests are signed \
            are taken from there, and from the vault.
            """,
            valueName: "api/account"
        ),
        completion: ConfiguredNames.account
    )
    var account: String?

    @OptionGroup
    var configuration: ConfigurationOption

    func validate() throws {
        do throws(AccountWordsError) {
            _ = try name()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Indicates whether any of the options is given.
    var isGiven: Bool { account != nil || configuration.config != nil }

    /// Reads the credentials.
    ///
    /// - Parameter other: The account where none is named: one that is known from the request.
    /// - Returns: Nil where no account is asked for.
    /// - Throws: ``SigningAccountError``, ``MissingCredential``; the exit code for bad data where the configuration has
    ///   mistakes, which are printed.
    func signingAccount(else other: CredentialName? = nil) async throws -> SigningAccount? {
        guard isGiven || other != nil else { return nil }
        guard let name = try name() ?? other else { throw MissingCredential.account }
        let configuration = try await configuration.load()
        return try await SigningAccount(name, in: configuration) {
            do {
                let opened = try await BlockingWork.run { try OpenedStore.openExisting(configuration.vault) }
                guard let vault = opened else { return nil }
                return try await vault.closing { try await vault.store.load(name) }
            } catch {
                throw SigningAccountError.vaultUnusable(name, reason: "\(error)")
            }
        }
    }

    private func name() throws(AccountWordsError) -> CredentialName? {
        try account.flatMap { word throws(AccountWordsError) in try AccountWords.names([word]).first }
    }
}
