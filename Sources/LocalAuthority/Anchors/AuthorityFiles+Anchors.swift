import FoundationEssentials
import UpstreamTrust

extension AuthorityFiles {
    /// Of renewals before, so many stay good for Java's clients. Each costs some hundred octets a handshake.
    private static let mostAnchors = 3

    static func anchorsPath(_ certificatePath: String) -> String { certificatePath + ".anchors" }

    /// The anchors of a CA that are kept beside its certificate, the newest first; none where the file cannot be read.
    static func anchors(of certificate: AuthorityCertificate, path: String) -> [Anchor] {
        guard let file = try? FileAccess.read(Self.anchorsPath(path)),
            let found = try? PEMCertificates.parse(String(decoding: file.octets, as: UTF8.self)), found.count % 2 == 0
        else { return [] }
        return stride(from: 0, to: found.count, by: 2)
            .map { position in
                Anchor(
                    root: AuthorityCertificate(found[position]),
                    crossCertificate: AuthorityCertificate(found[position + 1])
                )
            }
            .filter { $0.isOf(certificate) }
    }

    /// Makes an anchor for a CA of Paraph's that has none with its reach: one that was just made or renewed, or was made
    /// before there were any. Only under the lock.
    func addAnchor(to material: AuthorityMaterial) throws(AuthorityError) -> AuthorityMaterial {
        guard !material.hasAnchor else { return material }
        let made: Anchor
        do {
            made = try Anchor.make(for: material)
        } catch {
            throw .cannotSign
        }
        let anchors = [made] + material.certificate.anchors.prefix(Self.mostAnchors - 1)
        let path = Self.anchorsPath(self.certificatePath)
        try FileAccess.remove(path + ".new")
        try FileAccess.create(
            path + ".new",
            octets: anchors.flatMap { Array(($0.root.pem + $0.crossCertificate.pem).utf8) },
            mode: 0o644
        )
        try FileAccess.rename(path + ".new", to: path)
        try self.synchronizeCertificateDirectory()
        return AuthorityMaterial(certificate: material.certificate.with(anchors: anchors), key: material.key)
    }
}

extension AuthorityMaterial {
    /// Also where none could be of use.
    var hasAnchor: Bool {
        !self.isPair || !self.certificate.wasMadeByParaph || !self.certificate.reach.isConstrained
            || self.certificate.anchors.first?.isEqual(to: self.certificate) == true
    }
}
