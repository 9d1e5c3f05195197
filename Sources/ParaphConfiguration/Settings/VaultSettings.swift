package import Credentials

/// The place in which tokens that were obtained are kept.
package struct VaultSettings: Sendable {
    package var directory: String
    /// A file of it is made at first start when it does not exist.
    package var key: VaultKeySource
}
