import Crypto
import SwiftASN1
import UpstreamTrust
import X509

/// A root for Java, and the CA's certificate as that root signs it.
///
/// Java holds a certificate that it trusts to nothing that stands in it: neither to its name constraints nor to its
/// path length (RFC 5280, section 6.1.1 takes of a trust anchor no more than name and key). To confine the CA for it
/// too, Java trusts a root that has signed the CA's certificate and nothing else, for its key was thrown away, and the
/// CA's certificate is presented below it, where its constraints count. Other clients find the CA's own certificate
/// among those that they trust, and look no further.
///
/// Of a CA with many hosts the root has signed several certificates, which share its hosts out. Only one of them is
/// presented with a leaf: all of them, or one for all hosts, would be tens of kilobytes in each handshake.
struct Anchor: Sendable {
    private static let mostHosts = 32

    /// The certificate that Java trusts. Without constraints, which Java would not heed in it, and which would rule out
    /// the subject of the certificates below it.
    let root: AuthorityCertificate
    /// The CA's certificates as the root signed them, at least one. They have the same name and key as the CA's own
    /// certificate, and together the same constraints.
    let crossCertificates: [AuthorityCertificate]

    init(root: AuthorityCertificate, crossCertificates: [AuthorityCertificate]) {
        self.root = root
        self.crossCertificates = crossCertificates
    }

    /// Makes a key, signs with it and forgets it.
    static func make(for material: AuthorityMaterial) throws -> Anchor {
        let authority = material.certificate.x509
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try AuthorityName.anchor(for: SubjectKeyIdentifier(hash: key.publicKey))
        let certify = {
            (subject: DistinguishedName, publicKey: Certificate.PublicKey, constraints: Certificate.Extension?) in
            try Certificate(
                version: .v3,
                serialNumber: .randomPositive(),
                publicKey: publicKey,
                notValidBefore: authority.notValidBefore,
                notValidAfter: authority.notValidAfter,
                issuer: name,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: subject == name ? 1 : 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    try ExtendedKeyUsage([.serverAuth])
                    if let constraints { constraints }
                    AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key.publicKey).keyIdentifier)
                    SubjectKeyIdentifier(hash: publicKey)
                },
                issuerPrivateKey: key
            )
        }
        return Anchor(
            root: AuthorityCertificate(try certify(name, key.publicKey, nil)),
            crossCertificates: try Self.constraints(sharing: authority)
                .map { AuthorityCertificate(try certify(authority.subject, authority.publicKey, $0)) }
        )
    }

    /// Returns what each of the certificates that share the CA's hosts out is confined to.
    private static func constraints(sharing authority: Certificate) throws -> [Certificate.Extension?] {
        guard let whole = authority.extensions[oid: .X509ExtensionID.nameConstraints] else { return [nil] }
        let parts = try NameConstraints(whole).parts(of: Self.mostHosts)
        return parts.count == 1 ? [whole] : try parts.map { try Certificate.Extension($0, critical: whole.critical) }
    }

    /// The certificate that reaches this host. Where none does, one that tells the client so.
    func crossCertificate(for name: ServerName) -> AuthorityCertificate? {
        crossCertificates.first { $0.covers(name) } ?? crossCertificates.first
    }

    /// Returns whether it is of the same name and key, so that it verifies the CA's leaves.
    func isOf(_ certificate: AuthorityCertificate) -> Bool {
        !crossCertificates.isEmpty
            && crossCertificates.allSatisfy { cross in
                cross.x509.publicKey == certificate.x509.publicKey && cross.x509.subject == certificate.x509.subject
                    && root.x509.publicKey.isValidSignature(cross.x509.signature, for: cross.x509)
            }
    }

    /// Returns whether it has the same reach too, and lives as long.
    func isEqual(to certificate: AuthorityCertificate) -> Bool {
        guard let expected = try? Self.constraints(sharing: certificate.x509) else { return false }
        let found = crossCertificates.map { $0.x509.extensions[oid: .X509ExtensionID.nameConstraints] }
        return isOf(certificate) && found == expected
            && crossCertificates.allSatisfy { $0.notValidAfter == certificate.notValidAfter }
    }
}

extension NameConstraints {
    /// Several that together permit what this one does, so that one of them is short however many hosts there are. Only
    /// itself where it permits few. What it excludes, and the subjects that it permits, is in each of them.
    ///
    /// - Parameter count: The number of names and addresses that each of them permits at most, but for one name that
    ///   comes on top.
    func parts(of count: Int) -> [NameConstraints] {
        let hosts = permittedSubtrees.filter { $0.domain != nil || $0.addresses != nil }
        guard hosts.count > count else { return [self] }
        let others = permittedSubtrees.filter { $0.domain == nil && $0.addresses == nil }
        return stride(from: 0, to: hosts.count, by: count)
            .map { start in
                let part = Array(hosts[start..<min(start + count, hosts.count)])
                return NameConstraints(
                    permittedSubtrees: others + part + domainInstead(of: part),
                    excludedSubtrees: excludedSubtrees + addressesRuledOut(of: part)
                )
            }
    }

    /// A kind of name that is not constrained is free: where this one confines the domains, a part without any has to
    /// as well, and a domain of another part does it.
    private func domainInstead(of part: [GeneralName]) -> [GeneralName] {
        part.contains { $0.domain != nil } ? [] : permittedSubtrees.first { $0.domain != nil }.map { [$0] } ?? []
    }

    private func addressesRuledOut(of part: [GeneralName]) -> [GeneralName] {
        guard permittedSubtrees.contains(where: { $0.addresses != nil }) else { return [] }
        return [4, 16]
            .filter { count in !part.contains { $0.addresses?.base.count == count } }
            .map { .ipAddress(AddressSubtree(everyAddressOf: $0).bytes) }
            .filter { !excludedSubtrees.contains($0) }
    }
}
