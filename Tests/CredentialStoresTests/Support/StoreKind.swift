import CredentialStores
import Credentials
import Foundation
import Testing
import TestSupport

/// The stores that keep the contract.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case directory
    case etcd

    var testDescription: String { rawValue }

    static var here: [StoreKind] { allCases.filter { $0 == .directory || EtcdServer.isInstalled } }

    /// Runs something with an empty store, which ``OpenedStores/another`` opens again.
    func withStores(_ body: (OpenedStores) async throws -> Void) async throws {
        switch self {
        case .directory:
            let directory = try TestDirectory()
            let key = VaultKey.generate()
            try await body(OpenedStores { DirectoryStore(try Vault(directory: directory("vault"), key: key)) })
        case .etcd:
            let key = VaultKey.generate()
            let prefix = "test/\(UUID())/"
            try await EtcdServer.withSharedClient { client in
                try await body(OpenedStores { EtcdVault(client: client, prefix: prefix, key: key) })
            }
        }
    }
}

/// One store, opened as often as is wanted.
struct OpenedStores {
    let another: () async throws -> any CredentialStore
}
