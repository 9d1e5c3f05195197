/// Nonces that were used, for as long as their timestamps would be accepted again (RFC 5849, section 3.3).
struct NonceHistory: Sendable {
    struct Nonce: Hashable, Sendable {
        let value: String
        let consumerKey: String
        let token: String?
    }

    private var nonces: [UInt64: Set<Nonce>] = [:]

    /// False when it was used before with this timestamp.
    mutating func insert(_ nonce: Nonce, timestamp: UInt64) -> Bool {
        nonces[timestamp, default: []].insert(nonce).inserted
    }

    mutating func forget(before timestamp: UInt64) {
        nonces = nonces.filter { $0.key >= timestamp }
    }
}
