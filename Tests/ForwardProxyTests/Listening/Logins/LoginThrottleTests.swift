import NIOCore
import Routing
import Testing

@testable import ForwardProxy

@Suite("When log-ins are checked where others have failed")
struct LoginThrottleTests {
    private let start = NIODeadline.uptimeNanoseconds(1 << 40)

    private func attempt(
        _ name: String,
        _ password: String,
        from address: UInt32 = 1,
        isListed: Bool = true
    ) -> LoginAttempt {
        LoginAttempt(
            peer: .v4(address),
            login: ClaimedLogin(name: name, secret: password.utf8Span.span, isListed: isListed)
        )
    }

    /// Fails at once, or after its turn.
    private func fail(_ throttle: inout LoginThrottle, _ attempt: LoginAttempt, at now: NIODeadline) -> NIODeadline? {
        switch throttle.turn(of: attempt, at: now) {
        case .now:
            throttle.failed(attempt, hasWaited: false, at: now)
            return now
        case .at(let turn):
            throttle.failed(attempt, hasWaited: true, at: turn)
            return turn
        case .never: return nil
        }
    }

    /// An address that has failed as often as costs nothing.
    private func failing(_ throttle: inout LoginThrottle, _ name: String = "one", from address: UInt32 = 1) {
        for number in 0..<5 { _ = fail(&throttle, attempt(name, "free \(number)", from: address), at: start) }
    }

    @Test("Five failures of an address cost nothing, the next wait twice as long each, up to 8 s")
    func doubles() {
        var throttle = LoginThrottle()
        #expect(!throttle.isActive(at: start))
        var now = start
        var waits: [Int64] = []
        for number in 0..<13 {
            let turn = fail(&throttle, attempt("one", "\(number)"), at: now)
            waits.append(turn.map { ($0 - now).nanoseconds / 1_000_000 } ?? -1)
            now = turn ?? now
        }
        #expect(waits == [0, 0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
        #expect(throttle.isActive(at: now))
    }

    @Test("Attempts of one address take turns, and one whose turn would come too late is refused unchecked")
    func takesTurns() {
        var throttle = LoginThrottle()
        failing(&throttle)
        var turns: [Int64] = []
        for number in 0..<50 {
            guard case .at(let turn) = throttle.turn(of: attempt("one", "\(number)"), at: start) else { continue }
            turns.append((turn - start).nanoseconds / 1_000_000)
        }
        // The first three are in no line.
        #expect(turns == [250, 500, 1000, 2000, 6000])
        // The next one would be 8 s after the last.
        #expect(throttle.turn(of: attempt("one", "more"), at: start) == .never(retryAfter: 5))
        #expect(throttle.turn(of: attempt("one", "more"), at: start + .seconds(5)) == .at(start + .seconds(14)))
        // A right password waits no less, and then counts no more.
        #expect(throttle.turn(of: attempt("two", "right", from: 2), at: start) == .now)
    }

    @Test("A right password for a name that nobody guesses at from its address is checked within 2 s")
    func sparesOtherNames() {
        var throttle = LoginThrottle()
        failing(&throttle)
        for second in 0..<1000 {
            let now = start + .seconds(Int64(second))
            for number in 0..<20 {
                _ = throttle.turn(of: attempt("one", "\(second) \(number)"), at: now)
                _ = throttle.turn(of: attempt("other \(number)", "\(second)"), at: now)
                _ = throttle.turn(of: attempt("nobody \(second) \(number)", "x", isListed: false), at: now)
            }
            throttle.failed(attempt("one", "\(second)"), hasWaited: true, at: now)
            // Several connections at once, and again: one password.
            for _ in 0..<4 {
                guard case .at(let turn) = throttle.turn(of: attempt("two", "right"), at: now) else {
                    Issue.record("it is not checked at \(second) s")
                    return
                }
                #expect(turn - now <= .seconds(2))
            }
        }
    }

    @Test("However many names are guessed at, three passwords for each in 15 minutes are checked beside the line")
    func boundsSpraying() {
        var throttle = LoginThrottle()
        failing(&throttle)
        var checked = 0
        for second in 0..<3600 {
            let now = start + .seconds(Int64(second))
            for name in 0..<20 where fail(&throttle, attempt("\(name)", "\(second)"), at: now) != nil { checked += 1 }
        }
        let inLine = 3600 / 8
        #expect(checked > inLine && checked <= inLine + 20 * 3 * 4 + 5, "\(checked)")
    }

