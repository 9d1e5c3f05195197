import Foundation
import LocalAuthority
import Testing
import UpstreamTrust

@Suite struct LeafCacheTests {
    private let now = Date(timeIntervalSince1970: 1_780_000_000)

    private func name(_ number: Int) -> ServerName { .dns("h\(number).example") }

    @Test func anEntryIsThereForHalfOfWhatWasLeftOfItsLife() {
        var cache = LeafCache<Int>(capacity: 4)
        cache.insert(1, for: self.name(1), notAfter: self.now.addingTimeInterval(100), now: self.now)
        #expect(cache.payload(for: self.name(1), now: self.now) == 1)
        #expect(cache.payload(for: self.name(1), now: self.now.addingTimeInterval(49)) == 1)
        #expect(cache.payload(for: self.name(1), now: self.now.addingTimeInterval(50)) == nil)
        #expect(cache.payload(for: self.name(2), now: self.now) == nil)
    }

    @Test func anEntryThatIsNoLongerValidIsNotGivenOut() {
        var cache = LeafCache<Int>(capacity: 4)
        cache.insert(1, for: self.name(1), notAfter: self.now.addingTimeInterval(-1), now: self.now)
        #expect(cache.payload(for: self.name(1), now: self.now) == nil)
    }

    @Test func aNewEntryForAHostTakesThePlaceOfTheOld() {
        var cache = LeafCache<Int>(capacity: 4)
        let end = self.now.addingTimeInterval(100)
        cache.insert(1, for: self.name(1), notAfter: end, now: self.now)
        cache.insert(2, for: self.name(1), notAfter: end, now: self.now)
        #expect(cache.count == 1)
        #expect(cache.payload(for: self.name(1), now: self.now) == 2)
    }

    @Test func addressesAndNamesAreDifferentHosts() {
        var cache = LeafCache<Int>(capacity: 4)
        let end = self.now.addingTimeInterval(100)
        cache.insert(1, for: .ip([127, 0, 0, 1]), notAfter: end, now: self.now)
        cache.insert(2, for: .dns("127.0.0.1"), notAfter: end, now: self.now)
        #expect(cache.payload(for: .ip([127, 0, 0, 1]), now: self.now) == 1)
    }

    @Test(arguments: [-1, 0, 1, 2, 7])
    func thereAreNeverMoreThanItsCapacity(_ capacity: Int) {
        var cache = LeafCache<Int>(capacity: capacity)
        let end = self.now.addingTimeInterval(100)
        for number in 0..<100 {
            cache.insert(number, for: self.name(number), notAfter: end, now: self.now)
            #expect(cache.payload(for: self.name(number), now: self.now) == number)
            #expect(cache.count <= max(1, capacity))
        }
        let kept = (0..<100).count { cache.payload(for: self.name($0), now: self.now) != nil }
        #expect(kept == max(1, capacity))
    }

    @Test func aHostInUseKeepsItsPlace() {
        var cache = LeafCache<Int>(capacity: 8)
        let end = self.now.addingTimeInterval(100)
        cache.insert(0, for: self.name(0), notAfter: end, now: self.now)
        for number in 1..<500 {
            #expect(cache.payload(for: self.name(0), now: self.now) == 0)
            cache.insert(number, for: self.name(number), notAfter: end, now: self.now)
        }
    }

    @Test func anExpiredEntryIsReplacedThoughItWasUsed() {
        var cache = LeafCache<Int>(capacity: 2)
        cache.insert(1, for: self.name(1), notAfter: self.now.addingTimeInterval(10), now: self.now)
        cache.insert(2, for: self.name(2), notAfter: self.now.addingTimeInterval(1000), now: self.now)
        #expect(cache.payload(for: self.name(1), now: self.now) == 1)
        #expect(cache.payload(for: self.name(2), now: self.now) == 2)
        let later = self.now.addingTimeInterval(20)
        cache.insert(3, for: self.name(3), notAfter: later.addingTimeInterval(1000), now: later)
        #expect(cache.payload(for: self.name(2), now: later) == 2)
        #expect(cache.payload(for: self.name(3), now: later) == 3)
    }
}
