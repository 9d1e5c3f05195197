/// The way in which a credential came into the vault.
package enum CredentialOrigin: String, Sendable, CaseIterable {
    /// By an exchange that the proxy ran on first use, or to renew a token.
    case exchange
    /// By `paraph login`.
    case login
    /// By `POST /register`. Only such a credential makes an account that the configuration does not name.
    case enrolment
}
