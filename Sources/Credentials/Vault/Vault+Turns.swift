import Crypto
package import Files
import SystemPackage

// MARK: - Turns at exchanging

extension Vault {
    /// The file that has the locks, and no contents.
    private static let turnsFile = ".exchanges"

    /// Returns a lock that one process at a time has for an account; nil: somebody else has it.
    package func turn(of name: CredentialName) throws(VaultError) -> NumberLock? {
        let directory = try open()
        var number: Int64 = 0
        // 62 bits: two accounts that have the same wait for each other, and that is all.
        for byte in SHA256.hash(data: Array(Self.fileName(of: name).utf8)).prefix(8) {
            number = (number << 8 | Int64(byte)) & (.max >> 1)
        }
        do throws(Errno) {
            return try NumberLock(number, of: Self.turnsFile, in: directory)
        } catch {
            throw .fileUnwritable(path: path(of: Self.turnsFile), reason: error.reason)
        }
    }
}
