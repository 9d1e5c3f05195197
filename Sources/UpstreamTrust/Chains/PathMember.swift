import Bytes
import SwiftASN1
package import X509

/// A certificate that may stand on a path. What the rules want of it is read once for all paths: it may have thousands
/// of extensions, names or purposes.
final class PathMember {
    let certificate: Certificate
    let isTrusted: Bool

    init(_ certificate: Certificate, isTrusted: Bool) {
        self.certificate = certificate
        self.isTrusted = isTrusted
    }

    private(set) lazy var isSelfIssued = certificate.subject == certificate.issuer
    private(set) lazy var basicConstraints = Result { try certificate.extensions.basicConstraints }
    private(set) lazy var hasKeyUsage = has(.X509ExtensionID.keyUsage)
    private(set) lazy var mayKeySignCertificates = certificate.mayKeySignCertificates
    private(set) lazy var maySignRevocationLists = certificate.mayKeySignRevocationLists
    private(set) lazy var unknownCriticalExtension = certificate.unknownCriticalExtension
    private(set) lazy var alternativeNames = Result { try certificate.extensions.subjectAlternativeNames }
    private lazy var alternativeNameBytes = certificate.extensions[oid: .X509ExtensionID.subjectAlternativeName]
    private lazy var subjectKey = Result { try certificate.extensions.subjectKeyIdentifier }
    private lazy var authorityKey = Result { try certificate.extensions.authorityKeyIdentifier }

    /// Indicates whether its extended key usage lets it be a server's, or its authority's (RFC 5280, section 4.2.1.12).
    private(set) lazy var allowsServers: Bool = {
        guard let usage = try? certificate.extensions.extendedKeyUsage else {
            return !has(.X509ExtensionID.extendedKeyUsage)
        }
        return usage.contains(.serverAuth) || usage.contains(.any)
    }()

    private(set) lazy var constraints = Result {
        let constraints = certificate.extensions[oid: .X509ExtensionID.nameConstraints]
        return try constraints.map { try NameConstraintTable($0) }
    }

    var isAuthority: Bool {
        if case .success(.isCertificateAuthority?) = basicConstraints { return true }
        return false
    }

    /// Returns whether both are one authority, of which a path has one certificate at most (RFC 4158, section 5.2).
    func isSameAuthority(as other: PathMember) -> Bool {
        certificate.subject == other.certificate.subject
            && certificate.publicKey == other.certificate.publicKey
            && alternativeNameBytes?.value == other.alternativeNameBytes?.value
    }

    /// Returns how well the key identifier fits the one by which a certificate names its issuer's key: the greater the
    /// better.
    func suitability(forIssuing member: PathMember) -> Int {
        guard let wanted = (try? member.authorityKey.get())?.keyIdentifier,
            let own = (try? subjectKey.get())?.keyIdentifier
        else { return 0 }
        return own == wanted ? 1 : -1
    }

    /// The names that name constraints are applied to, by form (RFC 5280, section 4.2.1.10).
    ///
    /// - Throws: When the subject alternative names are malformed.
    func constrainableNames() throws -> [NameForm: [ConstrainableName]] {
        var names = try (alternativeNames.get() ?? SubjectAlternativeNames()).map { ConstrainableName($0) }
        let subject = certificate.subject
        if !subject.isEmpty { names.append(.directory(DirectoryName(subject))) }
        for attribute in subject.joined() where attribute.type == .RDNAttributeType.emailAddress {
            let mailbox = String(attribute.value).flatMap { Mailbox($0) }
            names.append(mailbox.map { .email($0) } ?? .incomparable(.email))
        }
        return Dictionary(grouping: names, by: \.form)
    }

