import Credentials
import Files
import OAuthSigning

/// `state`, `authority` and `vault`: where the proxy keeps what it makes itself.
struct StateFiles {
    var directory: String
    var authority: AuthorityPaths
    var vault: VaultSettings?

    static func read(_ root: Section, context: ReadingContext) -> StateFiles {
        let directory = root["state"]?.word() ?? "state"
        func path(_ value: Value?, _ name: String) -> String {
            context.resolve(value?.word() ?? "\(directory)/\(name)")
        }
        let authority = root.section("authority")
        let certificate = authority?["certificate"]
        let privateKey = authority?["private_key"]
        authority?.finish()
        let files = AuthorityPaths(
            certificate: path(certificate, "ca.pem"),
            privateKey: path(privateKey, "ca.key")
        )
        for value in [certificate, privateKey] { value?.checkName() }
        if files.certificate == files.privateKey {
            privateKey?.report("names the same file as certificate; each has its own")
        }

        let vault = root.section("vault")
        let vaultDirectory = vault?["directory"]
        let key = vault?["key"]
        vault?.finish()
        let vaultKey = if let key { key.vaultKey() } else { VaultKeySource.file(path: path(nil, "vault.key")) }
        return StateFiles(
            directory: context.resolve(directory),
            authority: files,
            vault: vaultKey.map { VaultSettings(directory: path(vaultDirectory, "vault"), key: $0) }
        )
    }
}

extension Value {
    /// A secret of 32 bytes in base64. Unlike every other secret, its file need not exist yet.
    fileprivate func vaultKey() -> VaultKeySource? {
        if case (.file, let path)? = secretReference() {
            let name = path
            let path = context.resolve(name)
            guard FileContents.exists(path) else {
                checkName(name)
                return .file(path: path)
            }
            guard let secret = secret(), vaultKey(secret) != nil else { return nil }
            return .file(path: path)
        }
        return secret().flatMap(vaultKey).map { .value($0) }
    }

    /// A file that is not there yet is made, and is then called by its name in messages: a secret must not be in its
    /// place.
    fileprivate func checkName() {
        if let name = word() { checkName(name) }
    }

    private func checkName(_ name: String) {
        guard !ShownName.isFile(name, resolved: context.resolve(name)) else { return }
        report(
            "names a file \(ShownName.hidden) that is not there, and that no file is called which is made here: give it "
                + "an extension, like .key or .pem, or a folder that is there"
        )
    }

    private func vaultKey(_ secret: Secret) -> VaultKey? {
        do {
            return try VaultKey(base64: secret)
        } catch {
            report("is not 32 bytes in base64; make one with: head -c 32 /dev/urandom | base64")
            return nil
        }
    }
}
