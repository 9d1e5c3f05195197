import Credentials

/// The wait for a turn at exchanging: knows what was stored when it began.
struct TurnWait {
    private enum First {
        case unknown
        /// The token that another replica has stored; nil when it stored none.
        case token(AccountToken?)
    }

    private var first = First.unknown

    /// Returns the outcome where what is stored spares the exchange.
    ///
    /// - Parameter stored: The credential that is stored now; nil: none.
    mutating func spared<Value>(
        by stored: StoredCredential?,
        _ isSpared: (StoredCredential, _ isNew: Bool) -> Bool
    ) -> TurnOutcome<Value>? {
        var isNew = false
        switch first {
        case .unknown: first = .token(stored?.token)
        case .token(let token): isNew = stored.map { !$0.token.authorizes(as: token) } ?? false
        }
        guard let stored, isSpared(stored, isNew) else { return nil }
        return .spared(stored, isNew: isNew)
    }
}
