import OAuthSigning

/// The place that an account's token came from.
enum TokenOrigin {
    case configuration
    /// A person's log-in, or an enrolment, which the vault keeps.
    case vault
    /// An exchange by this process, or an earlier one whose token the vault keeps: a new token can be had without a
    /// person. The generation is told when the provider refuses the token; the time at which a new one should be asked
    /// for is in nanoseconds of the monotonic clock, and nil when that is not before the refusal; the secrets were given
    /// for the token.
    case exchange(generation: UInt64, refreshAt: UInt64?, secrets: [Secret])

    /// The word for it in the log.
    var label: String {
        switch self {
        case .configuration: "configuration"
        case .vault: "vault"
        case .exchange: "exchange"
        }
    }
}
