import OAuthSigning

/// A signer for one account, with what must be known of its token.
struct ReadySigner {
    let signer: Signer
    /// Which of the account's tokens it signs with; told when the provider refuses it.
    let generation: UInt64
    /// Whether a new token can be had by an exchange.
    let isRenewable: Bool
}
