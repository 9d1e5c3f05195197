extension AuthorityCertificate {
    /// The first certificate of a PEM file; nil when there is no file. The key is not looked at.
    package static func read(path: String) throws(LocalAuthorityError) -> AuthorityCertificate? {
        guard let file = try FileAccess.read(path) else { return nil }
        let certificate = try AuthorityFiles.certificate(file.bytes, path: path)
        return certificate.with(anchors: AuthorityFiles.anchors(of: certificate, path: path))
    }
}
