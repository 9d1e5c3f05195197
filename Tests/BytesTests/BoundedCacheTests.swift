import Bytes
import Testing

@Suite("A cache with a bound and expiry")
struct BoundedCacheTests {
    @Test("It does as a list in the order of use would, whatever is done with it", arguments: [1, 2, 3, 8, 50])
    func holdsLatest(limit: Int) {
        var cache = BoundedCache<Int, Int, Int>(limit: limit)
        var model = Model(limit: limit)
        var generator = Sequence(state: UInt64(limit))
        for step in 0..<3000 {
            // Some steps are at the same time.
            let now = step / 2
            let key = generator.next(below: limit * 2)
            switch generator.next(below: 8) {
            case 0:
                cache.removeValue(for: key)
                model.entries.removeAll { $0.key == key }
            case 1:
                cache.replaceValue(-step, for: key)
                model.replace(-step, for: key)
            case 2, 3:
                #expect(cache.peek(key, at: now) == model.peek(key, at: now), "step \(step)")
            case 4, 5:
                #expect(cache.value(for: key, at: now) == model.value(for: key, at: now), "step \(step)")
            default:
                let deadline = now + 1 + generator.next(below: limit * 3)
                cache.insert(step, for: key, until: deadline, at: now)
                model.insert(step, for: key, until: deadline, at: now)
            }
            #expect(cache.count == model.entries.count)
            #expect(cache.isEmpty == model.entries.isEmpty)
        }
    }

    @Test("A value counts until its deadline, and not at it")
    func expires() {
        var cache = BoundedCache<String, Int, Int>(limit: 4)
        cache.insert(1, for: "a", until: 10, at: 0)
        #expect(cache.peek("a", at: 9) == 1)
        #expect(cache.value(for: "a", at: 9) == 1)
        #expect(cache.peek("a", at: 10) == nil)
        #expect(cache.count == 1)
        #expect(cache.value(for: "a", at: 10) == nil)
        #expect(cache.isEmpty)
        #expect(cache.value(for: "a", at: 9) == nil)
    }

    @Test("What has expired makes room before the oldest does")
    func makesRoom() {
        var cache = BoundedCache<Int, Int, Int>(limit: 3)
        for key in 0..<3 { cache.insert(key, for: key, until: key < 2 ? 5 : 20, at: 0) }
        let before = cache.isFull(at: 4)
        #expect(before)
        let after = cache.isFull(at: 5)
        #expect(!after)
        #expect(cache.count == 1)
        for key in 3..<6 { cache.insert(key, for: key, until: 20, at: 5) }
        #expect((2..<6).filter { cache.peek($0, at: 6) != nil } == [3, 4, 5])
    }

    @Test("A peek is no use, a look-up is one")
    func peeks() {
        var cache = BoundedCache<Int, Int, Int>(limit: 2)
        cache.insert(0, for: 0, until: 9, at: 0)
        cache.insert(1, for: 1, until: 9, at: 0)
        #expect(cache.peek(0, at: 1) == 0)
        cache.insert(2, for: 2, until: 9, at: 1)
        #expect(cache.peek(0, at: 1) == nil)
        #expect(cache.value(for: 1, at: 1) == 1)
        cache.insert(3, for: 3, until: 9, at: 1)
        #expect(cache.peek(1, at: 1) == 1)
        #expect(cache.peek(2, at: 1) == nil)
    }

    @Test("Where nothing expires, the values that were used last stay")
    func holdsWithoutExpiry() {
        var cache = BoundedCache<Int, Int, Never>(limit: 3)
        for key in 0..<3 { cache.insert(key, for: key) }
        #expect(cache.value(for: 0) == 0)
        cache.insert(3, for: 3)
        #expect(cache.value(for: 1) == nil)
        #expect([0, 2, 3].map { cache.value(for: $0) } == [0, 2, 3])
        cache.insert(7, for: 2)
        #expect(cache.value(for: 2) == 7)
        #expect(cache.count == 3)
        cache.removeAll()
        #expect(cache.isEmpty)
        #expect(cache.value(for: 2) == nil)
        cache.insert(1, for: 2)
        #expect(cache.value(for: 2) == 1)
    }

    /// The same in a list, which is walked along.
    private struct Model {
        let limit: Int
        /// The one that was used last is at the end.
        var entries: [(key: Int, value: Int, deadline: Int)] = []

        func peek(_ key: Int, at now: Int) -> Int? {
            entries.first { $0.key == key && $0.deadline > now }?.value
        }

        mutating func value(for key: Int, at now: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            guard entry.deadline > now else { return nil }
            entries.append(entry)
            return entry.value
        }

        mutating func replace(_ value: Int, for key: Int) {
            if let index = entries.firstIndex(where: { $0.key == key }) { entries[index].value = value }
        }

        mutating func insert(_ value: Int, for key: Int, until deadline: Int, at now: Int) {
            while let first = entries.first, first.deadline <= now { entries.removeFirst() }
            entries.removeAll { $0.key == key }
            if entries.count == limit { entries.removeFirst() }
            entries.append((key, value, deadline))
        }
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
