import HTTP2Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The life of a client's HTTP/2 connection")
struct HTTP2ClientConnectionStateMachineTests {
    private static let idle = TimeAmount.seconds(300)
    private static let firstHead = TimeAmount.seconds(30)

    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    private func machine() -> HTTP2ClientConnectionStateMachine {
        HTTP2ClientConnectionStateMachine(at: time(0), deadline: time(0) + Self.firstHead)
    }

    /// Returns a machine with a stream that is open.
    private func serving() -> HTTP2ClientConnectionStateMachine {
        var machine = machine()
        machine.streamBegan()
        machine.requestBegan()
        return machine
    }

    private func endLastStream(
        of machine: inout HTTP2ClientConnectionStateMachine,
        at seconds: Int64,
        codecIsIdle: Bool = true
    ) -> HTTP2ClientConnectionStateMachine.Action {
        machine.lastStreamEnded(at: time(seconds), idle: Self.idle, codecIsIdle: codecIsIdle)
    }

    private func fireTimer(
        of machine: inout HTTP2ClientConnectionStateMachine,
        at seconds: Int64,
        isTaking: Bool = false
    ) -> HTTP2ClientConnectionStateMachine.Action {
        machine.timerFired(at: time(seconds), idle: Self.idle, isTaking: isTaking)
    }

    // MARK: Time

    @Test("The first request has a time of its own, and the connection is closed after it")
    func firstRequest() {
        var machine = machine()
        #expect(machine.deadline == time(30))
        #expect(machine.silentSince == time(0))
        #expect(machine.keptSince == nil)
        #expect(fireTimer(of: &machine, at: 29) == .wait(until: time(30)))
        #expect(fireTimer(of: &machine, at: 30) == .close(.noError))
    }

    @Test("It is idle from the end of its last stream on, and closed when that has lasted long enough")
    func idleTimeout() {
        var machine = serving()
        #expect(machine.keptSince == nil)
        #expect(machine.silentSince == nil)
        #expect(fireTimer(of: &machine, at: 1_000) == .wait(until: .distantFuture))
        #expect(endLastStream(of: &machine, at: 1_000) == .wait(until: time(1_300)))
        #expect(machine.keptSince == time(1_000))
        #expect(machine.silentSince == nil)
        #expect(fireTimer(of: &machine, at: 1_299) == .wait(until: time(1_300)))
        #expect(fireTimer(of: &machine, at: 1_300) == .close(.noError))
    }

    @Test("A client that takes what was written has time to take the rest, and is idle since the same time")
    func idleWhileTaking() {
        var machine = serving()
        _ = endLastStream(of: &machine, at: 0)
        #expect(fireTimer(of: &machine, at: 300, isTaking: true) == .wait(until: time(600)))
        #expect(machine.keptSince == time(0))
        #expect(fireTimer(of: &machine, at: 600) == .close(.noError))
    }

    @Test("Whether it takes anything is asked only when its time is over")
    func asksSeldom() {
        var machine = machine()
        var asked = 0
        func isTaking() -> Bool {
            asked += 1
            return true
        }
        _ = machine.timerFired(at: time(29), idle: Self.idle, isTaking: isTaking())
        #expect(asked == 0)
        _ = machine.timerFired(at: time(30), idle: Self.idle, isTaking: isTaking())
        #expect(asked == 1)
    }

    @Test("A head that has begun must become whole in time, whether or not streams are open", arguments: [true, false])
    func headTimeout(isServing: Bool) {
        var machine = isServing ? serving() : machine()
        #expect(machine.received(unfinishedHead: 3, at: time(0), within: .seconds(20)) == .wait(until: time(20)))
        #expect(machine.headSince == time(0))
        #expect(machine.deadline == time(20))
        #expect(fireTimer(of: &machine, at: 19) == .wait(until: time(20)))
        #expect(fireTimer(of: &machine, at: 20) == .close(.enhanceYourCalm))
    }

    @Test("What comes of the same head does not move its deadline, and does not ask for one")
    func headGoesOn() {
        var machine = machine()
        _ = machine.received(unfinishedHead: 3, at: time(0), within: .seconds(20))
        var asked = false
        func now() -> NIODeadline {
            asked = true
            return time(20)
        }
        #expect(machine.received(unfinishedHead: 3, at: now(), within: .seconds(20)) == .none)
        #expect(!asked)
        #expect(machine.headSince == time(0))
        #expect(machine.deadline == time(20))
    }

    @Test("A head that has become whole has no deadline, and one that begins with the same bytes has its own")
    func nextHead() {
        var machine = machine()
        _ = machine.received(unfinishedHead: 3, at: time(0), within: .seconds(20))
        machine.streamBegan()
        #expect(machine.received(unfinishedHead: 5, at: time(0), within: .seconds(25)) == .wait(until: time(25)))
        machine.streamBegan()
        #expect(machine.received(unfinishedHead: nil, at: time(0), within: .seconds(29)) == .none)
        #expect(machine.headSince == nil)
        #expect(fireTimer(of: &machine, at: 1_000) == .wait(until: .distantFuture))
    }

    @Test("The earlier one of both deadlines counts")
    func earlierDeadline() {
        var machine = machine()
        _ = machine.received(unfinishedHead: 1, at: time(0), within: .seconds(40))
        #expect(machine.deadline == time(30))
        #expect(fireTimer(of: &machine, at: 30, isTaking: true) == .wait(until: time(40)))
    }

    @Test("A stream whose request was never begun leaves the connection without one that was served")
    func malformedRequest() {
        var machine = machine()
        machine.streamBegan()
        #expect(machine.silentSince == nil)
        _ = endLastStream(of: &machine, at: 7)
        #expect(machine.silentSince == time(7))
        #expect(machine.keptSince == nil)
    }

