import Credentials
import Synchronization

/// Credentials that exchanges brought while the store was away, to be written when it is back. They last as long as the
/// process.
final class UnwrittenCredentials: Sendable {
    struct Entry: Sendable {
        let credential: StoredCredential
        /// The token that was stored before the store went away, as far as is known: what others have stored meanwhile is
        /// kept.
        let replaced: AccountToken?
        /// Those that were to be written before this one, the latest last: one may have been, without an answer.
        var before: [AccountToken] = []

        /// Returns whether it takes the place of what is stored; nil: of nothing, which is so only if nothing was before.
        func replaces(_ stored: StoredCredential?) -> Bool {
            guard let stored else { return replaced == nil }
            guard stored.origin == credential.origin else { return false }
            return stored.token.authorizes(as: replaced) || before.contains { stored.token.authorizes(as: $0) }
        }
    }

    /// The number of tokens of which it is known that they were to be written before.
    private static let knownBefore = 16

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
            guard let last = entries[name] else {
                entries[name] = Entry(credential: credential, replaced: replaced)
                return
            }
            // What was to be written before has not been, as far as is known.
            entries[name] = Entry(
                credential: credential,
                replaced: last.replaced,
                before: (last.before + [last.credential.token]).suffix(Self.knownBefore)
            )
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
