import HTTP2Codec
import NIOCore
import Settings
import Testing

@testable import ForwardProxy

@Suite("The life of an upstream connection that speaks HTTP/2")
struct HTTP2UpstreamStateMachineTests {
    private static let made = NIODeadline.uptimeNanoseconds(0)

    private static func at(_ seconds: Int64) -> NIODeadline { made + .seconds(seconds) }

    /// Idle for 300 s at most, or 1 s where it is not needed; the server's settings within 10 s; used for an hour, or up
    /// to a tenth less.
    private func machine() -> HTTP2UpstreamStateMachine {
        HTTP2UpstreamStateMachine(madeAt: Self.made, timeouts: ProxyTimeouts())
    }

    private func idle(since seconds: Int64 = 0, isUnneeded: Bool = false) -> HTTP2UpstreamStateMachine {
        var machine = machine()
        _ = machine.settled(at: Self.at(seconds), isUnneeded: isUnneeded)
        return machine
    }

    /// Carries one request.
    private func used() -> HTTP2UpstreamStateMachine {
        var machine = idle()
        _ = machine.placeLeased()
        machine.placeLeft()
        machine.streamOpened()
        return machine
    }

    @Test("A place becomes a stream, and the connection is idle when that has ended")
    func carriesRequests() {
        var machine = machine()
        #expect(machine.settled(at: Self.at(0), isUnneeded: false) == .idle(until: Self.at(300)))
        #expect(machine.idleSince == Self.at(0))
        #expect(machine.placeLeased() == false)
        #expect(machine.reserved == 1)
        #expect(machine.idleSince == nil)
        machine.placeLeft()
        machine.streamOpened()
        #expect(machine.reserved == 0)
        #expect(machine.requests == 1)
        #expect(machine.settled(at: Self.at(5), isUnneeded: false) == .none)
        machine.streamEnded()
        #expect(machine.settled(at: Self.at(7), isUnneeded: false) == .idle(until: Self.at(307)))
        #expect(machine.idleSince == Self.at(7))
        #expect(machine.placeLeased() == true)
    }

    @Test("The first request finds the connection new, for however long it has been idle, and those after it do not")
    func reused() {
        var machine = idle()
        #expect(machine.timedOut(at: Self.at(5), hasSettings: true, isUnneeded: false) == .none)
        #expect(machine.placeLeased() == false)
        #expect(machine.placeLeased() == true)
        machine.placeLeft()
        machine.placeLeft()
        #expect(machine.settled(at: Self.at(6), isUnneeded: true) == .idle(until: Self.at(7)))
        #expect(machine.timedOut(at: Self.at(7), hasSettings: true, isUnneeded: false) == .none)
        #expect(machine.placeLeased() == true)
    }

    @Test("A stream that is refused because the connection ends says so, unless the server has too much to do")
    func resets() {
        #expect(machine().meaning(.refusedStream) == .streamRefused)
        #expect(machine().meaning(.cancel) == .stream)
        var leaving = machine()
        leaving.goAwayReceived(.noError)
        #expect(leaving.meaning(.refusedStream) == .goneAway)
        #expect(leaving.meaning(.cancel) == .stream)
        var overburdened = machine()
        overburdened.goAwayReceived(.enhanceYourCalm)
        #expect(overburdened.meaning(.refusedStream) == .streamRefused)
        guard case .malformedStream(.afterEnd) = leaving.failure(of: .protocolError, .afterEnd) else {
            Issue.record("The fault of the stream is not told")
            return
        }
    }

    @Test("A place that is given back leaves the connection idle")
    func givesBack() {
        var machine = idle()
        _ = machine.placeLeased()
        _ = machine.placeLeased()
        machine.placeLeft()
        #expect(machine.settled(at: Self.at(1), isUnneeded: false) == .none)
        machine.placeLeft()
        #expect(machine.settled(at: Self.at(2), isUnneeded: false) == .idle(until: Self.at(302)))
    }

    // MARK: Idle

    @Test("An idle connection is closed when its time is over")
    func idleTime() {
        var machine = idle()
        #expect(machine.nextDeadline(hasSettings: true) == Self.at(300))
        #expect(machine.timedOut(at: Self.at(299), hasSettings: true, isUnneeded: false) == .none)
        #expect(machine.timedOut(at: Self.at(300), hasSettings: true, isUnneeded: false) == .close)
    }

