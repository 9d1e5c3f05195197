import Testing

@testable import ForwardProxy

@Suite("A cache with a slot for each key")
struct SlotCacheTests {
    @Test("What was put in last for a key is found, until it is removed")
    func values() {
        var cache = SlotCache<String, Int>(count: 64)
        #expect(cache.value(for: "a") == nil)
        cache.insert(1, for: "a")
        cache.insert(2, for: "a")
        #expect(cache.value(for: "a") == 2)
        cache.removeValue(for: "a")
        #expect(cache.value(for: "a") == nil)
        cache.insert(3, for: "a")
        cache.removeAll()
        #expect(cache.value(for: "a") == nil)
    }

    @Test("The last one to come has the slot, and nobody else is found in it or removed from it")
    func collision() {
        var cache = SlotCache<Int, Int>(count: 1)
        cache.insert(1, for: 1)
        cache.insert(2, for: 2)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.value(for: 2) == 2)
        cache.removeValue(for: 1)
        #expect(cache.value(for: 2) == 2)
    }

    @Test("Many keys: each is found with its own value or not at all")
    func many() {
        var cache = SlotCache<Int, Int>(count: 100)
        for key in 0..<1_000 { cache.insert(-key, for: key) }
        let found = (0..<1_000).filter { cache.value(for: $0) != nil }
        #expect((1...100).contains(found.count))
        #expect(found.allSatisfy { cache.value(for: $0) == -$0 })
    }
}
