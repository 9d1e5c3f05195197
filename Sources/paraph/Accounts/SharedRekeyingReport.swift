import Credentials

/// The report on a step of re-keying a vault that several proxies share, and what is left to be done by a person.
struct SharedRekeyingReport {
    let rekeying: VaultRekeying
    /// The file of the new key, an absolute path; nil: the re-key was to be finished.
    let newKeyFile: String?

    var errors: [VaultError] { rekeying.unfinished + rekeying.foreign }

    var text: String {
        let count = rekeying.resealedCount
        var sentences = ["Sealed \(count) credential\(count == 1 ? "" : "s") under the new key."]
        guard rekeying.isFinished else {
            sentences.append("Not all: both keys are kept. Correct the above and run the command again.")
            return sentences.joined(separator: " ")
        }
        if let newKeyFile {
            sentences.append(
                "The new key is in \(newKeyFile). Give it to every proxy, as vault.key in the configuration, and then run "
                    + "paraph accounts rekey --finish with it: until then the old key opens the vault, too."
            )
        } else {
            sentences.append("The old key is of no use any more.")
        }
        return sentences.joined(separator: " ")
    }
}
