import Credentials

extension ExchangeOutcome {
    /// The credential of an exchange that is over; nil where it goes on, or was in vain.
    var credential: StoredCredential? {
        guard case .obtained(let credential) = self else { return nil }
        return credential
    }
}
