import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Whether another connection is made for the requests that wait at a target")
struct TargetPoolStateMachineTests {
    private var machine = TargetPoolStateMachine()

    private let usage = ClientUsage(
        name: "one",
        connections: unlimited,
        places: unlimited,
        surplus: unlimited,
        memory: unlimited
    )

    private static var unlimited: SharedBudget { SharedBudget() }

    @Test("One connection is made at a time")
    mutating func oneAtATime() throws {
        #expect(machine.requestWaits(lacksWindows: false) == .connect)
        #expect(machine.isConnecting && machine.claim == nil && machine.attempts == 1)
        #expect(machine.requestWaits(lacksWindows: false) == .none)
        let claim = try #require(ConnectionClaim.upstream(for: usage, limit: 1))
        defer { claim.release() }
        machine.claimed(claim)
        #expect(machine.claim === claim)
        #expect(machine.requestWaits(lacksWindows: true) == .none)
        machine.attemptEnded()
        #expect(!machine.isConnecting && machine.claim == nil)
        #expect(machine.requestWaits(lacksWindows: false) == .connect)
        #expect(machine.attempts == 2)
    }

    @Test("Where windows alone are lacking, the server has time to give them back")
    mutating func windows() {
        #expect(machine.requestWaits(lacksWindows: true) == .awaitRoom(1))
        #expect(!machine.isConnecting && machine.attempts == 0)
        #expect(machine.requestWaits(lacksWindows: true) == .none)
        #expect(machine.roomTimePassed(1, isNeeded: true) == .connect)
        #expect(machine.isConnecting && machine.attempts == 1)
    }

    @Test("When room has come, nothing is made")
    mutating func room() {
        #expect(machine.requestWaits(lacksWindows: true) == .awaitRoom(1))
        #expect(machine.roomTimePassed(1, isNeeded: false) == .none)
        #expect(machine.requestWaits(lacksWindows: true) == .awaitRoom(2))
    }

    @Test("A request that needs no windows does not wait for them, and the next wait has its full time")
    mutating func noBody() {
        #expect(machine.requestWaits(lacksWindows: true) == .awaitRoom(1))
        #expect(machine.requestWaits(lacksWindows: false) == .connect)
        #expect(machine.roomTimePassed(1, isNeeded: true) == .none)
        machine.attemptEnded()
        #expect(machine.requestWaits(lacksWindows: true) == .awaitRoom(2))
        #expect(machine.roomTimePassed(1, isNeeded: true) == .none)
        #expect(machine.roomTimePassed(2, isNeeded: true) == .connect)
    }

    @Test("A claim that comes when the attempt is over is not taken for the next one's")
    mutating func lateClaim() throws {
        let claim = try #require(ConnectionClaim.upstream(for: usage, limit: 1))
        defer { claim.release() }
        #expect(machine.requestWaits(lacksWindows: false) == .connect)
        machine.attemptEnded()
        machine.claimed(claim)
        #expect(machine.claim == nil && !machine.isConnecting)
    }

    @Test("A search within the search has that one repeated, once")
    mutating func search() {
        let answers = [
            machine.beginSearch(), machine.beginSearch(), machine.beginSearch(), machine.repeatSearch(),
            machine.repeatSearch(), machine.beginSearch(),
        ]
        #expect(answers == [true, false, false, true, false, true])
    }

    @Test("What is called back when a place is given does not begin anew")
    mutating func serving() {
        let answers = [machine.beginServing(), machine.beginServing()]
        #expect(answers == [true, false])
        #expect(machine.endServing(requestsWait: true, isRetired: false) == .search)
        let next = machine.beginServing()
        #expect(next)
        #expect(machine.endServing(requestsWait: false, isRetired: false) == .none)
    }

    @Test("One that keeps nothing any more has what is shared end when nobody waits")
    mutating func retired() {
        _ = machine.beginServing()
        #expect(machine.endServing(requestsWait: true, isRetired: true) == .search)
        _ = machine.beginServing()
        #expect(machine.endServing(requestsWait: false, isRetired: true) == .finishShared)
    }

    @Test("The version that was spoken the last time counts")
    mutating func version() {
        #expect(!machine.speaksHTTP1)
        machine.connected(byHTTP1: true)
        #expect(machine.speaksHTTP1)
        machine.connected(byHTTP1: false)
        #expect(!machine.speaksHTTP1)
    }
}