    @Test("One that is not needed is closed sooner, unless it is needed by then")
    func surplus() {
        var machine = idle(isUnneeded: true)
        #expect(machine.idleSince == Self.at(0))
        #expect(machine.nextDeadline(hasSettings: true) == Self.at(1))
        var needed = machine
        #expect(machine.timedOut(at: Self.at(1), hasSettings: true, isUnneeded: true) == .close)
        #expect(needed.timedOut(at: Self.at(1), hasSettings: true, isUnneeded: false) == .none)
        #expect(needed.nextDeadline(hasSettings: true) == Self.at(300))
        #expect(needed.timedOut(at: Self.at(300), hasSettings: true, isUnneeded: false) == .close)
    }

    @Test("While it carries a request no idle time passes")
    func usedLong() throws {
        var machine = used()
        #expect(machine.timedOut(at: Self.at(3_000), hasSettings: true, isUnneeded: true) == .none)
        let next = try #require(machine.nextDeadline(hasSettings: true))
        #expect(Self.at(3_240) <= next && next <= Self.at(3_600))
    }

    // MARK: Settings

    @Test("A server that says nothing fails it")
    func settings() {
        var machine = used()
        #expect(machine.nextDeadline(hasSettings: false) == Self.at(10))
        #expect(machine.timedOut(at: Self.at(9), hasSettings: false, isUnneeded: false) == .none)
        var answered = machine
        #expect(answered.timedOut(at: Self.at(10), hasSettings: true, isUnneeded: false) == .none)
        #expect(machine.timedOut(at: Self.at(10), hasSettings: false, isUnneeded: false) == .failSettings)
    }

    @Test("It fails so too when it takes no further requests")
    func settingsWhileFinishing() {
        var machine = used()
        machine.finish()
        #expect(machine.nextDeadline(hasSettings: false) == Self.at(10))
        #expect(machine.timedOut(at: Self.at(10), hasSettings: false, isUnneeded: false) == .failSettings)
    }

    // MARK: Ends

    @Test("At its greatest age it takes no further requests, and ends with those that it carries")
    func greatestAge() {
        var machine = used()
        #expect(machine.timedOut(at: Self.at(3_600), hasSettings: true, isUnneeded: false) == .finish)
        machine.finish()
        #expect(!machine.takesRequests)
        #expect(machine.nextDeadline(hasSettings: true) == nil)
        #expect(machine.settled(at: Self.at(3_600), isUnneeded: false) == .none)
        machine.streamEnded()
        #expect(machine.settled(at: Self.at(3_700), isUnneeded: false) == .end)
        #expect(machine.ended() == .end)
        #expect(machine.isClosed)
    }

    @Test("An idle connection that takes no further requests ends at once")
    func finishesIdle() {
        var machine = idle()
        machine.finish()
        #expect(machine.idleSince == nil)
        #expect(machine.settled(at: Self.at(1), isUnneeded: false) == .end)
    }

    @Test("A place that was leased before still becomes a stream")
    func finishesReserved() {
        var machine = idle()
        _ = machine.placeLeased()
        machine.finish()
        #expect(machine.settled(at: Self.at(1), isUnneeded: false) == .none)
        machine.placeLeft()
        machine.streamOpened()
        #expect(machine.settled(at: Self.at(1), isUnneeded: false) == .none)
        machine.streamEnded()
        #expect(machine.settled(at: Self.at(2), isUnneeded: false) == .end)
    }

    @Test("It ends once, and nothing comes after that")
    func endsOnce() {
        var machine = used()
        #expect(machine.ended() == .end)
        #expect(machine.ended() == .none)
        machine.finish()
        #expect(machine.isClosed)
        #expect(!machine.takesRequests)
        machine.streamEnded()
        #expect(machine.settled(at: Self.at(1), isUnneeded: false) == .none)
        #expect(machine.timedOut(at: Self.at(9_999), hasSettings: false, isUnneeded: true) == .none)
        #expect(machine.nextDeadline(hasSettings: false) == nil)
    }
}

extension HTTP2UpstreamStateMachine {
    /// The meaning that the reset of a stream has for its request.
    fileprivate func meaning(_ code: HTTP2ErrorCode) -> UpstreamEnd { failure(of: code, nil).end }
}
