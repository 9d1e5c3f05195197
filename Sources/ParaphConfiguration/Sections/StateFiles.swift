import Bytes
import Credentials
import Files
import OAuthSigning
import Settings

/// `state`, `authority` and `vault`: where the proxy keeps what it makes itself.
struct StateFiles {
    var directory: String
    var authority: AuthorityPaths
    var vault: VaultSettings?

    static func read(_ root: Section, context: ReadingContext) -> StateFiles {
        let directoryValue = root["state"]
        let directory = directoryValue?.word() ?? "state"
        if FileContents.isBelowFile(context.resolve(directory)) {
            (directoryValue ?? root.value).report("is a file or in one, and has to be a folder; give it another name")
        }
        func path(_ value: Value?, _ name: String) -> String {
            context.resolve(value?.word() ?? "\(directory)/\(name)")
        }
        let authority = root.section("authority")
        let certificate = authority?["certificate"]
        let privateKey = authority?["private_key"]
        let shared = authority?["shared"]
        authority?.finish()
        let files = AuthorityPaths(
            certificate: path(certificate, "ca.pem"),
            privateKey: path(privateKey, "ca.key"),
            isShared: shared?.isOn() ?? false
        )
        if files.isShared, !VaultSettings.isShared(root) {
            shared?.report("is for proxies that share a vault, and this one has its own; add vault.etcd, or remove it")
        }
        for value in [certificate, privateKey] { value?.checkName() }
        if files.certificate == files.privateKey {
            privateKey?.report("names the same file as certificate; each has its own")
        }

        return StateFiles(
            directory: context.resolve(directory),
            authority: files,
            vault: VaultSettings.read(root, state: directory)
        )
    }
}

extension VaultSettings {
    /// Returns whether several replicas share the vault, before anything of it is checked.
    static func isShared(_ root: Section) -> Bool {
        guard let vault = root["vault"], let node = vault.node["etcd"] else { return false }
        return !vault.member("etcd", node, keyPosition: node.position).isNull
    }

    /// `vault`
    ///
    /// - Parameter state: The value of `state`.
    /// - Returns: Nil when a mistake was reported.
    fileprivate static func read(_ root: Section, state: String) -> VaultSettings? {
        let section = root.section("vault")
        let directory = section?["directory"]
        let etcd = section?["etcd"].flatMap { $0.isNull ? nil : $0 }
        let key = section?["key"]
        section?.finish()
        let defaultKey = "\(state)/vault.key"
        let context = root.value.context
        guard let etcd else {
            let source = if let key { key.vaultKey() } else { VaultKeySource.file(path: context.resolve(defaultKey)) }
            return source.map { .directory(path: context.resolve(directory?.word() ?? "\(state)/vault"), key: $0) }
        }
        if directory != nil {
            etcd.reportAtKey("is written beside directory: credentials are kept in one of the two; remove the other")
        }
        let settings = etcd.section().flatMap(EtcdSettings.read)
        let sharedKey = if let key { key.sharedVaultKey() } else { etcd.sharedVaultKey(inFile: defaultKey) }
        guard let settings, let sharedKey else { return nil }
        return .etcd(settings, key: sharedKey)
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
            guard let secret = secret(isLine: false), vaultKey(secret) != nil else { return nil }
            return .file(path: path)
        }
        return secret(isLine: false).flatMap(vaultKey).map { .value($0) }
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

    /// The key that all replicas seal under: a secret like any other.
    fileprivate func sharedVaultKey() -> VaultKey? {
        if case (.file, let name)? = secretReference() { return sharedVaultKey(inFile: name) }
        return secret(isLine: false).flatMap(vaultKey)
    }

    /// The key that all replicas seal under, in a file that its owner alone may read.
    fileprivate func sharedVaultKey(inFile name: String) -> VaultKey? {
        let path = context.resolve(name)
        let shownName = ShownName.file(name, resolved: path)
        guard FileContents.exists(path) else {
            report(
                "needs \(shownName) with the vault's key, which is not there, and is not made here, for it has to be the same "
                    + "for all replicas; make it once with: \(Self.keyCommand(name, path))"
            )
            return nil
        }
        if let exposure = FileContents.rights(path)?.exposure {
            report(
                "needs \(shownName) with the vault's key, which \(exposure.problem); \(exposure.remedy(shellQuoted(path)))"
            )
            return nil
        }
        guard let secret = fileSecret(name) else { return nil }
        guard let key = try? VaultKey(base64: secret) else {
            report(
                "needs \(shownName) with the vault's key, which is not 32 bytes in base64; make one with: head -c 32 "
                    + "/dev/urandom | base64"
            )
            return nil
        }
        return key
    }

    /// The command that makes a key, into its file where the name of that may be shown.
    private static func keyCommand(_ name: String, _ path: String) -> String {
        let command = "head -c 32 /dev/urandom | base64"
        return ShownName.isFile(name, resolved: path) ? "(umask 077; \(command) > \(shellQuoted(path)))" : command
    }

    private func vaultKey(_ secret: Secret) -> VaultKey? {
        do {
            return try VaultKey(base64: secret)
        } catch {
            report(
                scalar.map(SecretForm.isPath) == true
                    ? "looks like a path, and is not read as one; write {file: PATH}"
                    : "is not 32 bytes in base64; make one with: head -c 32 /dev/urandom | base64"
            )
            return nil
        }
    }
}
