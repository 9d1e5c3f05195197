import Testing

@testable import ForwardProxy

@Suite("A cache with a bound")
struct BoundedCacheTests {
    @Test("The keys that were used last are there, and never more than the limit", arguments: [2, 3, 8, 50])
    func holdsLatest(limit: Int) {
        var cache = BoundedCache<Int, Int>(limit: limit)
        var generator = Sequence(state: UInt64(limit))
        // The last one is at the end.
        var used: [Int] = []
        for step in 0..<500 {
            let key = generator.next(below: limit * 2)
            if let value = cache.value(for: key) {
                #expect(value == key * 7)
            } else {
                #expect(!used.suffix(limit / 2).contains(key), "step \(step)")
                cache.insert(key * 7, for: key)
            }
            used.removeAll { $0 == key }
            used.append(key)
            #expect(cache.count <= limit)
        }
    }

    @Test("A newer value takes the place of an older one, wherever that is")
    func replaces() {
        var cache = BoundedCache<String, Int>(limit: 4)
        cache.insert(1, for: "a")
        cache.insert(2, for: "a")
        #expect(cache.value(for: "a") == 2)
        cache.insert(0, for: "b")
        cache.insert(0, for: "c")
        // By now it is among the old.
        cache.insert(3, for: "a")
        #expect(cache.value(for: "a") == 3)
        #expect(cache.count == 3)
    }

    @Test("What is removed is gone, from both generations")
    func removes() {
        var cache = BoundedCache<Int, Int>(limit: 4)
        for key in 0..<3 { cache.insert(key, for: key) }
        #expect(cache.count == 3)
        for key in 0..<3 {
            cache.removeValue(for: key)
            #expect(cache.value(for: key) == nil)
        }
        for key in 0..<3 { cache.insert(key, for: key) }
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.value(for: 1) == nil)
    }

    /// Numbers that are the same in every run (a linear congruential generator).
    private struct Sequence {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }
}
