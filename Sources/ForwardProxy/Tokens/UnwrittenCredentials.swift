import Credentials
import Synchronization

/// Credentials that exchanges brought while the store was away, to be written when it is back. They last as long as the
/// process.
final class UnwrittenCredentials: Sendable {
    struct Entry: Sendable {
        let credential: StoredCredential
        /// The token that it takes the place of, as far as is known: what others have stored meanwhile is kept.
        let replaced: AccountToken?
    }

    private let entries = Mutex<[CredentialName: Entry]>([:])
    private let additionAction = Mutex<(@Sendable () -> Void)?>(nil)

    var all: [(name: CredentialName, entry: Entry)] {
        entries.withLock { entries in entries.map { ($0.key, $0.value) } }
    }

    func entry(of name: CredentialName) -> Entry? { entries.withLock { $0[name] } }

    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    /// - Parameter replaced: The token that the exchange took the place of; nil: none is known.
    func add(_ credential: StoredCredential, of name: CredentialName, replacing replaced: AccountToken?) {
        entries.withLock { entries in
            // What was to be written before has not been.
            entries[name] = Entry(credential: credential, replaced: entries[name].map(\.replaced) ?? replaced)
        }
        additionAction.withLock { $0 }?()
    }

    /// - Parameter action: Called when there is something to be written, in place of the one before: exchanges may go on
    ///   when the keeper that has begun them writes no more.
    func onAddition(_ action: @escaping @Sendable () -> Void) {
        additionAction.withLock { $0 = action }
    }

    /// - Parameter credential: The one that was written, or is not to be any more. A newer one stays.
    func remove(_ credential: StoredCredential, of name: CredentialName) {
        entries.withLock { entries in
            if entries[name]?.credential == credential { entries[name] = nil }
        }
    }
}
