import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("A connection's timer")
struct ConnectionTimerTests {
    /// A timer on a loop whose time stands still until told otherwise; counts how often it was due.
    private final class Timed {
        let loop = EmbeddedEventLoop()
        var timer = ConnectionTimer()
        var due = 0

        func set(_ amount: TimeAmount) {
            timer.set(amount, on: loop) { [self] in fired() }
        }

        func fired() {
            if timer.isDue(on: loop, fire: { [self] in fired() }) { due += 1 }
        }
    }

    // `ConnectionTimer` reads the system's clock, the embedded loop its own: amounts of zero and of hours keep the
    // two apart, whatever the speed of the machine.

    @Test("A deadline that has passed is due once")
    func isDueOnce() {
        let timed = Timed()
        timed.set(.nanoseconds(0))
        #expect(timed.timer.isArmed)
        timed.loop.advanceTime(to: .now() + .seconds(1))
        #expect(timed.due == 1)
        #expect(!timed.timer.isArmed)
        timed.loop.advanceTime(to: .now() + .hours(2))
        #expect(timed.due == 1)
    }

    @Test("A deadline that was moved later is not due when the first timer fires")
    func movesLater() {
        let timed = Timed()
        timed.set(.nanoseconds(0))
        timed.set(.hours(1))
        timed.loop.advanceTime(to: .now() + .seconds(1))
        #expect(timed.due == 0)
        #expect(timed.timer.isArmed)
    }

    @Test("A deadline that was moved earlier is due then")
    func movesEarlier() {
        let timed = Timed()
        timed.set(.hours(1))
        timed.set(.nanoseconds(0))
        timed.loop.advanceTime(to: .now() + .seconds(1))
        #expect(timed.due == 1)
    }

    @Test("A cleared timer is not due, and can be set again")
    func clears() {
        let timed = Timed()
        timed.set(.nanoseconds(0))
        timed.timer.clear()
        #expect(!timed.timer.isArmed)
        timed.loop.advanceTime(to: .now() + .seconds(1))
        #expect(timed.due == 0)
        timed.set(.nanoseconds(0))
        timed.loop.advanceTime(to: .now() + .seconds(2))
        #expect(timed.due == 1)
    }

    @Test("A cancelled timer never fires")
    func cancels() {
        let timed = Timed()
        timed.set(.nanoseconds(0))
        timed.timer.cancel()
        timed.loop.advanceTime(to: .now() + .hours(1))
        #expect(timed.due == 0)
    }
}
