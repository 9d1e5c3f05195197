/// The action for a certificate of which no current revocation list tells.
package enum RevocationAction: String, CaseIterable, Sendable {
    case accept
    case refuse
}
