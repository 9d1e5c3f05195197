package import FoundationEssentials
import UpstreamTrust
import X509

extension LocalAuthority {
    /// The CA of these two PEM files; a new one when neither exists. Directories that are missing are made (0700).
    ///
    /// Of two processes that do this at once one makes it and the other loads it.
    ///
    /// - Parameter reach: What a new one is confined to. One that exists is used as it is:
    ///   ``AuthorityCertificate/uncovered(by:)`` tells what it does not reach.
    /// - Throws: What is wrong and what to do about it, among others when the key's file can be read by others, when
    ///   one of the two is missing, when they do not belong together or when the CA has expired.
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
