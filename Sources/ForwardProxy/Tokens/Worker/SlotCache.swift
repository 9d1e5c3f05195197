/// A cache of few values that costs little to fill, and as much whether what is asked for is in it or not: each key has
/// one slot, and takes it from whoever had it.
struct SlotCache<Key: Hashable, Value> {
    private var slots: [(key: Key, value: Value)?]

    /// - Parameter count: The number of slots, at least 1.
    init(count: Int) {
        slots = Array(repeating: nil, count: max(1, count))
    }

    func value(for key: Key) -> Value? {
        guard let slot = slots[index(of: key)], slot.key == key else { return nil }
        return slot.value
    }

    mutating func insert(_ value: Value, for key: Key) {
        slots[index(of: key)] = (key, value)
    }

    mutating func removeValue(for key: Key) {
        let index = index(of: key)
        if slots[index]?.key == key { slots[index] = nil }
    }

    mutating func removeAll() {
        for index in slots.indices { slots[index] = nil }
    }

    private func index(of key: Key) -> Int {
        Int(UInt(bitPattern: key.hashValue) % UInt(slots.count))
    }
}
