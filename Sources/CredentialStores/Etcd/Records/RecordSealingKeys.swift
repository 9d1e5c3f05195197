import Crypto

/// The keys that records may be sealed under at present.
struct RecordSealingKeys: Sendable {
    /// The key to seal under.
    let sealing: RecordSealingKey
    /// The key that records may still be sealed under from before; nil: there are none.
    let earlier: RecordSealingKey?

    init(_ sealing: RecordSealingKey, earlier: RecordSealingKey? = nil) {
        self.sealing = sealing
        self.earlier = earlier
    }

    func key(_ identifier: [UInt8]) -> SymmetricKey? {
        if sealing.identifier == identifier { return sealing.key }
        return earlier.flatMap { $0.identifier == identifier ? $0.key : nil }
    }
}
