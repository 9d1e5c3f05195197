/// A flaw of a certificate that RFC 5280 does not allow wherever it stands.
package enum CertificateFlaw: String, CaseIterable, Sendable {
    case emptyIssuer = "its issuer is empty (RFC 5280, section 4.1.2.4)"
    case emptyAuthoritySubject = "it is a certificate authority's, and its subject is empty (RFC 5280, section 4.1.2.6)"
    case alternativeNamesNotCritical =
        "its subject is empty, and its subject alternative names are not critical (RFC 5280, section 4.2.1.6)"
    case malformedAlternativeNames = "its subject alternative names are malformed (RFC 5280, section 4.2.1.6)"
    case malformedKeyIdentifier = "a key identifier in it is malformed (RFC 5280, sections 4.2.1.1 and 4.2.1.2)"
    case malformedBasicConstraints = "its basic constraints are malformed (RFC 5280, section 4.2.1.9)"
    case basicConstraintsNotCritical =
        "it is a certificate authority's, and its basic constraints are not critical (RFC 5280, section 4.2.1.9)"
    case nameConstraintsNotCritical = "its name constraints are not critical (RFC 5280, section 4.2.1.10)"
    case policyConstraintsNotCritical = "its policy constraints are not critical (RFC 5280, section 4.2.1.11)"
    case inhibitAnyPolicyNotCritical = "its inhibitAnyPolicy is not critical (RFC 5280, section 4.2.1.14)"
    case malformedNameConstraints = "its name constraints are empty or malformed (RFC 5280, section 4.2.1.10)"
    case nameConstraintsInLeaf =
        "it has name constraints, which belong in certificate authorities alone (RFC 5280, section 4.2.1.10)"
    case signingKeyOfNoAuthority =
        "its key usage has keyCertSign, and it is not marked as a certificate authority (RFC 5280, section 4.2.1.3)"
    case extensionsInVersion1 = "it is of version 1 and has extensions (RFC 5280, section 4.1.2.9)"
}
