package import FoundationEssentials

/// The reason why a chain was not accepted. Names are as they will be printed: escaped and cut.
package enum TrustFailureReason: Equatable, Sendable {
    case noCertificate
    /// The server's own certificate, or the only one that could have issued the next, cannot be read.
    case unreadableCertificate(position: Int, problem: String)
    case weakKey(subject: String, problem: String)
    case weakSignature(subject: String)
    case selfSigned(subject: String)
    case untrustedRoot(subject: String)
    case missingIssuer(issuer: String, of: String)
    case wrongSignature(issuer: String, of: String)
    case noTrustedRoots
    case expired(subject: String, at: Date)
    case notYetValid(subject: String, at: Date)
    case notAnAuthority(subject: String)
    /// The server's certificate is a trusted root itself and is no authority, so that it may not be one.
    case leafIsNoRoot(subject: String)
    case pathTooLong(subject: String)
    case wrongPurpose(subject: String)
    /// The server's certificate is marked as an authority's in spite of its key usage, and is not trusted itself.
    case authorityAsServer(subject: String)
    case flawedCertificate(subject: String, CertificateFlaw)
    /// An authority's name constraints do not allow a name of a certificate below it.
    case nameConstraints(authority: String, subject: String, name: String)
    /// - serialNumber: The number in hexadecimal, with colons between the bytes.
    case revoked(subject: String, serialNumber: String, at: Date, RevocationReason)
    case revocationListMissing(issuer: String, of: String)
    case revocationListExpired(issuer: String, at: Date)
    case unknownCriticalExtension(subject: String, identifier: String)
    case wrongHostname(wanted: String, names: [String])
    case noPinMatched(PinningMode, PinPosition)
    /// The certificates can be combined in more ways than are tried.
    case searchTooLong
    /// The chain has more names and name constraints than are compared.
    case tooManyComparisons

    /// One of a bounded set, fit for a metric.
    package var label: String { kind.rawValue }

    /// The reason without particulars. The raw values are labels.
    package enum Kind: String, CaseIterable, Sendable {
        case noCertificate = "no_certificate"
        case unreadableCertificate = "unreadable_certificate"
        case weakKey = "weak_key"
        case weakSignature = "weak_signature"
        case selfSigned = "self_signed"
        case untrustedRoot = "untrusted_root"
        case missingIssuer = "missing_issuer"
        case wrongSignature = "wrong_signature"
        case noTrustedRoots = "no_trusted_roots"
        case expired = "expired"
        case notYetValid = "not_yet_valid"
        case notAnAuthority = "not_an_authority"
        case leafIsNoRoot = "leaf_is_no_root"
        case pathTooLong = "path_too_long"
        case wrongPurpose = "wrong_purpose"
        case authorityAsServer = "authority_as_server"
        case flawedCertificate = "flawed_certificate"
        case nameConstraints = "name_constraints"
        case revoked = "revoked"
        case revocationListMissing = "revocation_list_missing"
        case revocationListExpired = "revocation_list_expired"
        case unknownCriticalExtension = "unknown_critical_extension"
        case wrongHostname = "wrong_hostname"
        case noPinMatched = "no_pin_matched"
        case searchTooLong = "search_too_long"
        case tooManyComparisons = "too_many_comparisons"
    }

    private var kind: Kind {
        switch self {
        case .noCertificate: .noCertificate
        case .unreadableCertificate: .unreadableCertificate
        case .weakKey: .weakKey
        case .weakSignature: .weakSignature
        case .selfSigned: .selfSigned
        case .untrustedRoot: .untrustedRoot
        case .missingIssuer: .missingIssuer
        case .wrongSignature: .wrongSignature
        case .noTrustedRoots: .noTrustedRoots
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .notAnAuthority: .notAnAuthority
        case .leafIsNoRoot: .leafIsNoRoot
        case .pathTooLong: .pathTooLong
        case .wrongPurpose: .wrongPurpose
        case .authorityAsServer: .authorityAsServer
        case .flawedCertificate: .flawedCertificate
        case .nameConstraints: .nameConstraints
        case .revoked: .revoked
        case .revocationListMissing: .revocationListMissing
        case .revocationListExpired: .revocationListExpired
        case .unknownCriticalExtension: .unknownCriticalExtension
        case .wrongHostname: .wrongHostname
        case .noPinMatched: .noPinMatched
        case .searchTooLong: .searchTooLong
        case .tooManyComparisons: .tooManyComparisons
        }
    }
}

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
