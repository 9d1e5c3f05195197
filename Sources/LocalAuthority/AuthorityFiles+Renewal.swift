import Files
import FoundationEssentials

extension AuthorityFiles {
    /// Puts another certificate in the place of a CA's, after a copy of the one that was there has its own name: of the
    /// same key, or of a new one. A crash leaves a whole CA, the old one or the new one.
    func renew(reach: AuthorityReach, withNewKey: Bool, now: Date) throws(LocalAuthorityError) -> AuthorityRenewal {
        let keyDirectory = try FileAccess.lockDirectory(Directory.parent(of: self.keyPath))
        guard let old = try loadFinished() else { throw .missing(path: self.certificatePath) }
        guard old.isPair else {
            throw .keyDoesNotMatch(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        guard old.certificate.wasMadeByParaph else { throw .notParaphs(path: self.certificatePath) }
        let made: (material: AuthorityMaterial, keyPEM: String?)
        do {
            made =
                try withNewKey
                ? AuthorityMaterial.make(reach: reach, now: now) : (old.renewed(reach: reach, now: now), nil)
        } catch {
            throw .cannotSign
        }
        let keptPath = try keep(old.certificate)
        try writeCertificate(made.material)
        if let keyPEM = made.keyPEM { try publishKey(keyPEM, in: keyDirectory) }
        try publishCertificate()
        // Anchors of the same key go on verifying its leaves.
        let anchors = Self.anchors(of: made.material.certificate, path: self.certificatePath)
        let renewed = try addAnchor(
            to: AuthorityMaterial(certificate: made.material.certificate.with(anchors: anchors), key: made.material.key)
        )
        return AuthorityRenewal(
            certificate: renewed.certificate,
            previous: old.certificate,
            keptPath: keptPath
        )
    }

    /// Copies a certificate to a name that is its own.
    private func keep(_ certificate: AuthorityCertificate) throws(LocalAuthorityError) -> String {
        let mark = certificate.fingerprint.filter { $0 != ":" }.prefix(8).lowercased()
        let path = "\(certificatePath).old-\(mark)"
        try FileAccess.remove(path)
        try FileAccess.create(path, bytes: Array(certificate.pem.utf8), mode: 0o644)
        try synchronizeCertificateDirectory()
        return path
    }
}
