/// The source of the vault's key.
package enum VaultKeySource: Sendable {
    /// The configuration has it.
    case value(VaultKey)
    /// It is in a file of its own, as ``VaultKey/loadOrCreate(path:)`` reads and makes it. The file is looked at again
    /// whenever something is stored, so that a running process follows a re-key.
    case file(path: String)
}
