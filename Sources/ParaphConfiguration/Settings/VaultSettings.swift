package import Credentials

/// Where tokens that were obtained are kept.
package struct VaultSettings: Sendable {
    package enum Key: Sendable {
        /// The file is made at first start when it does not exist (`VaultKey.loadOrCreate`).
        case file(path: String)
        case value(VaultKey)
    }

    package var directory: String
    package var key: Key
}
