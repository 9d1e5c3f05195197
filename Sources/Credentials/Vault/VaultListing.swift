/// The names of the credentials that a vault holds, by its files' names.
package struct VaultListing: Sendable, Equatable {
    /// In the order of API and account. That a file is there does not say that it can be opened.
    package var names: [CredentialName]
    /// One for each file that had to be opened to learn its name, and could not be.
    package var errors: [VaultError]

    package init(names: [CredentialName] = [], errors: [VaultError] = []) {
        self.names = names
        self.errors = errors
    }
}
