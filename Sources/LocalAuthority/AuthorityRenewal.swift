/// What became of a CA that was renewed.
package struct AuthorityRenewal: Sendable {
    package let certificate: AuthorityCertificate
    package let previous: AuthorityCertificate
    /// Where the previous certificate is now.
    package let keptPath: String
}
