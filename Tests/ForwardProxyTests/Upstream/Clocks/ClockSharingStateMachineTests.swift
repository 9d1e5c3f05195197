import Credentials
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("Replicas tell each other the time of a provider", .timed)
struct ClockSharingStateMachineTests {
    private var clock = RecordedClock()
    private var one = SharingReplica()
    /// An hour ahead.
    private var other = SharingReplica(wrongBy: 3600)

    private func time(_ time: Int64, question: Int64? = nil, _ announcement: Int64? = nil) -> SharedClockRecord {
        SharedClockRecord(.time(time, question: question), following: announcement)
    }

    private func question(_ announcement: Int64) -> SharedClockRecord {
        SharedClockRecord(.question, following: announcement)
    }

    @Test("Where nobody has learnt anything, nothing is written")
    mutating func nothing() {
        #expect(one.settle(&clock, at: 1_000) == [])
        #expect(other.settle(&clock, at: 1_000) == [])
        #expect(clock.record == nil)
    }

    @Test("One announces what it has learnt, another asks, the first answers, and the other goes by its own clock")
    mutating func shares() {
        one.learn(ahead: 400)
        #expect(one.settle(&clock, at: 1_000) == [.write(time(1_400))])
        // However late it is seen: nothing is taken that was not asked for.
        #expect(other.settle(&clock, at: 5_000) == [.write(question(11))])
        #expect(one.settle(&clock, at: 5_001) == [.answer(time(5_401, question: 12, 11))])
        #expect(other.settle(&clock, at: 5_001) == [.take(offset: -3_200)])
        #expect(clock.writes == 3)
        // The other one knows it as well as the first.
        var third = SharingReplica(wrongBy: -600)
        #expect(third.settle(&clock, at: 9_000) == [.write(question(11))])
        #expect(other.settle(&clock, at: 9_000) == [.answer(time(9_400, question: 14, 11))])
        #expect(one.settle(&clock, at: 9_000) == [])
        #expect(third.settle(&clock, at: 9_000) == [.take(offset: 1_000)])
    }

    @Test("What the provider may still refuse is not announced, though nobody has announced anything")
    mutating func suspects() {
        one.suspect(ahead: 400)
        #expect(one.settle(&clock, at: 1_000) == [])
        one.unlearn()
        #expect(one.settle(&clock, at: 1_000) == [])
        #expect(clock.record == nil)
        one.learn(ahead: 700)
        #expect(one.settle(&clock, at: 1_001) == [.write(time(1_701))])
    }

