import FoundationEssentials
import SwiftASN1
import UpstreamTrust
import X509

/// The two files of a CA.
///
/// A new pair comes into being in this order, under a lock: the certificate beside its place (`….new`), the key beside
/// its place, the key in its place, the certificate in its place; each is on the disk before the next step. A crash
/// leaves nothing in place, or the key in place and its certificate beside its own: the next start then puts that
/// there. Nothing that is in place is ever written over.
struct AuthorityFiles {
    let certificatePath: String
    let keyPath: String

    func loadOrCreate(now: Date) throws(AuthorityError) -> LocalAuthority {
        if let material = try self.load() { return self.authority(material, wasCreated: false) }
        let keyDirectoryPath = FileAccess.parent(of: self.keyPath)
        try FileAccess.createDirectory(keyDirectoryPath)
        let keyDirectory = try FileAccess.openDirectory(keyDirectoryPath)
        FileAccess.lock(keyDirectory)
        // Another process may have made it, or have died making it, since.
        if let material = try self.load() { return self.authority(material, wasCreated: false) }
        if let material = try self.finishInterruptedCreation() {
            return self.authority(material, wasCreated: false)
        }
        return self.authority(try self.create(now: now, in: keyDirectory), wasCreated: true)
    }

    private func authority(_ material: AuthorityMaterial, wasCreated: Bool) -> LocalAuthority {
        LocalAuthority(material, certificatePath: self.certificatePath, wasCreated: wasCreated)
    }

    /// nil when the certificate is not there, whether or not the key is.
    ///
    /// The certificate is looked for first: it comes last into being, so that the key of one that is there is missing
    /// for good.
    private func load() throws(AuthorityError) -> AuthorityMaterial? {
        guard let certificate = try FileAccess.read(self.certificatePath) else { return nil }
        guard let key = try FileAccess.read(self.keyPath) else {
            throw .certificateWithoutKey(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        return try self.material(key: key, certificate: certificate.octets)
    }

    /// Does the last step of a creation that a crash cut short; nil when there is no key. Only under the lock.
    private func finishInterruptedCreation() throws(AuthorityError) -> AuthorityMaterial? {
        guard let key = try FileAccess.read(self.keyPath) else { return nil }
        guard let pending = try FileAccess.read(self.pendingCertificatePath) else {
            throw .keyWithoutCertificate(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        let material = try self.material(key: key, certificate: pending.octets)
        guard material.certificate.publicKey == material.key.publicKey else {
            throw .keyWithoutCertificate(keyPath: self.keyPath, certificatePath: self.certificatePath)
        }
        try self.publishCertificate()
        return material
    }

    private func create(now: Date, in keyDirectory: borrowing FileAccess.Descriptor) throws(AuthorityError)
        -> AuthorityMaterial
    {
        let made: (material: AuthorityMaterial, keyPEM: String)
        do {
            made = try AuthorityMaterial.make(now: now)
        } catch {
            throw .cannotSign
        }
        try FileAccess.createDirectory(FileAccess.parent(of: self.certificatePath))
        try FileAccess.remove(self.pendingCertificatePath)
        try FileAccess.create(
            self.pendingCertificatePath,
            octets: Array(made.material.certificatePEM.utf8),
            mode: 0o644
        )
        try self.synchronizeCertificateDirectory()
        try FileAccess.remove(self.pendingKeyPath)
        try FileAccess.create(self.pendingKeyPath, octets: Array(made.keyPEM.utf8), mode: 0o600)
        try FileAccess.rename(self.pendingKeyPath, to: self.keyPath)
        try FileAccess.synchronize(keyDirectory, path: FileAccess.parent(of: self.keyPath))
        try self.publishCertificate()
        return made.material
    }

    private func publishCertificate() throws(AuthorityError) {
        try FileAccess.rename(self.pendingCertificatePath, to: self.certificatePath)
        try self.synchronizeCertificateDirectory()
    }

    private func synchronizeCertificateDirectory() throws(AuthorityError) {
        let path = FileAccess.parent(of: self.certificatePath)
        try FileAccess.synchronize(FileAccess.openDirectory(path), path: path)
    }

    private func material(
        key: (octets: [UInt8], mode: UInt32),
        certificate octets: [UInt8]
    ) throws(AuthorityError) -> AuthorityMaterial {
        guard key.mode & 0o077 == 0 else {
            throw .keyIsReadableByOthers(path: self.keyPath, mode: key.mode)
        }
        let certificate = try self.certificate(octets)
        do {
            let privateKey = try Certificate.PrivateKey(pemEncoded: String(decoding: key.octets, as: UTF8.self))
            return try AuthorityMaterial(certificate: certificate, key: privateKey)
        } catch {
            throw .unreadableKey(path: self.keyPath)
        }
    }

    private func certificate(_ octets: [UInt8]) throws(AuthorityError) -> Certificate {
        do {
            let certificates = try PEMCertificates.parse(String(decoding: octets, as: UTF8.self))
            if let certificate = certificates.first { return certificate }
        } catch {
            throw .unreadableCertificate(path: self.certificatePath, problem: error.description)
        }
        throw .unreadableCertificate(path: self.certificatePath, problem: PEMError.noCertificate.description)
    }

    private var pendingCertificatePath: String { self.certificatePath + ".new" }
    private var pendingKeyPath: String { self.keyPath + ".new" }
}