    @Test("A minute without a failure takes one off, and a quarter of an hour all of them")
    func forgives() {
        var throttle = LoginThrottle()
        failing(&throttle)
        #expect(throttle.turn(of: attempt("one", "a"), at: start + .seconds(59)) == .at(start + .milliseconds(59_250)))
        #expect(throttle.turn(of: attempt("one", "b"), at: start + .minutes(3)) == .now)
        #expect(!throttle.isActive(at: start + .minutes(15)))
    }

    @Test("A user who logged in from an address is not slowed by guesses there, unless at the same name")
    func sparesTheKnown() {
        var throttle = LoginThrottle()
        throttle.succeeded(attempt("one", "right"), hasWaited: false, at: start)
        failing(&throttle, "two")
        #expect(throttle.turn(of: attempt("one", "right"), at: start) == .now)
        #expect(throttle.turn(of: attempt("three", "right"), at: start) != .now)
        failing(&throttle, "one")
        #expect(throttle.turn(of: attempt("one", "right"), at: start) != .now)
        // A day later it is one like any other.
        throttle.succeeded(attempt("four", "right"), hasWaited: false, at: start)
        let later = start + .hours(24)
        for number in 0..<5 { _ = fail(&throttle, attempt("two", "later \(number)"), at: later) }
        #expect(throttle.turn(of: attempt("four", "right"), at: later - .nanoseconds(1)) == .now)
        #expect(throttle.turn(of: attempt("four", "right"), at: later) != .now)
    }

    @Test("Guesses at a name delay it by 2 s at most and beside others, and never where it has logged in")
    func delaysNames() {
        var throttle = LoginThrottle()
        throttle.succeeded(attempt("one", "right", from: 9), hasWaited: false, at: start)
        for address in 100..<200 { failing(&throttle, "one", from: UInt32(address)) }
        for address in 10..<60 {
            let turn = throttle.turn(of: attempt("one", "right", from: UInt32(address)), at: start)
            #expect(turn == .at(start + .seconds(2)))
        }
        #expect(throttle.turn(of: attempt("one", "right", from: 9), at: start) == .now)
        #expect(throttle.turn(of: attempt("two", "right", from: 10), at: start) == .now)
        // Those that wait for the sake of the name count for their address, too.
        var unchecked = 0
        for number in 0..<50 where throttle.turn(of: attempt("one", "\(number)", from: 8), at: start).isNever {
            unchecked += 1
        }
        #expect(unchecked == 40)
    }

    @Test("The same wrong password again is no guess, and may turn out right")
    func sparesTheStubborn() {
        var throttle = LoginThrottle()
        for _ in 0..<1000 { #expect(fail(&throttle, attempt("old", "stale"), at: start) == start) }
        #expect(throttle.turn(of: attempt("one", "right"), at: start) == .now)
        failing(&throttle)
        #expect(throttle.turn(of: attempt("one", "right"), at: start) != .now)
        #expect(throttle.turn(of: attempt("old", "stale"), at: start) == .now)
    }

    @Test("An attempt that waited and was right counts as no failure")
    func takesBack() {
        var throttle = LoginThrottle()
        failing(&throttle)
        for number in 0..<10 {
            let now = start + .seconds(Int64(number))
            let right = attempt("\(number)", "right")
            #expect(throttle.turn(of: right, at: now) == .at(now + .milliseconds(250)))
            throttle.succeeded(right, hasWaited: true, at: now + .milliseconds(250))
        }
    }

    @Test("The addresses of one machine by IPv6 are one, and however many there are, the memory of them is bounded")
    func isBounded() throws {
        let (one, other) = (
            try SocketAddress(ipAddress: "2001:db8:1:2::1", port: 1),
            try SocketAddress(ipAddress: "2001:db8:1:2:f::1", port: 2)
        )
        #expect(PeerAddress(one) == PeerAddress(other))
        #expect("\(PeerAddress(one))" == "2001:db8:1:2::/64")
        #expect("\(PeerAddress.v4(0xc000_0201))" == "192.0.2.1")
        var throttle = LoginThrottle()
        for address in 0..<20_000 { _ = fail(&throttle, attempt("\(address)", "a", from: UInt32(address)), at: start) }
        #expect(throttle.recordCount <= 3 * 4096)
    }
}

extension LoginThrottle.Turn {
    fileprivate var isNever: Bool {
        if case .never = self { true } else { false }
    }
}
