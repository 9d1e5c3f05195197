import Credentials
import Crypto
import FoundationEssentials

/// A key that records are sealed under, derived from a vault key. While a vault is re-keyed it is the contents of a
/// record itself: its identifier (8 bytes) and the key of AES-256-GCM (32). The vault key does not follow from it.
struct RecordSealingKey: Sendable {
    private static let use = "record sealing"
    private static let identifierCount = 8
    private static let keyCount = 32

    /// The vault key's.
    let identifier: [UInt8]
    let key: SymmetricKey

    init(_ vaultKey: VaultKey) {
        identifier = vaultKey.identifier
        key = vaultKey.derivedKey(for: Self.use)
    }

    /// Splits the identifier and the key; nil when the bytes are of another length.
    init?(contents: Data) {
        guard contents.count == Self.identifierCount + Self.keyCount else { return nil }
        identifier = Array(contents.prefix(Self.identifierCount))
        key = SymmetricKey(data: contents.dropFirst(Self.identifierCount))
    }

    /// The caller wipes them.
    var contents: Data {
        // Room for all of it at once: growing would leave copies of the key behind.
        var contents = Data(capacity: Self.identifierCount + Self.keyCount)
        contents.append(contentsOf: identifier)
        key.withUnsafeBytes { contents.append(contentsOf: $0) }
        return contents
    }
}
