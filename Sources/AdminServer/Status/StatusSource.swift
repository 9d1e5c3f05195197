package import Credentials

/// The running process, as far as it tells of itself.
package protocol StatusSource: Sendable {
    /// Returns what there is to tell now. Nothing of it is a secret, or a token.
    func status() async -> ServiceStatus

    /// Returns what there is to tell of one account; nil when neither the configuration nor the vault has it.
    func account(_ name: CredentialName) async -> AccountStatus?
}
