import Files
import FoundationEssentials
import SwiftASN1
import UpstreamTrust
import X509

/// The two files of a CA.
///
/// A new pair comes into being in this order, under a lock: the certificate beside its place (`….new`), the key beside
/// its place, the key in its place, the certificate in its place; each is on the disk before the next step. A crash
/// leaves nothing in place, or the key in place and its certificate beside its own: the next start then puts that
/// there. A new pair that replaces another comes in the same order. The only files that are ever written over are those
/// of a CA that is renewed, and its certificate is kept under another name.
struct AuthorityFiles {
    let certificatePath: String
    let keyPath: String

    func loadOrCreate(reach: AuthorityReach, now: Date) throws(LocalAuthorityError) -> LocalAuthority {
        let found = try load()
        if let found, found.isPair, found.hasAnchor { return authority(found, wasCreated: false) }
        do throws(LocalAuthorityError) {
            return try completeOrCreate(reach: reach, now: now)
        } catch {
            // A CA that exists is good also where nothing can be written.
            guard let found, found.isPair else { throw error }
            return authority(found, wasCreated: false)
        }
    }

    private func completeOrCreate(reach: AuthorityReach, now: Date) throws(LocalAuthorityError) -> LocalAuthority {
        let keyDirectoryPath = Directory.parent(of: keyPath)
        try FileAccess.createDirectory(keyDirectoryPath)
        let keyDirectory = try FileAccess.lockDirectory(keyDirectoryPath)
        // Another process may have made it, or have died making it, since.
        if let material = try loadFinished() {
            return authority(try addAnchor(to: material), wasCreated: false)
        }
        let made = try create(reach: reach, now: now, in: keyDirectory)
        return authority(try addAnchor(to: made), wasCreated: true)
    }

    /// Loads what the next start would load, with nothing made or moved; nil when it would make a CA.
    func loadExisting() throws(LocalAuthorityError) -> LocalAuthority? {
        let material = try load()
        if let material, material.isPair { return authority(material, wasCreated: false) }
        if let pending = try pendingPair() { return authority(pending, wasCreated: false) }
        if let material { return authority(material, wasCreated: false) }
        guard try FileAccess.read(keyPath) == nil else {
            throw .keyWithoutCertificate(keyPath: keyPath, certificatePath: certificatePath)
        }
        return nil
    }

    /// Loads as ``load()`` does, after the last step of a creation or a replacement that a crash cut short; nil when
    /// there is neither file. Only under the lock.
    func loadFinished() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard let material = try load() else { return try finishInterruptedCreation() }
        guard !material.isPair, let pending = try pendingPair() else { return material }
        try publishCertificate()
        return pending
    }

    private func authority(_ material: AuthorityMaterial, wasCreated: Bool) -> LocalAuthority {
        LocalAuthority(material, certificatePath: certificatePath, wasCreated: wasCreated)
    }

    /// The authority of the files; nil when the certificate is not there, with or without the key.
    ///
    /// The certificate is looked for first: it comes last into being, so that the key of one that is there is missing
    /// for good.
    func load() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard let certificate = try FileAccess.read(certificatePath) else { return nil }
        guard let key = try FileAccess.read(keyPath) else {
            throw .certificateWithoutKey(keyPath: keyPath, certificatePath: certificatePath)
        }
        return try material(key: key, certificate: certificate.bytes)
    }

    /// Does the last step of a creation that a crash cut short; nil when there is no key. Only under the lock.
    private func finishInterruptedCreation() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard try FileAccess.read(keyPath) != nil else { return nil }
        guard let pending = try pendingPair() else {
            throw .keyWithoutCertificate(keyPath: keyPath, certificatePath: certificatePath)
        }
        try publishCertificate()
        return pending
    }

    /// The key in its place with the certificate beside its own, when they belong together.
    private func pendingPair() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard let key = try FileAccess.read(keyPath),
            let pending = try FileAccess.read(pendingCertificatePath)
        else { return nil }
        let material = try material(key: key, certificate: pending.bytes)
        return material.isPair ? material : nil
    }

    private func create(reach: AuthorityReach, now: Date, in keyDirectory: borrowing Directory)
        throws(LocalAuthorityError)
        -> AuthorityMaterial
    {
        let made: (material: AuthorityMaterial, keyPEM: String)
        do {
            made = try AuthorityMaterial.make(reach: reach, now: now)
        } catch {
            throw .cannotSign
        }
        try FileAccess.createDirectory(Directory.parent(of: certificatePath))
        try writeCertificate(Array(made.material.certificate.pem.utf8))
        try publishKey(Array(made.keyPEM.utf8), in: keyDirectory)
        try publishCertificate()
        return made.material
    }

    /// Writes the certificate beside its place.
    /// - Parameter pem: The certificate with those that it is below.
    func writeCertificate(_ pem: [UInt8]) throws(LocalAuthorityError) {
        try FileAccess.remove(pendingCertificatePath)
        try FileAccess.create(pendingCertificatePath, bytes: pem, mode: 0o644)
        try synchronizeCertificateDirectory()
    }

    func publishKey(_ pem: [UInt8], in directory: borrowing Directory) throws(LocalAuthorityError) {
        try FileAccess.remove(pendingKeyPath)
        try FileAccess.create(pendingKeyPath, bytes: pem, mode: 0o600)
        try FileAccess.rename(pendingKeyPath, to: keyPath)
        try FileAccess.synchronize(directory, path: Directory.parent(of: keyPath))
    }

    func publishCertificate() throws(LocalAuthorityError) {
        try FileAccess.rename(pendingCertificatePath, to: certificatePath)
        try synchronizeCertificateDirectory()
    }

    private func synchronizeCertificateDirectory() throws(LocalAuthorityError) {
        let path = Directory.parent(of: certificatePath)
        try FileAccess.synchronize(FileAccess.openDirectory(path), path: path)
    }

    private func material(
        key: (bytes: [UInt8], rights: FileRights),
        certificate bytes: [UInt8]
    ) throws(LocalAuthorityError) -> AuthorityMaterial {
        if let exposure = key.rights.exposure { throw .keyIsReadableByOthers(path: keyPath, exposure) }
        let plain = try Self.certificate(bytes, path: certificatePath)
        let certificate = plain.with(anchors: Self.anchors(of: plain, path: certificatePath))
        do {
            let privateKey = try Certificate.PrivateKey(pemEncoded: String(decoding: key.bytes, as: UTF8.self))
            return AuthorityMaterial(certificate: certificate, key: privateKey)
        } catch {
            throw .unreadableKey(path: keyPath)
        }
    }

    /// The first one of a PEM file, and those that it is below.
    static func certificate(_ bytes: [UInt8], path: String) throws(LocalAuthorityError) -> AuthorityCertificate {
        let certificates: [Certificate]
        do {
            certificates = try PEMCertificates.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw .unreadableCertificate(path: path, problem: error.description)
        }
        guard let first = certificates.first else {
            throw .unreadableCertificate(path: path, problem: PEMError.noCertificate.description)
        }
        return AuthorityCertificate(first, issuers: certificates.dropFirst().map { AuthorityCertificate($0) })
    }

    private var pendingCertificatePath: String { certificatePath + ".new" }
    private var pendingKeyPath: String { keyPath + ".new" }
}

