import Crypto
package import FoundationEssentials
import UpstreamTrust
import X509

/// The local CA: signs the certificates that intercepted hosts are served with.
///
/// The key of the leaves is made anew in each process and shared by all of them: a certificate then costs one
/// signature, and the CA's own key signs certificates and nothing else.
package struct LocalAuthority: Sendable {
    /// The certificate that clients have to trust.
    package let certificate: AuthorityCertificate
    /// The PKCS#8 DER of the key of all leaves.
    package let leafKeyDER: [UInt8]
    /// Indicates whether it was made by this call rather than found.
    package let wasCreated: Bool

    let certificatePath: String
    let keyIdentifier: ArraySlice<UInt8>
    let signingKey: Certificate.PrivateKey
    let leafPublicKey: Certificate.PublicKey

    init(_ material: AuthorityMaterial, certificatePath: String, wasCreated: Bool) {
        self.certificatePath = certificatePath
        certificate = material.certificate
        signingKey = material.key
        keyIdentifier =
            (try? material.certificate.x509.extensions.subjectKeyIdentifier)?.keyIdentifier
            ?? SubjectKeyIdentifier(hash: material.certificate.x509.publicKey).keyIdentifier
        let leafKey = P256.Signing.PrivateKey()
        leafKeyDER = Array(leafKey.derRepresentation)
        leafPublicKey = Certificate.PublicKey(leafKey.publicKey)
        self.wasCreated = wasCreated
    }

    /// The certificates that clients have to trust, as PEM that ends with a line feed.
    package var certificatePEM: String { certificate.pem }
    package var fingerprint: String { certificate.fingerprint }
}

extension LocalAuthority: CustomStringConvertible, CustomReflectable {
    package var description: String { "<local CA \(fingerprint)>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension LocalAuthority {
    /// Makes a CA that Paraph made anew, confined to these hosts. The files are replaced so that a crash leaves a whole
    /// CA; the old certificate is kept beside the new one. Proxies that run go on with the old one until they load it.
    ///
    /// - Parameter withNewKey: False keeps key and subject, so that leaves are good for clients that have either
    ///   certificate, as far as that one reaches. With true the clients must have the new certificate first.
    /// - Throws: Among others ``LocalAuthorityError/missing(path:)`` and ``LocalAuthorityError/notParaphs(path:)``.
    package static func renew(
        certificatePath: String,
        keyPath: String,
        reach: AuthorityReach,
        withNewKey: Bool,
        now: Date
    ) throws(LocalAuthorityError) -> AuthorityRenewal {
        try AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath)
            .renew(reach: reach, withNewKey: withNewKey, now: now)
    }
}

extension LocalAuthority {
    /// The CA of these two PEM files; a new one when neither exists. Directories that are missing are made (0700).
    ///
    /// Of two processes that do this at once one makes it and the other loads it.
    ///
    /// - Parameter reach: The hosts that a new one is confined to. One that exists is used as it is:
    ///   ``AuthorityCertificate/uncovered(by:)`` tells what it does not reach.
    /// - Throws: The fault and its remedy, among others when the key's file can be read by others, when one of the two
    ///   is missing, when they do not belong together or when the CA has expired.
    package static func loadOrCreate(
        certificatePath: String,
        keyPath: String,
        reach: AuthorityReach,
        now: Date
    ) throws(LocalAuthorityError) -> LocalAuthority {
        let files = AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath)
        let authority = try files.loadOrCreate(reach: reach, now: now)
        try authority.check(certificatePath: certificatePath, keyPath: keyPath, now: now)
        return authority
    }

    /// The CA of these two PEM files, with nothing made or moved; nil when there is none and the next start makes one.
    ///
    /// - Throws: As ``loadOrCreate(certificatePath:keyPath:reach:now:)``.
    package static func load(
        certificatePath: String,
        keyPath: String,
        now: Date
    ) throws(LocalAuthorityError) -> LocalAuthority? {
        let files = AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath)
        guard let authority = try files.loadExisting() else { return nil }
        try authority.check(certificatePath: certificatePath, keyPath: keyPath, now: now)
        return authority
    }

    private func check(certificatePath: String, keyPath: String, now: Date) throws(LocalAuthorityError) {
        guard certificate.x509.publicKey == signingKey.publicKey else {
            throw .keyDoesNotMatch(keyPath: keyPath, certificatePath: certificatePath)
        }
        guard case .isCertificateAuthority = try? certificate.x509.extensions.basicConstraints,
            certificate.x509.mayKeySignCertificates
        else { throw .notAnAuthority(path: certificatePath) }
        guard now >= certificate.notValidBefore else {
            throw .notYetValid(path: certificatePath, at: certificate.notValidBefore)
        }
        guard now < certificate.notValidAfter else {
            throw .expired(path: certificatePath, at: certificate.notValidAfter)
        }
    }
}

extension LocalAuthority {
    /// The CA of these two PEM files, key included, for a place that several proxies have it from; nil when there is
    /// none.
    ///
    /// - Returns: Secret bytes, which only ``install(_:certificatePath:keyPath:)`` reads, of this version or a later
    ///   one. The caller wipes them.
    /// - Throws: As ``load(certificatePath:keyPath:now:)``.
    package static func copy(certificatePath: String, keyPath: String) throws(LocalAuthorityError) -> Data? {
        let files = AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath)
        guard var copy = try files.copy() else { return nil }
        defer { copy.wipe() }
        return copy.encoded
    }

    /// Replaces the two PEM files, and the anchors beside them, with those of a copy. Directories that are missing are
    /// made (0700). A crash leaves a whole CA, and another certificate that was there is kept beside the new one.
    ///
    /// - Returns: The certificate that was there, when it was another one.
    /// - Throws: Among others ``LocalAuthorityError/notShared(path:)`` and ``LocalAuthorityError/unreadableCopy``.
    @discardableResult
    package static func install(
        _ copy: Data,
        certificatePath: String,
        keyPath: String
    ) throws(LocalAuthorityError) -> AuthorityCertificate? {
        var copy = try AuthorityCopy(copy)
        defer { copy.wipe() }
        return try AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath).install(copy)
    }

    /// Returns the certificate of a copy.
    /// - Throws: ``LocalAuthorityError/unreadableCopy``, or what is wrong with the certificate.
    package static func certificate(ofCopy copy: Data, path: String) throws(LocalAuthorityError) -> AuthorityCertificate
    {
        var copy = try AuthorityCopy(copy)
        defer { copy.wipe() }
        return try copy.certificate(path: path)
    }
}

/// The result of renewing a CA.
package struct AuthorityRenewal: Sendable {
    package let certificate: AuthorityCertificate
    package let previous: AuthorityCertificate
    /// The path of the previous certificate now.
    package let keptPath: String
}
