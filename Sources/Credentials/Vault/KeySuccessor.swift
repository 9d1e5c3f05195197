import Bytes
import Crypto
import FoundationEssentials

/// A note in the vault for those who were configured with a key itself rather than a file of it: that the vault's key
/// is now in this file. So a process that runs with the old key follows a re-key, and one that is started with it goes
/// on.
///
/// It is sealed under the old key: nobody without it can send a process to a key of their own.
struct KeySuccessor {
    private static let authenticated = Array("paraph vault key successor 1".utf8)
    static let limit = 8_192

    /// Of the new key's file; absolute.
    let path: String

    /// The note's name in the vault's directory. Each key has its own.
    static func fileName(for key: VaultKey) -> String {
        ".successor-" + Hexadecimal.encode(key.identifier)
    }

    init(path: String) {
        self.path = path
    }

    /// Nil when they are no note that was sealed under the key.
    init?(_ bytes: Data, under key: VaultKey) {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let plaintext = try? AES.GCM.open(box, using: key.sealingKey, authenticating: Self.authenticated),
            let path = String(validating: plaintext, as: UTF8.self)
        else { return nil }
        self.path = path
    }

    /// Nil never but in theory: AES-GCM refuses only keys and nonces of another length than these.
    func sealed(under key: VaultKey) -> Data? {
        try? AES.GCM.seal(Data(path.utf8), using: key.sealingKey, authenticating: Self.authenticated).combined
    }
}
