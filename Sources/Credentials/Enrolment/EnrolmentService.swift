/// The accounts of a running proxy, to whoever enrols, lists and removes them: the admin listener's view of the engine.
package protocol EnrolmentService: Sendable {
    /// The access types that are configured.
    var accessTypes: Set<EnrolmentAccessType> { get }

    /// Verifies a claim with the provider, and stores the account. It is on the disk when the call returns, and
    /// requests can be signed as it.
    func register(_ claim: EnrolmentClaim) async -> EnrolmentResult

    /// Returns what the vault holds.
    func accounts() async throws(VaultError) -> VaultListing

    /// Removes an account's credential from the vault; false when there is none.
    func remove(_ name: CredentialName) async throws(VaultError) -> Bool
}

/// The result of an ``EnrolmentClaim``. Each detail is a sentence for a person, without a secret.
package enum EnrolmentResult: Sendable, Equatable {
    /// The account is verified, and on the disk.
    case created(CredentialName)
    /// The account is verified, and already there with the same credentials.
    case existed(CredentialName)
    /// The provider did not verify the credential.
    case refused(detail: String)
    /// The provider is down, or answers nonsense.
    case unavailable(detail: String)
    /// The provider did not answer in time.
    case timedOut(detail: String)
    /// The store of credentials is away.
    case storeUnavailable(detail: String)
    /// The account is verified, but could not be stored.
    case failed(detail: String)
}
