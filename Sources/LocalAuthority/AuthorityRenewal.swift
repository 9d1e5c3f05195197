/// The result of renewing a CA.
package struct AuthorityRenewal: Sendable {
    package let certificate: AuthorityCertificate
    package let previous: AuthorityCertificate
    /// The path of the previous certificate now.
    package let keptPath: String
}
