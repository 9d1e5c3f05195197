import Credentials
import Synchronization

/// The credentials that were known under the configuration before, until the store tells what it has: a reload costs
/// nobody a token while it is away.
final class EarlierCredentials: Sendable {
    /// Indicates whether they are of the store of now. Then nobody waits for that, which may not answer: they are as good as
    /// before the reload, and the watch tells when they may not be any more.
    let areOfSameStore: Bool
    private let credentials: Mutex<[CredentialName: StoredCredential]>

    init(_ credentials: [CredentialName: StoredCredential], areOfSameStore: Bool) {
        self.areOfSameStore = areOfSameStore
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
