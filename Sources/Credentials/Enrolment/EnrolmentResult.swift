/// The result of an ``EnrolmentClaim``. Each detail is a sentence for a person, without a secret.
package enum EnrolmentResult: Sendable, Equatable {
    /// Verified, and on the disk.
    case created(CredentialName)
    /// Verified, and already there with the same credentials.
    case existed(CredentialName)
    /// Not verified.
    case refused(detail: String)
    /// The provider is down, or answers nonsense.
    case unavailable(detail: String)
    /// The provider did not answer in time.
    case timedOut(detail: String)
    /// Verified, but not to be stored.
    case failed(detail: String)
}
