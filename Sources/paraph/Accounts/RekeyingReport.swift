import Credentials

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
