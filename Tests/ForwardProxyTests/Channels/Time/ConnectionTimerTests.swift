import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("A connection's timer")
struct ConnectionTimerTests {
    /// Counts how often a timer was due.
    private final class Timed {
        let clock = EmbeddedClock()
        var timer: ConnectionTimer
        var due = 0

        init() {
            timer = ConnectionTimer(clock: clock)
        }

        func set(_ amount: TimeAmount) {
            timer.set(amount, on: clock.loop) { [self] in fired() }
        }

        func fired() {
            if timer.isDue(on: clock.loop, fire: { [self] in fired() }) { due += 1 }
        }

        func pass(_ amount: TimeAmount) {
            clock.loop.advanceTime(by: amount)
        }
    }

    @Test("A deadline that has passed is due once")
    func isDueOnce() {
        let timed = Timed()
        timed.set(.seconds(2))
        #expect(timed.timer.isArmed)
        timed.pass(.seconds(1))
        #expect(timed.due == 0)
        timed.pass(.seconds(1))
        #expect(timed.due == 1)
        #expect(!timed.timer.isArmed)
        timed.pass(.hours(2))
        #expect(timed.due == 1)
    }

    @Test("A deadline that was moved later is due at its new time, not when the first timer fires")
    func movesLater() {
        let timed = Timed()
        timed.set(.seconds(2))
        timed.pass(.seconds(1))
        timed.set(.seconds(2))
        timed.pass(.seconds(1))
        #expect(timed.due == 0)
        #expect(timed.timer.isArmed)
        timed.pass(.seconds(1))
        #expect(timed.due == 1)
    }

    @Test("A deadline that was moved earlier is due then")
    func movesEarlier() {
        let timed = Timed()
        timed.set(.hours(1))
        timed.set(.seconds(1))
        timed.pass(.seconds(1))
        #expect(timed.due == 1)
        timed.pass(.hours(1))
        #expect(timed.due == 1)
    }

    @Test("It tells when its deadline was last set, however often it fires")
    func begun() {
        let timed = Timed()
        timed.set(.seconds(2))
        timed.pass(.seconds(1))
        timed.set(.seconds(3))
        let begun = timed.clock.loop.now
        timed.pass(.seconds(2))
        #expect(timed.timer.begun == begun)
        #expect(timed.timer.deadline == begun + .seconds(3))
    }

    @Test("A cleared timer is not due, and can be set again")
    func clears() {
        let timed = Timed()
        timed.set(.seconds(1))
        timed.timer.clear()
        #expect(!timed.timer.isArmed)
        timed.pass(.seconds(1))
        #expect(timed.due == 0)
        timed.set(.seconds(1))
        timed.pass(.seconds(1))
        #expect(timed.due == 1)
    }

    @Test("A cancelled timer never fires")
    func cancels() {
        let timed = Timed()
        timed.set(.seconds(1))
        timed.timer.cancel()
        timed.pass(.hours(1))
        #expect(timed.due == 0)
    }
}
