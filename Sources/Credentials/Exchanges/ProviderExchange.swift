/// An exchange of requests and answers with a provider, that a ``ProviderConversation`` runs.
///
/// A value without I/O, clock or randomness: requests come out, responses go in. A copy that was not begun begins it
/// anew.
package protocol ProviderExchange: Sendable {
    associatedtype Outcome: Sendable

    /// Begins the exchange.
    /// - Parameters:
    ///   - nonce: A nonce never used before, of unreserved characters (RFC 3986, section 2.3).
    ///   - timestamp: The whole seconds since 1970-01-01T00:00:00Z.
    mutating func start(nonce: String, timestamp: UInt64) throws(ExchangeFailure) -> ExchangeProgress<Outcome>

    /// Takes the answer to the request that is out.
    /// - Parameters:
    ///   - nonce: The nonce of the next request, should there be one; otherwise as in ``start(nonce:timestamp:)``.
    ///   - timestamp: The time now, which a credential is dated with, too.
    mutating func receive(
        _ response: ExchangeResponse,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<Outcome>
}

/// The next step of a ``ProviderExchange``.
package enum ExchangeProgress<Outcome: Sendable>: Sendable {
    /// The next request, to be sent.
    case send(ExchangeRequest)
    /// The exchange is over.
    case ended(Outcome)
    /// The exchange is over, for the provider refused the time in the request: by the provider's own it may end
    /// otherwise.
    case clockRefused(Outcome)
}

extension ExchangeProgress {
    /// Returns the end of an exchange that brings nothing.
    static func failed<Value>(
        _ failure: ExchangeFailure
    ) -> ExchangeProgress where Outcome == Result<Value, ExchangeFailure> {
        failure.cause == .clockRefused ? .clockRefused(.failure(failure)) : .ended(.failure(failure))
    }
}
