/// The contents of a vault, the useless files included.
package struct VaultContents: Sendable {
    /// In the order of API and account.
    package var credentials: [(name: CredentialName, credential: StoredCredential)]
    /// One for each file that cannot be opened.
    package var errors: [VaultError]
}
