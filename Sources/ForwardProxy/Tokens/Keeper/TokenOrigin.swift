/// The place that an account's token came from.
enum TokenOrigin: String {
    case configuration
    /// A person's log-in, or an enrolment, which the vault keeps.
    case vault
    /// An exchange by this process, or an earlier one whose token the vault keeps.
    case exchange
}
