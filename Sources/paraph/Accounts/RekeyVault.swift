import ArgumentParser
import CredentialStores
import Credentials
import Files
import ParaphConfiguration

/// Changes the vault's key.
struct RekeyVault: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Seal every credential under a new vault key.",
        discussion: """
            A vault.key that is a file gets the new key. Otherwise --new-key-file names the file for it (made when it \
            does not exist), which the configuration has to name afterwards. A proxy that runs goes on, and follows. \
            Broken off at any moment, nothing is lost: run the command again to finish it.

            Proxies that share a vault in etcd go on, with either key, until the re-key is finished: give each of them \
            the new key, in any order, and then run the command with --finish.

            Exits with 65 when a credential cannot be opened; both keys are then kept.
            """
    )

    private static let work = "Sealing credentials under the new key"

    @Option(
        help: ArgumentHelp("Where the new key goes, when the configuration has the key itself.", valueName: "file"),
        completion: .file()
    )
    var newKeyFile: String?

    @Flag(help: "In etcd: have the old key open nothing any more. The configuration has the new one.")
    var finish = false

    @OptionGroup
    var option: ConfigurationOption

    func validate() throws {
        guard !finish || newKeyFile == nil else {
            throw ValidationError("--finish takes the new key from the configuration: name no file.")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        if let parent = newKeyFile.map({ Directory.parent(of: Directory.absolutePath(of: $0)) }),
            await !BlockingWork.run({ FileContents.exists(parent) })
        {
            throw refusal("--new-key-file: there is no folder \(parent) to make the file in.")
        }
        let configuration = try await option.load()
        guard case .directory(let directory, let key) = configuration.vault else {
            return try await rekeyShared(configuration.vault)
        }
        guard !finish else {
            throw refusal("--finish is for a vault in etcd. In a directory a re-key is finished without it.")
        }
        let found: RekeyingReport?
        do throws(VaultError) {
            found = try await BlockingWork.run { [newKeyFile] () throws(VaultError) in
                try Self.rekey(directory, key, newKeyFile: newKeyFile)
            }
        } catch {
            throw refusal("\(error)")
        }
        guard let report = found else {
            throw refusal("The vault \(directory) does not exist yet: there is nothing to re-key.")
        }
        for error in report.errors { StandardError.print("paraph: \(error)") }
        StandardOutput.print(report.text)
        guard report.rekeying.isFinished else { throw ExitCode.badData }
    }

    /// - Returns: Nil when there is no vault.
    private static func rekey(
        _ directory: String,
        _ key: VaultKeySource,
        newKeyFile: String?
    ) throws(VaultError) -> RekeyingReport? {
        guard let vault = try Vault(existingDirectory: directory, key: key) else { return nil }
        let path = newKeyFile.map { Directory.absolutePath(of: $0) }
        var line = ProgressLine()
        defer { line.end() }
        let rekeying = try vault.rekey(newKeyFile: path) { line.show(work, $0, of: $1) }
        return RekeyingReport(rekeying: rekeying, key: key, newKeyFile: path)
    }

    /// Re-keys a vault that several proxies share.
    private func rekeyShared(_ settings: VaultSettings) async throws {
        let path = newKeyFile.map { Directory.absolutePath(of: $0) }
        guard finish || path != nil else {
            let error = VaultError.rekeyImpossible(
                reason: "the proxies that share it have the key each by themselves. Name a file for the new one, with "
                    + "--new-key-file; or finish a re-key, with --finish."
            )
            throw refusal("\(error)")
        }
        let result: VaultRekeying?
        do {
            let opened = try await BlockingWork.run { try OpenedStore.open(settings) }
            result = try await opened.closing {
                guard let vault = opened.store as? EtcdVault else { return nil }
                guard let path else {
                    var line = ProgressLine()
                    defer { line.end() }
                    return try await vault.finishRekeying { line.show(Self.work, $0, of: $1) }
                }
                return try await rekey(vault, keyPath: path)
            }
        } catch {
            throw refusal("\(error)")
        }
        guard let rekeying = result else {
            throw refusal(
                finish
                    ? "The vault \(settings.name) is not being re-keyed: there is nothing to finish."
                    : "The vault \(settings.name) does not exist yet: there is nothing to re-key."
            )
        }
        let report = RekeyingReport(ofShared: rekeying, newKeyFile: path)
        for error in report.errors { StandardError.print("paraph: \(error)") }
        StandardOutput.print(report.text)
        guard rekeying.isFinished else { throw ExitCode.badData }
    }

    /// Leaves no file behind of a key that nobody has any use for.
    private func rekey(_ vault: EtcdVault, keyPath: String) async throws(VaultError) -> VaultRekeying? {
        let isMade = try await BlockingWork.run { () throws(VaultError) in try VaultKey.load(path: keyPath) != nil }
        var line = ProgressLine()
        defer { line.end() }
        do throws(VaultError) {
            return try await vault.rekey(isMade: isMade) {
                line.show(Self.work, $0, of: $1)
            } to: { () async throws(VaultError) in
                try await BlockingWork.run { () throws(VaultError) in try VaultKey.loadOrCreate(path: keyPath) }
            }
        } catch {
            // Somebody else's re-key has begun in the moment after it was made.
            if !isMade, case .rekeyImpossible = error {
                try await BlockingWork.run { () throws(VaultError) in try VaultKey.remove(path: keyPath) }
            }
            throw error
        }
    }

    private func refusal(_ sentence: String) -> ExitCode {
        StandardError.print("paraph: \(sentence)")
        return .badData
    }
}
