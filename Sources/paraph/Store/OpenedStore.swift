import CredentialStores
import Credentials
import ParaphConfiguration
import Settings

/// The store of a configuration's credentials, opened.
final class OpenedStore: Sendable {
    let store: any CredentialStore
    /// Its name for a person.
    let name: String
    private let settings: VaultSettings
    /// The store as one in etcd; nil when it is on this machine's disk.
    let etcd: EtcdVault?
    private let client: EtcdClient?

    private init(_ settings: VaultSettings, _ store: any CredentialStore) {
        self.store = store
        self.settings = settings
        etcd = nil
        client = nil
        name = settings.name
    }

    private init(_ settings: VaultSettings, _ etcd: EtcdVault, client: EtcdClient) {
        store = etcd
        self.settings = settings
        self.etcd = etcd
        self.client = client
        name = settings.name
    }

    /// Opens a store. A directory is made where it does not exist; etcd is asked for nothing yet.
    /// - Throws: A sentence that names what cannot be used, and what to do.
    static func open(_ settings: VaultSettings) throws -> OpenedStore {
        switch settings {
        case .directory(let path, let key):
            OpenedStore(settings, DirectoryStore(try Vault(directory: path, key: key)))
        case .etcd(let etcd, let key): try inEtcd(settings, etcd, key)
        }
    }

    /// Opens a store and makes nothing.
    /// - Returns: Nil when there is none: nothing has been stored yet.
    /// - Throws: As ``open(_:)``.
    static func openExisting(_ settings: VaultSettings) throws -> OpenedStore? {
        switch settings {
        case .directory(let path, let key):
            try Vault(existingDirectory: path, key: key).map { OpenedStore(settings, DirectoryStore($0)) }
        case .etcd(let etcd, let key): try inEtcd(settings, etcd, key)
        }
    }

    private static func inEtcd(_ settings: VaultSettings, _ etcd: EtcdSettings, _ key: VaultKey) throws -> OpenedStore {
        let client = try EtcdClient(etcd)
        return OpenedStore(settings, EtcdVault(client: client, prefix: etcd.prefix, key: key), client: client)
    }

    /// Indicates whether it is reached by a network, so that it can be away for a while.
    var isRemote: Bool { client != nil }

    /// Returns whether those settings open the same store in the same way, so that it need not be opened again. A
    /// directory is: its key may be in another file by now.
    func isOpened(by others: VaultSettings) -> Bool {
        guard case .etcd(let etcd, let key) = settings, case .etcd(let otherEtcd, let otherKey) = others else {
            return false
        }
        return etcd == otherEtcd && key.identifier == otherKey.identifier
    }

    /// Closes the connections. To be called once, after the last use.
    func close() async {
        await client?.close()
    }

    /// Closes the store when the body has ended.
    func closing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}
