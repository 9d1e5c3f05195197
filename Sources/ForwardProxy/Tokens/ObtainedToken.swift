import Credentials

/// A token that an exchange brought, or the vault held.
struct ObtainedToken: Sendable {
    let token: AccountToken
    /// Counts an account's tokens.
    let generation: UInt64
    /// The time at which a new one should be asked for, in nanoseconds of the monotonic clock; nil: not before it is
    /// refused.
    let refreshAt: UInt64?
}
