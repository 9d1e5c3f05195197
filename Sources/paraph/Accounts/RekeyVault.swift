import ArgumentParser
import Credentials
import Files
import ParaphConfiguration

/// Changes the vault's key.
struct RekeyVault: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Seal every credential under a new vault key.",
        discussion: """
            A vault.key that is a file gets the new key. Otherwise --new-key-file names the file for it (made when it \
            does not exist), which the configuration has to name afterwards. A proxy that runs goes on, and follows. \
            Broken off at any moment, nothing is lost: run the command again to finish it.

            Exits with 65 when a credential cannot be opened; both keys are then kept.
            """
    )

    @Option(
        help: ArgumentHelp("Where the new key goes, when the configuration has the key itself.", valueName: "file"),
        completion: .file()
    )
    var newKeyFile: String?

    @OptionGroup
    var option: ConfigurationOption

    func run() throws {
        ProcessHardening.apply()
        let configuration = try option.load()
        guard case .directory(let directory, let key) = configuration.vault else {
            throw refusal(
                "accounts rekey re-seals a vault in a directory; what is in etcd stays sealed under the key that it was "
                    + "sealed under."
            )
        }
        let found: RekeyingReport?
        do throws(VaultError) {
            found = try rekey(directory, key)
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
    private func rekey(_ directory: String, _ key: VaultKeySource) throws(VaultError) -> RekeyingReport? {
        guard let vault = try Vault(existingDirectory: directory, key: key) else { return nil }
        let path = newKeyFile.map { Directory.absolutePath(of: $0) }
        return RekeyingReport(rekeying: try vault.rekey(newKeyFile: path), key: key, newKeyFile: path)
    }

    private func refusal(_ sentence: String) -> ExitCode {
        StandardError.print("paraph: \(sentence)")
        return .badData
    }
}

/// The report on a re-key, and what is left to be done by a person.
struct RekeyingReport {
    let rekeying: VaultRekeying
    let key: VaultKeySource
    /// An absolute path: relative ones are the configuration's folder's in a configuration.
    let newKeyFile: String?

    var errors: [VaultError] { rekeying.unfinished + rekeying.foreign }

    var text: String {
        let count = rekeying.resealedCount
        var sentences = ["Sealed \(count) credential\(count == 1 ? "" : "s") under the new key."]
        guard rekeying.isFinished else {
            sentences.append("Not all: both keys are kept. Mend the above and run the command again.")
            return sentences.joined(separator: " ")
        }
        switch (key, newKeyFile) {
        case (.file(let path), _): sentences.append("The new key is in \(path); the old one is of no use any more.")
        case (.value, let path?):
            sentences.append(
                "The new key is in \(path). Name it in the configuration, in place of the old key: "
                    + "vault: {key: {file: \(path)}}."
            )
        case (.value, nil): break
        }
        return sentences.joined(separator: " ")
    }
}
