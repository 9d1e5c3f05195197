/// The outcome of a step of an ``EnrolmentCheck``.
package enum EnrolmentOutcome: Sendable {
    /// The next request, to be sent.
    case send(ExchangeRequest)
    /// The claim is true: to be stored, under the claim's passkey.
    case verified(StoredCredential)
    /// The claim is not true, or is none that could be. The detail is a sentence for a person, without a secret.
    case refused(detail: String)
    /// The provider did not say whether the claim is true. The detail is likewise.
    case unavailable(detail: String)
}
