/// A cache that holds on to what was used lately: at least the last `limit / 2` different keys, never more than
/// `limit`.
///
/// Two generations instead of a list in the order of use: a look-up in the young one, the usual case, changes nothing.
struct BoundedCache<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let generationLimit: Int

    /// - Parameter limit: At least 2.
    init(limit: Int) {
        generationLimit = max(1, limit / 2)
    }

    var count: Int { young.count + old.count }

    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    mutating func insert(_ value: Value, for key: Key) {
        old.removeValue(forKey: key)
        if young.count >= generationLimit, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }

    mutating func removeValue(for key: Key) {
        young.removeValue(forKey: key)
        old.removeValue(forKey: key)
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