    @Test("An answer that is seen too late is not taken: it is asked again, and not for ever")
    mutating func late() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        for round in 0..<5 {
            // It had stood still since it asked.
            #expect(other.settle(&clock, at: 2_000 + 3 * Int64(round)) == [.write(question(11))])
            one.settle(&clock, at: 2_000 + 3 * Int64(round))
        }
        #expect(other.settle(&clock, at: 2_015) == [])
        #expect(other.offset == nil)
        // Until something else is announced.
        one.learn(ahead: 500)
        one.settle(&clock, at: 3_000)
        #expect(other.settle(&clock, at: 3_000).count == 1)
        one.settle(&clock, at: 3_001)
        #expect(other.settle(&clock, at: 3_002) == [.take(offset: -3_101)])
    }

    @Test("The time in an answer is no older than the wait, however long its writer had stood still")
    mutating func stale() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        let reading = clock.read()
        let answer = one.decide(reading, at: 1_000)
        // The third reads a question of which it does not know how long it has been there, and replaces it.
        var third = SharingReplica()
        let later = clock.read()
        #expect(third.decide(later, at: 8_000) == .write(question(11)))
        // The first wakes up.
        var slow = clock
        #expect(one.write(answer, inPlaceOf: reading, to: &slow, at: 8_000))
        #expect(third.settle(&slow, at: 8_000) == [.write(question(11))])
        #expect(third.offset == nil)
        // An answer after that is no answer to anything.
        third = SharingReplica()
        third.settle(&clock, at: 8_000)
        #expect(!one.write(answer, inPlaceOf: reading, to: &clock, at: 8_000))
        one.settle(&clock, at: 8_000)
        #expect(third.settle(&clock, at: 8_000) == [.take(offset: 400)])
    }

    @Test("A replica that finds a question younger than its own wait waits for the same answer")
    mutating func joins() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        let reading = clock.read()
        var third = SharingReplica(wrongBy: 10)
        let action = other.decide(reading, at: 1_001)
        #expect(action == .write(question(11)))
        #expect(third.decide(reading, at: 1_001) == action)
        #expect(third.write(action, inPlaceOf: reading, to: &clock, at: 1_001))
        #expect(!other.write(action, inPlaceOf: reading, to: &clock, at: 1_001))
        #expect(other.settle(&clock, at: 1_001) == [])
        one.settle(&clock, at: 1_002)
        #expect(other.settle(&clock, at: 1_002) == [.take(offset: -3_200)])
        #expect(third.settle(&clock, at: 1_002) == [.take(offset: 390)])
    }

    @Test("A replica with an earlier announcement does not answer, and takes what was learnt later")
    mutating func newer() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        #expect(other.offset == -3_200)
        // The provider's clock was set right.
        other.learn(ahead: 0)
        #expect(other.settle(&clock, at: 2_000) == [.write(time(2_000))])
        var third = SharingReplica()
        third.settle(&clock, at: 2_000)
        #expect(one.settle(&clock, at: 2_000) == [.write(question(14))])
        #expect(third.settle(&clock, at: 2_000) == [])
        other.settle(&clock, at: 2_001)
        #expect(one.settle(&clock, at: 2_001) == [.take(offset: 0)])
        #expect(third.settle(&clock, at: 2_001) == [])
        // A clock that is right answers as well.
        var fourth = SharingReplica(wrongBy: 50)
        fourth.settle(&clock, at: 2_002)
        #expect(third.settle(&clock, at: 2_002) == [.answer(time(2_002, question: 18, 14))])
        #expect(fourth.settle(&clock, at: 2_002) == [.take(offset: -50)])
    }

    @Test("What differs by no more than a request takes is not taken", arguments: [-2, 0, 2] as [Int64])
    mutating func agreeing(difference: Int64) {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.learn(ahead: 400 + difference)
        // It is not announced when somebody else just has.
        #expect(other.settle(&clock, at: 1_000) == [])
        var third = SharingReplica()
        third.settle(&clock, at: 1_000)
        #expect(other.settle(&clock, at: 1_000) == [.answer(time(1_400 + difference, question: 12, 11))])
    }

    @Test("An announcement that finds a question answers it")
    mutating func answersAtOnce() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        var third = SharingReplica()
        third.settle(&clock, at: 1_000)
        other.learn(ahead: 500)
        #expect(other.settle(&clock, at: 1_000) == [.write(time(1_500, question: 12))])
        #expect(third.settle(&clock, at: 1_001) == [.take(offset: 499)])
    }

    @Test("What the provider refuses in the end is taken back, by those alone who had it from others")
    mutating func retracts() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        var third = SharingReplica()
        third.learn(ahead: 400)
        third.settle(&clock, at: 1_000)
        one.unlearn()
        #expect(one.settle(&clock, at: 1_001) == [.write(SharedClockRecord(.retraction))])
        #expect(other.settle(&clock, at: 1_001) == [.drop(offset: -3_200, before: 0)])
        #expect(third.settle(&clock, at: 1_001) == [])
        #expect(third.offset == 400)
        var fourth = SharingReplica()
        #expect(fourth.settle(&clock, at: 1_002) == [])
    }

    @Test("A replica that has learnt of the provider itself since takes nothing back")
    mutating func keeps() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        other.learn(ahead: 900)
        other.settle(&clock, at: 2_000)
        one.learn(ahead: -400)
        one.settle(&clock, at: 2_000)
        one.unlearn()
        #expect(one.settle(&clock, at: 2_000) == [.write(SharedClockRecord(.retraction))])
        #expect(other.settle(&clock, at: 2_000) == [])
        #expect(other.offset == 900 - 3_600)
    }

    @Test("The time that it had before is told where there was one")
    mutating func tellsEarlier() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        one.learn(ahead: -900)
        one.settle(&clock, at: 2_000)
        other.settle(&clock, at: 2_000)
        one.unlearn(to: 400)
        #expect(one.settle(&clock, at: 2_000) == [.write(time(2_400, question: 15))])
        #expect(other.settle(&clock, at: 2_000) == [])
        #expect(other.offset == -3_200)
    }

    @Test("What was learnt and forgotten before it could be announced is not told; while it was, it is taken back")
    mutating func forgotten() {
        one.learn(ahead: 400)
        one.unlearn()
        #expect(one.settle(&clock, at: 1_000) == [])
        one.learn(ahead: 500)
        let reading = clock.read()
        let action = one.decide(reading, at: 1_000)
        one.unlearn()
        #expect(one.write(action, inPlaceOf: reading, to: &clock, at: 1_000))
        #expect(one.settle(&clock, at: 1_000) == [.write(SharedClockRecord(.retraction))])
        // What was learnt meanwhile is told.
        one.learn(ahead: 600)
        let retraction = clock.read()
        let announcement = one.decide(retraction, at: 1_001)
        one.learn(ahead: 700)
        #expect(one.write(announcement, inPlaceOf: retraction, to: &clock, at: 1_001))
        #expect(one.settle(&clock, at: 1_100) == [.write(time(1_800))])
    }

    @Test("Another's announcement is not taken back")
    mutating func others() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.learn(ahead: 900)
        other.settle(&clock, at: 1_000)
        one.unlearn()
        #expect(one.settle(&clock, at: 1_000) == [.write(question(12))])
    }

    @Test("An offset that the provider has refused here is not asked for again")
    mutating func refused() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        other.settle(&clock, at: 1_000)
        one.settle(&clock, at: 1_000)
        #expect(other.decide(clock.read(), at: 1_000) == .take(offset: -3_200))
        other.refuse()
        #expect(other.settle(&clock, at: 1_000) == [])
        // It does not answer either, for it has another idea of the time.
        var third = SharingReplica()
        third.settle(&clock, at: 1_001)
        #expect(other.settle(&clock, at: 1_001) == [])
    }

    @Test("A record that was removed, or another store's, gets what is known; one that is there is followed")
    mutating func otherStore() {
        one.learn(ahead: 400)
        one.settle(&clock, at: 1_000)
        clock.remove()
        #expect(one.settle(&clock, at: 2_000) == [.write(time(2_400))])
        var another = RecordedClock()
        one.storeChanged()
        #expect(one.settle(&another, at: 3_000) == [.write(time(3_400))])
        // Its revisions are its own: the one that is followed may be another announcement's there.
        clock = RecordedClock()
        other.learn(ahead: 900)
        other.settle(&clock, at: 4_000)
        #expect(clock.revision == another.revision)
        other.storeChanged()
        #expect(other.settle(&another, at: 4_000) == [.write(question(11))])
        one.settle(&another, at: 4_000)
        #expect(other.settle(&another, at: 4_000) == [.take(offset: -3_200)])
    }

    @Test("A provider that refuses for ever is announced now and then")
    mutating func flapping() {
        for ahead in [400, 900, 400] {
            one.learn(ahead: Int64(ahead))
            #expect(one.settle(&clock, at: 1_000).count == 1)
        }
        one.learn(ahead: 900)
        #expect(one.settle(&clock, at: 1_005) == [.restUntil(SharingReplica.instant(1_015))])
        #expect(one.settle(&clock, at: 1_016) == [.write(time(1_916))])
    }

    @Test("A hundred replicas all know it soon, with few writes", arguments: [1, 100])
    mutating func hundred(learning: Int) {
        var replicas = (0..<100).map { SharingReplica(wrongBy: Int64($0) * 7) }
        for index in 0..<learning { replicas[index].learn(ahead: 4_000) }
        // All at once: everybody reads before anybody writes.
        for _ in 0..<8 {
            let reading = clock.read()
            for index in replicas.indices {
                let action = replicas[index].decide(reading, at: 1_000)
                _ = replicas[index].write(action, inPlaceOf: reading, to: &clock, at: 1_000)
            }
        }
        let ahead = replicas.map { ($0.offset ?? 0) + $0.wrongBy }
        #expect(Set(ahead) == [4_000])
        #expect(clock.writes == (learning == 1 ? 3 : 1))
    }

    @Test("Times that no clock has do no harm")
    mutating func nonsense() {
        one.learn(ahead: .min)
        one.settle(&clock, at: 1_000)
        #expect(clock.record == time(0))
        other.settle(&clock, at: 1_000)
        one.settle(&clock, at: 1_000)
        #expect(other.settle(&clock, at: 1_000) == [.take(offset: -4_600)])
    }
}
