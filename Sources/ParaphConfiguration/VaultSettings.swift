package import Credentials
package import Settings

/// The place in which tokens that were obtained are kept, and the key that they are sealed under.
package enum VaultSettings: Sendable {
    /// - Parameters:
    ///   - path: The directory.
    ///   - key: A file of it is made at first start when it does not exist.
    case directory(path: String, key: VaultKeySource)
    /// Shared by any number of replicas, none of which makes a key: it would be that one's own.
    case etcd(EtcdSettings, key: VaultKey)

    /// Its name for a person: the directory, or the place in etcd.
    package var name: String {
        switch self {
        case .directory(let path, key: _): path
        case .etcd(let etcd, key: _):
            "\(etcd.prefix) in etcd (\(etcd.endpoints.map(\.description).joined(separator: ", ")))"
        }
    }
}
