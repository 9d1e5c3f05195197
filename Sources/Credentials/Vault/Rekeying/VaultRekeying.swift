/// The result of re-keying a vault.
package struct VaultRekeying: Sendable, Equatable {
    /// The number of files that were sealed under the new key, this time.
    package var resealedCount = 0
    /// One for each file that only the old key may ever open, but that could not be opened or read now. While there are
    /// any, both keys stay in use, and the re-key has to be run again.
    package var unfinished: [VaultError] = []
    /// One for each file that neither key opens. They are left as they are.
    package var foreign: [VaultError] = []

    package init() {}

    package var isFinished: Bool { unfinished.isEmpty }
}
