import Credentials
import Synchronization

/// The credentials that were known under the configuration before, to be used while the store is away: a reload costs
/// nobody a token.
final class EarlierCredentials: Sendable {
    private let credentials: Mutex<[CredentialName: StoredCredential]>

    init(_ credentials: [CredentialName: StoredCredential]) {
        self.credentials = Mutex(credentials)
    }

    var all: [CredentialName: StoredCredential] { credentials.withLock { $0 } }

    func credential(of name: CredentialName) -> StoredCredential? { credentials.withLock { $0[name] } }

    /// - Parameter names: Nil: all.
    func forget(_ names: [CredentialName]?) {
        credentials.withLock { credentials in
            guard let names else { return credentials = [:] }
            for name in names { credentials[name] = nil }
        }
    }
}
