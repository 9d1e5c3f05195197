import Credentials
import Synchronization

/// The credentials that were known under the configuration before, for as long as the store has not told that it has
/// others: a reload costs nobody a token when the store goes away, or is away already.
final class EarlierCredentials: Sendable {
    private struct State {
        var credentials: [CredentialName: StoredCredential]
        var isTrusted: Bool
        var verification = Verification.none
    }

    private enum Verification {
        case none
        case runs
        /// It runs, and what it has seen by now may be otherwise again.
        case isToBegin
    }

    private let state: Mutex<State>

    /// - Parameter areOfSameStore: Whether they are of the store of now. Then they are as good as before, and the store is
    ///   not asked for them, which may not answer, until it tells that they may not be any more.
    init(_ credentials: [CredentialName: StoredCredential], areOfSameStore: Bool) {
        state = Mutex(State(credentials: credentials, isTrusted: areOfSameStore))
    }

    var all: [CredentialName: StoredCredential] { state.withLock { $0.credentials } }

    /// Indicates whether they are used without asking the store.
    var areTrusted: Bool { state.withLock { $0.isTrusted } }

    func credential(of name: CredentialName) -> StoredCredential? { state.withLock { $0.credentials[name] } }

    func forget(_ names: [CredentialName]) {
        state.withLock { state in
            for name in names { state.credentials[name] = nil }
        }
    }

    /// Any of them may be of no use any more: the store is asked first from now on.
    ///
    /// - Returns: Whether they have to be compared with what the store has, which nobody does already.
    func distrust() -> Bool {
        state.withLock { state in
            state.isTrusted = false
            guard !state.credentials.isEmpty else { return false }
            defer { state.verification = state.verification == .none ? .runs : .isToBegin }
            return state.verification == .none
        }
    }

    /// They have been compared, each of them or as many as could be.
    ///
    /// - Returns: Whether that is to begin anew.
    func verified() -> Bool {
        state.withLock { state in
            defer { state.verification = state.verification == .isToBegin ? .runs : .none }
            return state.verification == .isToBegin
        }
    }
}
