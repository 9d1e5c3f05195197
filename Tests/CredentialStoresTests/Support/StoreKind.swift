import CredentialStores
import Credentials
import Foundation
import Testing
import TestSupport

/// The stores that keep the contract.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case directory

    var testDescription: String { rawValue }

    static var here: [StoreKind] { allCases }

    /// Runs something with an empty store, which ``OpenedStores/another()`` opens again.
    func withStores(_ body: (OpenedStores) async throws -> Void) async throws {
        switch self {
        case .directory:
            let directory = try TestDirectory()
            let key = VaultKey.generate()
            try await body(OpenedStores { DirectoryStore(try Vault(directory: directory("vault"), key: key)) })
        }
    }
}

/// One store, opened as often as is wanted.
struct OpenedStores {
    let another: () async throws -> any CredentialStore
}
