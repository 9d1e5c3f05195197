import Files
import UpstreamTrust

extension AuthorityFiles {
    /// The files, byte for byte; nil when there is no CA.
    ///
    /// - Throws: The fault of the files, such as a key that others may read.
    func copy() throws(LocalAuthorityError) -> AuthorityCopy? {
        guard try load() != nil, let certificates = try FileAccess.read(certificatePath),
            let key = try FileAccess.read(keyPath)
        else { return nil }
        return AuthorityCopy(
            certificates: certificates.bytes,
            key: key.bytes,
            anchors: try FileAccess.read(anchorsPath)?.bytes ?? []
        )
    }

    /// Puts the files of a copy in the place of those that are there, as a renewal with a new key does: a crash leaves
    /// a whole CA, the old one or the new one. Another certificate that was there is kept under a name of its own. A
    /// key that is missing is there again.
    ///
    /// - Returns: The certificate that was there, when it was another one.
    /// - Throws: Among others ``LocalAuthorityError/notShared(path:)`` when the CA that is there was not made by
    ///   Paraph, which then could not make it again.
    func install(_ copy: AuthorityCopy) throws(LocalAuthorityError) -> AuthorityCertificate? {
        var here = try withoutKey({ () throws(LocalAuthorityError) in try self.copy() }, nil)
        defer { here?.wipe() }
        guard here != copy else { return nil }
        let certificate = try copy.certificate(path: certificatePath)
        let keyDirectoryPath = Directory.parent(of: keyPath)
        try FileAccess.createDirectory(keyDirectoryPath)
        let keyDirectory = try FileAccess.lockDirectory(keyDirectoryPath)
        let old = try withoutKey(
            { () throws(LocalAuthorityError) in try loadFinished()?.certificate },
            AuthorityCertificate.read(path: certificatePath)
        )
        let replaced = old.flatMap { $0.der == certificate.der ? nil : $0 }
        if let replaced {
            guard replaced.wasMadeByParaph else { throw .notShared(path: certificatePath) }
            _ = try keep(replaced)
        }
        try FileAccess.createDirectory(Directory.parent(of: certificatePath))
        try writeCertificate(copy.certificates)
        try publishKey(copy.key, in: keyDirectory)
        try publishCertificate()
        try writeAnchors(copy.anchors)
        return replaced
    }

    /// - Returns: The result of the body, or of the other one where there is a certificate and no key.
    private func withoutKey<Value>(
        _ body: () throws(LocalAuthorityError) -> Value?,
        _ other: @autoclosure () throws(LocalAuthorityError) -> Value?
    ) throws(LocalAuthorityError) -> Value? {
        do throws(LocalAuthorityError) {
            return try body()
        } catch {
            guard case .certificateWithoutKey = error else { throw error }
            return try other()
        }
    }
}
