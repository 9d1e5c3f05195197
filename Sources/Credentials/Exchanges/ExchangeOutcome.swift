/// The outcome of a provider's answer.
package enum ExchangeOutcome: Sendable {
    /// The next step, to be sent.
    case send(ExchangeRequest)
    /// The exchange is over: to be stored.
    case obtained(StoredCredential)
    /// The exchange is over, in vain.
    case failed(ExchangeFailure)
}
