import Bytes
import Credentials
import Crypto

/// The keys of what a vault keeps in etcd. They tell nothing about the names of APIs and accounts to whom does not have
/// the key of names.
///
///     PREFIX names                the key of names, sealed under the vault key
///     PREFIX authority            the local CA that replicas share
///     PREFIX credentials/DIGEST   a credential, a ``SealedRecord``
///     PREFIX clocks/DIGEST        what replicas tell each other of the clock of an API's provider, a ``SealedRecord``
///     PREFIX exchanges/DIGEST     the turn at exchanging a token for it: who has it, and the number of the lease
///     PREFIX keys/next            while the vault is re-keyed: the new key, sealed under the old one
///     PREFIX keys/earlier         while the vault is re-keyed: the old key, sealed under the new one
///     PREFIX restored             after etcd was restored from a backup: the revision up to which its records may be
///     of
///                                 that, and a number; not sealed
///
/// DIGEST is HMAC-SHA256 of the names, or of an API's name, under the key of names, in lowercase hexadecimal: 64
/// characters.
struct RecordKeys: Sendable {
    /// A prefix of all keys, in the form in which the configuration has it.
    let prefix: String
    private let nameKey: SymmetricKey

    init(prefix: String, nameKey: SymmetricKey) {
        self.prefix = prefix
        self.nameKey = nameKey
    }

    /// The key under which the key of names is kept.
    static func names(prefix: String) -> String { prefix + "names" }

    /// The key under which the local CA is kept that replicas share.
    static func authority(prefix: String) -> String { prefix + "authority" }

    /// The prefix of the keys of all credentials.
    static func credentials(prefix: String) -> String { prefix + "credentials/" }

    /// The prefix of the keys of all clocks.
    static func clocks(prefix: String) -> String { prefix + "clocks/" }

    /// The prefix of the keys of all turns.
    static func exchanges(prefix: String) -> String { prefix + "exchanges/" }

    /// The prefix of the keys of the two records that a re-key leaves.
    static func sealingKeys(prefix: String) -> String { prefix + "keys/" }

    /// The key under which the new key is kept.
    static func nextSealingKey(prefix: String) -> String { sealingKeys(prefix: prefix) + "next" }

    /// The key under which the old key is kept.
    static func earlierSealingKey(prefix: String) -> String { sealingKeys(prefix: prefix) + "earlier" }

    /// The key under which it is noted that etcd was restored from a backup.
    static func restoration(prefix: String) -> String { prefix + "restored" }

    /// Keys, and prefixes of keys, of all that is sealed.
    static func sealed(prefix: String) -> [String] {
        [names(prefix: prefix), authority(prefix: prefix), credentials(prefix: prefix), clocks(prefix: prefix)]
            + [nextSealingKey(prefix: prefix), earlierSealingKey(prefix: prefix)]
    }

    /// The key of a credential.
    func credential(_ name: CredentialName) -> String { Self.credentials(prefix: prefix) + digest(name) }

    /// The key of the turn at exchanging a token for an account.
    func exchange(_ name: CredentialName) -> String { Self.exchanges(prefix: prefix) + digest(name) }

    /// The key of the clock of an API's provider.
    func clock(ofAPI api: String) -> String {
        // No name is that long: the text is none of a credential's.
        Self.clocks(prefix: prefix) + digest(Array(repeating: .max, count: 4) + Array(api.utf8))
    }

    private func digest(_ name: CredentialName) -> String {
        var text: [UInt8] = []
        // The first name's length, so that no two pairs of names have the same text.
        let api = Array(name.api.utf8)
        for shift in [24, 16, 8, 0] { text.append(UInt8(truncatingIfNeeded: UInt32(api.count) >> shift)) }
        text += api
        text.append(contentsOf: name.account.utf8)
        return digest(text)
    }

    private func digest(_ text: [UInt8]) -> String {
        Hexadecimal.encode(Array(HMAC<SHA256>.authenticationCode(for: text, using: nameKey)))
    }
}
