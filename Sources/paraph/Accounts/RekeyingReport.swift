import Credentials

/// The report on a re-key, and what is left to be done by a person.
struct RekeyingReport {
    let rekeying: VaultRekeying
    /// The fate of both keys once every credential is sealed under the new one.
    private let keys: String?

    /// Reports on a vault in a directory.
    ///
    /// - Parameter newKeyFile: An absolute path: relative ones are the configuration's folder's in a configuration.
    init(rekeying: VaultRekeying, key: VaultKeySource, newKeyFile: String?) {
        self.rekeying = rekeying
        keys =
            switch (key, newKeyFile) {
            case (.file(let path), _): "The new key is in \(path); the old one is of no use any more."
            case (.value, let path?):
                "The new key is in \(path). Name it in the configuration, in place of the old key: "
                    + "vault: {key: {file: \(path)}}."
            case (.value, nil): nil
            }
    }

    /// Reports on a step of re-keying a vault that several proxies share.
    ///
    /// - Parameter newKeyFile: The file of the new key, an absolute path; nil: the re-key was to be finished.
    init(ofShared rekeying: VaultRekeying, newKeyFile: String?) {
        self.rekeying = rekeying
        keys =
            if let newKeyFile {
                "The new key is in \(newKeyFile). Give it to every proxy, as vault.key in the configuration, and then run "
                    + "paraph accounts rekey --finish with it: until then the old key opens the vault, too."
            } else {
                "The old key is of no use any more."
            }
    }

    var errors: [VaultError] { rekeying.unfinished + rekeying.foreign }

    var text: String {
        let count = rekeying.resealedCount
        let sealed = "Sealed \(count) credential\(count == 1 ? "" : "s") under the new key."
        let rest =
            rekeying.isFinished
            ? keys : "Not all: both keys are kept. Correct the above and run the command again."
        return [sealed, rest].compactMap(\.self).joined(separator: " ")
    }
}
