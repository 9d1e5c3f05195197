import FoundationEssentials
import UpstreamTrust
import X509

extension AuthorityFiles {
    /// Of renewals before, so many stay good for Java's clients. Each costs some hundred bytes a handshake.
    private static let mostAnchors = 3

    static func anchorsPath(_ certificatePath: String) -> String { certificatePath + ".anchors" }

    /// The anchors of a CA that are kept beside its certificate, the newest first; none where the file cannot be read.
    static func anchors(of certificate: AuthorityCertificate, path: String) -> [Anchor] {
        guard let file = try? FileAccess.read(Self.anchorsPath(path)),
            let found = try? PEMCertificates.parse(String(decoding: file.bytes, as: UTF8.self))
        else { return [] }
        // Each root has those that it signed after it, and is the only one of them that has its own name as issuer.
        var rest = found[...]
        var anchors: [Anchor] = []
        while let root = rest.popFirst() {
            let crosses = rest.prefix { $0.issuer != $0.subject }
            rest = rest[crosses.endIndex...]
            anchors.append(
                Anchor(
                    root: AuthorityCertificate(root),
                    crossCertificates: crosses.map { AuthorityCertificate($0) }
                )
            )
        }
        return anchors.filter { $0.isOf(certificate) }
    }

    /// Makes an anchor for a CA of Paraph's that has none with its reach: one that was just made or renewed, or was
    /// made before there were any. Only under the lock.
    func addAnchor(to material: AuthorityMaterial) throws(LocalAuthorityError) -> AuthorityMaterial {
        guard !material.hasAnchor else { return material }
        let made: Anchor
        do {
            made = try Anchor.make(for: material)
        } catch {
            throw .cannotSign
        }
        let anchors = [made] + material.certificate.anchors.prefix(Self.mostAnchors - 1)
        let path = Self.anchorsPath(certificatePath)
        try FileAccess.remove(path + ".new")
        try FileAccess.create(
            path + ".new",
            bytes: anchors.flatMap { [$0.root] + $0.crossCertificates }.flatMap { Array($0.pem.utf8) },
            mode: 0o644
        )
        try FileAccess.rename(path + ".new", to: path)
        try synchronizeCertificateDirectory()
        return AuthorityMaterial(certificate: material.certificate.with(anchors: anchors), key: material.key)
    }
}

extension AuthorityMaterial {
    /// Also where none could be of use.
    var hasAnchor: Bool {
        !isPair || !certificate.wasMadeByParaph || !certificate.reach.isConstrained
            || certificate.anchors.first?.isEqual(to: certificate) == true
    }
}
