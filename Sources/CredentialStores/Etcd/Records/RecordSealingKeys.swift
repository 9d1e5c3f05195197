import Credentials
import Crypto

/// The keys that records may be sealed under at present.
struct RecordSealingKeys: Sendable {
    private static let use = "record sealing"

    /// The key to seal under.
    let sealing: (identifier: [UInt8], key: SymmetricKey)
    private let earlier: [(identifier: [UInt8], key: SymmetricKey)]

    /// - Parameters:
    ///   - sealing: The key to seal under.
    ///   - earlier: Keys that some records may still be sealed under.
    init(_ sealing: VaultKey, earlier: [VaultKey] = []) {
        self.sealing = (sealing.identifier, sealing.derivedKey(for: Self.use))
        self.earlier = earlier.map { ($0.identifier, $0.derivedKey(for: Self.use)) }
    }

    func key(_ identifier: [UInt8]) -> SymmetricKey? {
        ([sealing] + earlier).first { $0.identifier == identifier }?.key
    }
}
