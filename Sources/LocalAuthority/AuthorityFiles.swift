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
        let found = try self.load()
        if let found, found.isPair, found.hasAnchor { return self.authority(found, wasCreated: false) }
        do throws(LocalAuthorityError) {
            return try self.completeOrCreate(reach: reach, now: now)
        } catch {
            // A CA that exists is good also where nothing can be written.
            guard let found, found.isPair else { throw error }
            return self.authority(found, wasCreated: false)
        }
    }

    private func completeOrCreate(reach: AuthorityReach, now: Date) throws(LocalAuthorityError) -> LocalAuthority {
        let keyDirectoryPath = FileAccess.parent(of: self.keyPath)
        try FileAccess.createDirectory(keyDirectoryPath)
        let keyDirectory = try FileAccess.openDirectory(keyDirectoryPath)
        FileAccess.lock(keyDirectory)
        // Another process may have made it, or have died making it, since.
        if let material = try self.loadFinished() {
            return self.authority(try self.addAnchor(to: material), wasCreated: false)
        }
        let made = try self.create(reach: reach, now: now, in: keyDirectory)
        return self.authority(try self.addAnchor(to: made), wasCreated: true)
    }

    /// What the next start would load, with nothing made or moved; nil when it would make a CA.
    func loadExisting() throws(LocalAuthorityError) -> LocalAuthority? {
        let material = try self.load()
        if let material, material.isPair { return self.authority(material, wasCreated: false) }
        if let pending = try self.pendingPair() { return self.authority(pending, wasCreated: false) }
        if let material { return self.authority(material, wasCreated: false) }
        guard try FileAccess.read(self.keyPath) == nil else {
            throw .keyWithoutCertificate(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        return nil
    }

    /// As ``load()``, after the last step of a creation or a replacement that a crash cut short; nil when there is
    /// neither file. Only under the lock.
    func loadFinished() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard let material = try self.load() else { return try self.finishInterruptedCreation() }
        guard !material.isPair, let pending = try self.pendingPair() else { return material }
        try self.publishCertificate()
        return pending
    }

    private func authority(_ material: AuthorityMaterial, wasCreated: Bool) -> LocalAuthority {
        LocalAuthority(material, certificatePath: self.certificatePath, wasCreated: wasCreated)
    }

    /// nil when the certificate is not there, whether or not the key is.
    ///
    /// The certificate is looked for first: it comes last into being, so that the key of one that is there is missing
    /// for good.
    func load() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard let certificate = try FileAccess.read(self.certificatePath) else { return nil }
        guard let key = try FileAccess.read(self.keyPath) else {
            throw .certificateWithoutKey(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        return try self.material(key: key, certificate: certificate.bytes)
    }

    /// Does the last step of a creation that a crash cut short; nil when there is no key. Only under the lock.
    private func finishInterruptedCreation() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard try FileAccess.read(self.keyPath) != nil else { return nil }
        guard let pending = try self.pendingPair() else {
            throw .keyWithoutCertificate(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        try self.publishCertificate()
        return pending
    }

    /// The key in its place with the certificate beside its own, when they belong together.
    private func pendingPair() throws(LocalAuthorityError) -> AuthorityMaterial? {
        guard let key = try FileAccess.read(self.keyPath),
            let pending = try FileAccess.read(self.pendingCertificatePath)
        else { return nil }
        let material = try self.material(key: key, certificate: pending.bytes)
        return material.isPair ? material : nil
    }

    private func create(reach: AuthorityReach, now: Date, in keyDirectory: borrowing FileAccess.Descriptor)
        throws(LocalAuthorityError)
        -> AuthorityMaterial
    {
        let made: (material: AuthorityMaterial, keyPEM: String)
        do {
            made = try AuthorityMaterial.make(reach: reach, now: now)
        } catch {
            throw .cannotSign
        }
        try FileAccess.createDirectory(FileAccess.parent(of: self.certificatePath))
        try self.writeCertificate(made.material)
        try self.publishKey(made.keyPEM, in: keyDirectory)
        try self.publishCertificate()
        return made.material
    }

    /// Beside its place.
    func writeCertificate(_ material: AuthorityMaterial) throws(LocalAuthorityError) {
        try FileAccess.remove(self.pendingCertificatePath)
        try FileAccess.create(
            self.pendingCertificatePath,
            bytes: Array(material.certificate.pem.utf8),
            mode: 0o644
        )
        try self.synchronizeCertificateDirectory()
    }

    func publishKey(_ pem: String, in directory: borrowing FileAccess.Descriptor) throws(LocalAuthorityError) {
        try FileAccess.remove(self.pendingKeyPath)
        try FileAccess.create(self.pendingKeyPath, bytes: Array(pem.utf8), mode: 0o600)
        try FileAccess.rename(self.pendingKeyPath, to: self.keyPath)
        try FileAccess.synchronize(directory, path: FileAccess.parent(of: self.keyPath))
    }

    func publishCertificate() throws(LocalAuthorityError) {
        try FileAccess.rename(self.pendingCertificatePath, to: self.certificatePath)
        try self.synchronizeCertificateDirectory()
    }

    func synchronizeCertificateDirectory() throws(LocalAuthorityError) {
        let path = FileAccess.parent(of: self.certificatePath)
        try FileAccess.synchronize(FileAccess.openDirectory(path), path: path)
    }

    private func material(
        key: (bytes: [UInt8], mode: UInt32),
        certificate bytes: [UInt8]
    ) throws(LocalAuthorityError) -> AuthorityMaterial {
        guard key.mode & 0o077 == 0 else {
            throw .keyIsReadableByOthers(path: self.keyPath, mode: key.mode)
        }
        let plain = try Self.certificate(bytes, path: self.certificatePath)
        let certificate = plain.with(anchors: Self.anchors(of: plain, path: self.certificatePath))
        do {
            let privateKey = try Certificate.PrivateKey(pemEncoded: String(decoding: key.bytes, as: UTF8.self))
            return AuthorityMaterial(certificate: certificate, key: privateKey)
        } catch {
            throw .unreadableKey(path: self.keyPath)
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

    private var pendingCertificatePath: String { self.certificatePath + ".new" }
    private var pendingKeyPath: String { self.keyPath + ".new" }
}
