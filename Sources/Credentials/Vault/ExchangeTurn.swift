/// A turn at exchanging a token for an account: nobody else who shares the store has one for it meanwhile.
package protocol ExchangeTurn: Sendable {
    /// The credential that was stored when the turn began; nil for none.
    var stored: StoredCredential? { get }

    /// The reason why the turn is over before its time; nil: it is not. Nothing may be sent any more when it is.
    var end: TurnEnd? { get }

    /// Stores, replaces or removes the credential, as ``CredentialStore/change(_:_:)`` does, if nobody else can have a
    /// turn yet: also when this one has taken its time, or its task is cancelled.
    ///
    /// - Throws: ``VaultError/turnLost(_:)`` when somebody else may have one.
    func change(
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool
}

/// The reason why a turn has ended before its time.
package enum TurnEnd: Sendable, Equatable {
    /// The exchange has taken as long as it may.
    case timedOut(limit: Duration)
    /// The store has not been told in time that the turn goes on.
    case lost
}

/// The outcome of asking for a turn.
package enum TurnOutcome<Value: Sendable>: Sendable {
    /// The turn was taken, and has come to this.
    case taken(Value)
    /// A credential was stored that spares the exchange.
    /// - Parameter isNew: Whether it was stored since the turn was asked for.
    case spared(StoredCredential, isNew: Bool)
}
