import SwiftASN1
import X509

/// A certificate that may stand on a path. What the rules want of it is read once for all paths: it may have thousands
/// of extensions, names or purposes.
final class PathMember {
    let certificate: Certificate
    let isTrusted: Bool

    init(_ certificate: Certificate, isTrusted: Bool) {
        self.certificate = certificate
        self.isTrusted = isTrusted
    }

    private(set) lazy var isSelfIssued = self.certificate.subject == self.certificate.issuer
    private(set) lazy var basicConstraints = Result { try self.certificate.extensions.basicConstraints }
    private(set) lazy var hasKeyUsage = self.has(.X509ExtensionID.keyUsage)
    private(set) lazy var mayKeySignCertificates = self.certificate.mayKeySignCertificates
    private(set) lazy var maySignRevocationLists = self.certificate.mayKeySignRevocationLists
    private(set) lazy var unknownCriticalExtension = self.certificate.unknownCriticalExtension
    private(set) lazy var alternativeNames = Result { try self.certificate.extensions.subjectAlternativeNames }
    private lazy var alternativeNameBytes = self.certificate.extensions[oid: .X509ExtensionID.subjectAlternativeName]
    private lazy var subjectKey = Result { try self.certificate.extensions.subjectKeyIdentifier }
    private lazy var authorityKey = Result { try self.certificate.extensions.authorityKeyIdentifier }

    /// Whether its extended key usage lets it be a server's, or its authority's (RFC 5280, section 4.2.1.12).
    private(set) lazy var allowsServers: Bool = {
        guard let usage = try? self.certificate.extensions.extendedKeyUsage else {
            return !self.has(.X509ExtensionID.extendedKeyUsage)
        }
        return usage.contains(.serverAuth) || usage.contains(.any)
    }()

    private(set) lazy var constraints = Result {
        let constraints = self.certificate.extensions[oid: .X509ExtensionID.nameConstraints]
        return try constraints.map { try NameConstraintTable($0) }
    }

    var isAuthority: Bool {
        if case .success(.isCertificateAuthority?) = self.basicConstraints { return true }
        return false
    }

    /// Whether both are one authority, of which a path has one certificate at most (RFC 4158, section 5.2).
    func isSameAuthority(as other: PathMember) -> Bool {
        self.certificate.subject == other.certificate.subject
            && self.certificate.publicKey == other.certificate.publicKey
            && self.alternativeNameBytes?.value == other.alternativeNameBytes?.value
    }

    /// How well the key identifier fits the one by which a certificate names its issuer's key: the greater the better.
    func suitability(forIssuing member: PathMember) -> Int {
        guard let wanted = (try? member.authorityKey.get())?.keyIdentifier,
            let own = (try? self.subjectKey.get())?.keyIdentifier
        else { return 0 }
        return own == wanted ? 1 : -1
    }

    /// The names that name constraints are applied to, by form (RFC 5280, section 4.2.1.10).
    ///
    /// - Throws: When the subject alternative names are malformed.
    func constrainableNames() throws -> [NameForm: [ConstrainableName]] {
        var names = try (self.alternativeNames.get() ?? SubjectAlternativeNames()).map { ConstrainableName($0) }
        let subject = self.certificate.subject
        if !subject.isEmpty { names.append(.directory(DirectoryName(subject))) }
        for attribute in subject.joined() where attribute.type == .RDNAttributeType.emailAddress {
            let mailbox = String(attribute.value).flatMap { Mailbox($0) }
            names.append(mailbox.map { .email($0) } ?? .incomparable(.email))
        }
        return Dictionary(grouping: names, by: \.form)
    }

    /// What RFC 5280 does not allow in any certificate on a path.
    ///
    /// Its section 6.1 takes a trust anchor for a name and a key: what would be a flaw of the root's profile alone is
    /// not asked of one, whose owner cannot have it made anew. Key identifiers may be missing: RFC 5280 asks
    /// authorities for them, and no decision depends on them.
    private(set) lazy var flaw: CertificateFlaw? = {
        if self.certificate.version == .v1, !self.certificate.extensions.isEmpty { return .extensionsInVersion1 }
        if self.certificate.issuer.isEmpty { return .emptyIssuer }
        guard case .success = self.constraints else { return .malformedNameConstraints }
        if self.isTrusted { return nil }
        guard case .success = self.basicConstraints else { return .malformedBasicConstraints }
        guard case .success(let own) = self.subjectKey, case .success(let issuers) = self.authorityKey,
            own?.keyIdentifier.isEmpty != true, issuers?.isComplete != false
        else { return .malformedKeyIdentifier }
        return nil
    }()

    /// The same where the certificate is an authority's by its place.
    private(set) lazy var flawAsAuthority: CertificateFlaw? = {
        if self.certificate.subject.isEmpty { return .emptyAuthoritySubject }
        if let flaw = self.flaw { return flaw }
        if self.isTrusted { return nil }
        let restrictions: [(ASN1ObjectIdentifier, CertificateFlaw)] = [
            (.X509ExtensionID.basicConstraints, .basicConstraintsNotCritical),
            (.X509ExtensionID.nameConstraints, .nameConstraintsNotCritical),
            ([2, 5, 29, 36], .policyConstraintsNotCritical),
            ([2, 5, 29, 54], .inhibitAnyPolicyNotCritical),
        ]
        return restrictions.first { self.certificate.extensions[oid: $0.0]?.critical == false }?.1
    }()

    /// The same where it is a server's.
    private(set) lazy var flawAsLeaf: CertificateFlaw? = {
        if let flaw = self.flaw { return flaw }
        guard case .success = self.alternativeNames else { return .malformedAlternativeNames }
        if self.certificate.subject.isEmpty, self.alternativeNameBytes?.critical == false {
            return .alternativeNamesNotCritical
        }
        if self.isAuthority { return nil }
        if self.has(.X509ExtensionID.nameConstraints) { return .nameConstraintsInLeaf }
        return self.hasKeyUsage && self.mayKeySignCertificates ? .signingKeyOfNoAuthority : nil
    }()

    private func has(_ identifier: ASN1ObjectIdentifier) -> Bool { self.certificate.extensions[oid: identifier] != nil }
}