    // MARK: End

    @Test("A drain is announced, and closes an idle connection when the client has answered the PING")
    func drainWhileIdle() {
        var machine = machine()
        #expect(machine.drain() == .announceEnd)
        #expect(machine.restSent(codecIsIdle: true) == .none)
        #expect(machine.pongReceived(codecIsIdle: true) == .close(.noError))
    }

    @Test("What comes before the answer to the PING is served, and closes the connection at its end")
    func drainWhileServing() {
        var machine = serving()
        #expect(machine.drain() == .announceEnd)
        #expect(endLastStream(of: &machine, at: 5) == .wait(until: time(305)))
        machine.streamBegan()
        #expect(machine.pongReceived(codecIsIdle: false) == .refuseLaterStreams(until: .distantFuture))
        #expect(!machine.isClosed)
        #expect(endLastStream(of: &machine, at: 6) == .close(.noError))
    }

    @Test("A client that never answers the PING has no longer than one that is idle")
    func drainWithoutPong() {
        var machine = serving()
        _ = machine.drain()
        #expect(endLastStream(of: &machine, at: 10) == .wait(until: time(310)))
        #expect(fireTimer(of: &machine, at: 310) == .close(.noError))
    }

    @Test("A PONG that nobody waits for says nothing")
    func strayPong() {
        var machine = machine()
        #expect(machine.pongReceived(codecIsIdle: true) == .none)
        _ = machine.drain()
        machine.streamBegan()
        _ = machine.pongReceived(codecIsIdle: false)
        #expect(machine.pongReceived(codecIsIdle: false) == .none)
    }

    @Test("The client's GOAWAY closes a connection without streams at once, another one after the last of them")
    func goAway() {
        var idle = machine()
        #expect(idle.goAwayReceived(codecIsIdle: true) == .close(.noError))
        var machine = serving()
        #expect(machine.goAwayReceived(codecIsIdle: false) == .none)
        #expect(machine.restSent(codecIsIdle: true) == .none)
        #expect(endLastStream(of: &machine, at: 1) == .close(.noError))
    }

    @Test("What an ended stream has left is sent before the connection is closed")
    func restIsSent() {
        var machine = serving()
        _ = machine.goAwayReceived(codecIsIdle: false)
        #expect(endLastStream(of: &machine, at: 1, codecIsIdle: false) == .wait(until: time(301)))
        #expect(machine.restSent(codecIsIdle: false) == .none)
        #expect(machine.restSent(codecIsIdle: true) == .close(.noError))
    }

    @Test("A connection that is not leaving stays when it has nothing to do")
    func staysOpen() {
        var machine = serving()
        _ = endLastStream(of: &machine, at: 1)
        #expect(machine.restSent(codecIsIdle: true) == .none)
    }

    @Test("Leaving refuses later streams, and closes at once where there are none")
    func leaving() {
        var idle = machine()
        #expect(idle.leave(codecIsIdle: true) == .close(.noError))
        var machine = serving()
        #expect(machine.leave(codecIsIdle: false) == .refuseLaterStreams(until: .distantFuture))
        #expect(endLastStream(of: &machine, at: 1) == .close(.noError))
    }

    @Test("Leaving while a PONG is awaited waits for that all the same")
    func leavingWhileDraining() {
        var machine = machine()
        _ = machine.drain()
        #expect(machine.leave(codecIsIdle: true) == .refuseLaterStreams(until: time(30)))
        #expect(machine.pongReceived(codecIsIdle: true) == .close(.noError))
    }

    @Test("A drain after the client's GOAWAY waits for the PONG")
    func drainAfterGoAway() {
        var machine = serving()
        _ = machine.goAwayReceived(codecIsIdle: false)
        #expect(machine.drain() == .announceEnd)
        #expect(endLastStream(of: &machine, at: 1) == .wait(until: time(301)))
        #expect(machine.pongReceived(codecIsIdle: true) == .close(.noError))
    }

    @Test("A close in order begins once, and ends the output when that is taken")
    func closes() {
        var machine = serving()
        #expect(machine.outputTaken() == .none)
        #expect(machine.closeBegan() == true)
        #expect(machine.closeBegan() == false)
        #expect(machine.end() == false)
        #expect(machine.outputTaken() == .endOutput)
        #expect(machine.outputTaken() == .none)
        machine = serving()
        #expect(machine.end() == true)
        #expect(machine.closeBegan() == false)
        #expect(machine.outputTaken() == .none)
    }

    @Test("Nothing follows from what comes after the end", arguments: [true, false])
    func closed(isInOrder: Bool) {
        var machine = serving()
        let isFirst = isInOrder ? machine.closeBegan() : machine.end()
        #expect(isFirst)
        #expect(machine.end() == false)
        #expect(machine.isClosed)
        machine.streamBegan()
        #expect(machine.received(unfinishedHead: 1, at: time(0), within: .seconds(9)) == .none)
        #expect(endLastStream(of: &machine, at: 1) == .none)
        #expect(machine.restSent(codecIsIdle: true) == .none)
        #expect(machine.drain() == .none)
        #expect(machine.pongReceived(codecIsIdle: true) == .none)
        #expect(machine.goAwayReceived(codecIsIdle: true) == .none)
        #expect(machine.leave(codecIsIdle: true) == .none)
        #expect(fireTimer(of: &machine, at: 10_000) == .none)
        #expect(machine.keptSince == nil)
        #expect(machine.isClosed)
    }
}