extension AuthorityFiles {
    /// Puts another certificate in the place of a CA's, after a copy of the one that was there has its own name: of the
    /// same key, or of a new one. A crash leaves a whole CA, the old one or the new one.
    func renew(reach: AuthorityReach, withNewKey: Bool, now: Date) throws(LocalAuthorityError) -> AuthorityRenewal {
        let keyDirectory = try FileAccess.lockDirectory(Directory.parent(of: keyPath))
        guard let old = try loadFinished() else { throw .missing(path: certificatePath) }
        guard old.isPair else {
            throw .keyDoesNotMatch(keyPath: keyPath, certificatePath: certificatePath)
        }
        guard old.certificate.wasMadeByParaph else { throw .notParaphs(path: certificatePath) }
        let made: (material: AuthorityMaterial, keyPEM: String?)
        do {
            made =
                try withNewKey
                ? AuthorityMaterial.make(reach: reach, now: now) : (old.renewed(reach: reach, now: now), nil)
        } catch {
            throw .cannotSign
        }
        let keptPath = try keep(old.certificate)
        try writeCertificate(Array(made.material.certificate.pem.utf8))
        if let keyPEM = made.keyPEM { try publishKey(Array(keyPEM.utf8), in: keyDirectory) }
        try publishCertificate()
        // Anchors of the same key go on verifying its leaves.
        let anchors = Self.anchors(of: made.material.certificate, path: certificatePath)
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
    func keep(_ certificate: AuthorityCertificate) throws(LocalAuthorityError) -> String {
        let mark = certificate.fingerprint.filter { $0 != ":" }.prefix(8).lowercased()
        let path = "\(certificatePath).old-\(mark)"
        try FileAccess.remove(path)
        try FileAccess.create(path, bytes: Array(certificate.pem.utf8), mode: 0o644)
        try synchronizeCertificateDirectory()
        return path
    }
}

extension AuthorityFiles {
    /// The greatest number of anchors that are kept, so that those of renewals before stay good for Java's clients.
    /// Each costs some hundred bytes a handshake.
    private static let mostAnchors = 3

    private static func anchorsPath(_ certificatePath: String) -> String { certificatePath + ".anchors" }
    var anchorsPath: String { Self.anchorsPath(certificatePath) }

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
    private func addAnchor(to material: AuthorityMaterial) throws(LocalAuthorityError) -> AuthorityMaterial {
        guard !material.hasAnchor else { return material }
        let made: Anchor
        do {
            made = try Anchor.make(for: material)
        } catch {
            throw .cannotSign
        }
        let anchors = [made] + material.certificate.anchors.prefix(Self.mostAnchors - 1)
        try writeAnchors(anchors.flatMap { [$0.root] + $0.crossCertificates }.flatMap { Array($0.pem.utf8) })
        return AuthorityMaterial(certificate: material.certificate.with(anchors: anchors), key: material.key)
    }

    /// - Parameter pem: Empty: there are none.
    func writeAnchors(_ pem: [UInt8]) throws(LocalAuthorityError) {
        if pem.isEmpty {
            try FileAccess.remove(anchorsPath)
        } else {
            try FileAccess.remove(anchorsPath + ".new")
            try FileAccess.create(anchorsPath + ".new", bytes: pem, mode: 0o644)
            try FileAccess.rename(anchorsPath + ".new", to: anchorsPath)
        }
        try synchronizeCertificateDirectory()
    }
}

extension AuthorityMaterial {
    /// Indicates whether it has its anchor, or none could be of use.
    fileprivate var hasAnchor: Bool {
        !isPair || !certificate.wasMadeByParaph || !certificate.reach.isConstrained
            || certificate.anchors.first?.isEqual(to: certificate) == true
    }
}
