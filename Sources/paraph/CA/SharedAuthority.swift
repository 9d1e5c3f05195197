import Bytes
import CredentialStores
import Credentials
import FoundationEssentials
import LocalAuthority
import Logging
import ParaphConfiguration
import Routing
import Settings

/// The local CA that the proxies of a vault in etcd share: etcd has it, sealed, and the files of each proxy are a copy.
struct SharedAuthority: Sendable {
    /// The outcome of looking for the one that is shared.
    enum Outcome: Sendable {
        /// The files are those of the one that is shared, and were before or were not there; or they were left as they
        /// are.
        case followed
        /// The files were those of another CA of Paraph's, whose certificate is kept beside the new one.
        case replaced(fingerprint: String)
        /// etcd does not answer, or what it has cannot be used. The files are as they were.
        case unavailable(VaultError)
    }

    let paths: AuthorityPaths
    let reach: AuthorityReach
    let vault: EtcdVault
    /// The vault's name, for a person.
    let vaultName: String

    /// Makes the CA that proxies share; nil when each has one of its own.
    init?(_ configuration: Configuration, _ opened: OpenedStore) {
        guard configuration.authority.isShared, let vault = opened.etcd else { return nil }
        self.vault = vault
        vaultName = opened.name
        paths = configuration.authority
        reach = configuration.reach
    }

    /// Makes the files those of the CA that is shared. Where none is yet, that of the files is from now on, or a new
    /// one.
    ///
    /// - Parameter renewing: False leaves files that are here as they are.
    /// - Throws: `VaultError`, only where there are no files, or `LocalAuthorityError`.
    func follow(renewing: Bool) async throws -> Outcome {
        if !renewing, await isHere { return .followed }
        do {
            return try await followShared()
        } catch let error as VaultError {
            // What is served by meanwhile is as good as it was.
            guard await isHere else { throw error }
            return .unavailable(error)
        }
    }

    /// Makes the certificate anew, for the hosts that are configured now, here and in etcd.
    ///
    /// - Throws: `VaultError`, `LocalAuthorityError` or ``SharedAuthorityError``. The files are then those of the CA
    ///   that is shared, or was before where etcd does not answer any more.
    func renew(withNewKey: Bool) async throws -> AuthorityRenewal {
        guard var before = try await vault.authority() else { throw SharedAuthorityError.none(vault: vaultName) }
        defer { before.wipe() }
        try await install(before)
        let renewal = try await BlockingWork.run {
            try LocalAuthority.renew(
                certificatePath: paths.certificate,
                keyPath: paths.privateKey,
                reach: reach,
                withNewKey: withNewKey,
                now: Date()
            )
        }
        do {
            guard var after = try await copyHere() else {
                throw LocalAuthorityError.missing(path: paths.certificate)
            }
            defer { after.wipe() }
            // A proxy that was reloaded meanwhile has put the earlier one back.
            guard try certificate(of: after).fingerprint == renewal.certificate.fingerprint,
                try await vault.storeAuthority(after, inPlaceOf: before)
            else { throw SharedAuthorityError.changed(vault: vaultName) }
            return renewal
        } catch {
            // What is stored there may be the new one: the answer was lost that told so.
            let stored = try? await vault.authority()
            _ = try? await install(stored ?? before)
            throw error
        }
    }

    /// Looks whether the files are those of the CA that is shared; nil when there is none yet, or there are no files.
    func isFollowed() async throws -> Bool? {
        guard var here = try await copyHere() else { return nil }
        defer { here.wipe() }
        guard var shared = try await vault.authority() else { return nil }
        defer { shared.wipe() }
        return here == shared
    }

    /// Returns the certificate of the CA that is shared, when it is another one than that of the files, or than is
    /// served by; nil also when there is none yet.
    func successor(of certificate: AuthorityCertificate) async throws -> AuthorityCertificate? {
        guard try await vault.isBegun(), var shared = try await vault.authority() else { return nil }
        defer { shared.wipe() }
        let found = try self.certificate(of: shared)
        return found.fingerprint == certificate.fingerprint ? nil : found
    }

    private func followShared() async throws -> Outcome {
        if var shared = try await vault.authority() {
            defer { shared.wipe() }
            return try await install(shared)
        }
        var (own, wasCreated) = try await BlockingWork.run { try copyMadeHere() }
        defer { own.wipe() }
        guard try certificate(of: own).wasMadeByParaph else {
            throw LocalAuthorityError.notShared(path: paths.certificate)
        }
        if try await vault.storeAuthority(own, inPlaceOf: nil) { return .followed }
        // Another proxy was quicker.
        guard var shared = try await vault.authority() else { throw SharedAuthorityError.changed(vault: vaultName) }
        defer { shared.wipe() }
        let outcome = try await install(shared)
        // Nobody has seen the one that was made a moment ago.
        return wasCreated ? .followed : outcome
    }

    // MARK: Files

    @discardableResult
    private func install(_ copy: Data) async throws -> Outcome {
        let replaced = try await BlockingWork.run {
            try LocalAuthority.install(copy, certificatePath: paths.certificate, keyPath: paths.privateKey)
        }
        return replaced.map { .replaced(fingerprint: $0.fingerprint) } ?? .followed
    }

    private func copyHere() async throws -> Data? {
        try await BlockingWork.run {
            try LocalAuthority.copy(certificatePath: paths.certificate, keyPath: paths.privateKey)
        }
    }

    /// Indicates whether there is a whole CA.
    private var isHere: Bool {
        get async {
            guard var here = try? await copyHere() else { return false }
            here.wipe()
            return true
        }
    }

    private func certificate(of copy: Data) throws(LocalAuthorityError) -> AuthorityCertificate {
        try LocalAuthority.certificate(ofCopy: copy, path: paths.certificate)
    }

    private func copyMadeHere() throws(LocalAuthorityError) -> (copy: Data, wasCreated: Bool) {
        let authority = try LocalAuthority.loadOrCreate(
            certificatePath: paths.certificate,
            keyPath: paths.privateKey,
            reach: reach,
            now: Date()
        )
        guard let copy = try LocalAuthority.copy(certificatePath: paths.certificate, keyPath: paths.privateKey) else {
            throw .missing(path: paths.certificate)
        }
        return (copy, authority.wasCreated)
    }
}

extension SharedAuthority.Outcome {
    /// Says at a start, and at each reload, what a person should know of it.
    func tell(_ configuration: Configuration, _ logger: Logger) {
        let path = configuration.authority.certificate
        switch self {
        case .followed: break
        case .replaced(let fingerprint):
            logger.warning(
                "the local CA took the place of another one, which clients may still trust: give them the new certificate",
                metadata: ["certificate": "\(path)", "earlier_sha256": "\(fingerprint)"]
            )
        case .unavailable(let error):
            logger.warning(
                "whether the local CA is the one that the proxies share could not be looked up; a reload looks again",
                metadata: ["certificate": "\(path)", "reason": "\(error)"]
            )
        }
    }
}
