package import FoundationEssentials
import UpstreamTrust
import X509

extension LocalAuthority {
    /// The CA of these two PEM files; a new one when neither exists. Directories that are missing are made (0700).
    ///
    /// Of two processes that do this at once one makes it and the other loads it.
    ///
    /// - Throws: what is wrong and what to do about it, among others when the key's file can be read by others, when
    ///   one of the two is missing, when they do not belong together or when the CA has expired.
    package static func loadOrCreate(
        certificatePath: String,
        keyPath: String,
        now: Date
    ) throws(AuthorityError) -> LocalAuthority {
        let authority = try AuthorityFiles(certificatePath: certificatePath, keyPath: keyPath).loadOrCreate(now: now)
        try authority.check(certificatePath: certificatePath, keyPath: keyPath, now: now)
        return authority
    }

    private func check(certificatePath: String, keyPath: String, now: Date) throws(AuthorityError) {
        guard self.certificate.publicKey == self.signingKey.publicKey else {
            throw .keyDoesNotMatch(keyPath: keyPath, certificatePath: certificatePath)
        }
        guard case .isCertificateAuthority = try? self.certificate.extensions.basicConstraints,
            self.certificate.mayKeySignCertificates
        else { throw .notAnAuthority(path: certificatePath) }
        guard now >= self.certificate.notValidBefore else {
            throw .notYetValid(path: certificatePath, at: self.certificate.notValidBefore)
        }
        guard now < self.certificate.notValidAfter else {
            throw .expired(path: certificatePath, at: self.certificate.notValidAfter)
        }
    }
}
