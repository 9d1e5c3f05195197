/// The way in which a client came by a token.
package enum GrantKind: Sendable, CaseIterable {
    case reverseAuth
    case threeLegged
    case xAuth
    /// RFC 6749, section 4.3, or oPRO's.
    case password
    /// RFC 6749, section 6, or oPRO's.
    case refresh
}