    /// The flaw that RFC 5280 does not allow in any certificate on a path.
    ///
    /// RFC 5280, section 6.1 takes a trust anchor for a name and a key: what would be a flaw of the root's profile
    /// alone is not asked of one, whose owner cannot have it made anew. Key identifiers may be missing: RFC 5280 asks
    /// authorities for them, and no decision depends on them.
    private(set) lazy var flaw: CertificateFlaw? = {
        if certificate.version == .v1, !certificate.extensions.isEmpty { return .extensionsInVersion1 }
        if certificate.issuer.isEmpty { return .emptyIssuer }
        guard case .success = constraints else { return .malformedNameConstraints }
        if isTrusted { return nil }
        guard case .success = basicConstraints else { return .malformedBasicConstraints }
        guard case .success(let own) = subjectKey, case .success(let issuers) = authorityKey,
            own?.keyIdentifier.isEmpty != true, issuers?.isComplete != false
        else { return .malformedKeyIdentifier }
        return nil
    }()

    /// The same where the certificate is an authority's by its place.
    private(set) lazy var flawAsAuthority: CertificateFlaw? = {
        if certificate.subject.isEmpty { return .emptyAuthoritySubject }
        if let flaw { return flaw }
        if isTrusted { return nil }
        let restrictions: [(ASN1ObjectIdentifier, CertificateFlaw)] = [
            (.X509ExtensionID.basicConstraints, .basicConstraintsNotCritical),
            (.X509ExtensionID.nameConstraints, .nameConstraintsNotCritical),
            ([2, 5, 29, 36], .policyConstraintsNotCritical),
            ([2, 5, 29, 54], .inhibitAnyPolicyNotCritical),
        ]
        return restrictions.first { certificate.extensions[oid: $0.0]?.critical == false }?.1
    }()

    /// The same where it is a server's.
    private(set) lazy var flawAsLeaf: CertificateFlaw? = {
        if let flaw { return flaw }
        guard case .success = alternativeNames else { return .malformedAlternativeNames }
        if certificate.subject.isEmpty, alternativeNameBytes?.critical == false {
            return .alternativeNamesNotCritical
        }
        if isAuthority { return nil }
        if has(.X509ExtensionID.nameConstraints) { return .nameConstraintsInLeaf }
        return hasKeyUsage && mayKeySignCertificates ? .signingKeyOfNoAuthority : nil
    }()

    private func has(_ identifier: ASN1ObjectIdentifier) -> Bool { certificate.extensions[oid: identifier] != nil }
}

extension Certificate {
    /// The first critical extension that is not processed here: a certificate with one is refused (RFC 5280, section
    /// 4.2).
    var unknownCriticalExtension: String? {
        let known: [ASN1ObjectIdentifier] = [
            .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
            .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
        ]
        let unknown = extensions.first { $0.critical && !known.contains($0.oid) }
        return unknown.map { PrintableText("\($0.oid)", limit: 64).description }
    }

    /// Indicates whether its key usage lets its key sign certificates; without a key usage it does (RFC 5280, section
    /// 4.2.1.3).
    package var mayKeySignCertificates: Bool { keyUsageHas(0b0000_0100) }

    /// Indicates whether its key usage lets its key sign revocation lists; without a key usage it does.
    var mayKeySignRevocationLists: Bool { keyUsageHas(0b0000_0010) }

    /// X509's `KeyUsage` refuses a bit string with trailing zero bits, as DER has it, and there are public roots with
    /// such a one: the bit itself is looked at here.
    private func keyUsageHas(_ bit: UInt8) -> Bool {
        guard let usage = extensions[oid: .X509ExtensionID.keyUsage] else { return true }
        guard let bits = try? ASN1BitString(derEncoded: usage.value), let first = bits.bytes.first else { return false }
        return first & bit != 0
    }
}

extension AuthorityKeyIdentifier {
    /// Indicates whether what it has is not empty, and it has both the issuer and the serial number of the authority's
    /// certificate or neither (RFC 5280, section 4.2.1.1).
    var isComplete: Bool {
        keyIdentifier?.isEmpty != true && authorityCertIssuer?.isEmpty != true
            && (authorityCertIssuer == nil) == (authorityCertSerialNumber == nil)
    }
}
