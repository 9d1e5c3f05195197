import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The course of a request upstream by HTTP/2")
struct HTTP2UpstreamStreamStateMachineTests {
    private typealias Machine = HTTP2UpstreamStreamStateMachine<String>

    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    private func leased() -> Machine {
        var machine = Machine()
        machine.lease(to: "one")
        return machine
    }

    private func open(isComplete: Bool) -> Machine {
        var machine = leased()
        machine.opened(5, isComplete: isComplete, at: time(10))
        return machine
    }

    private func expectFailure(_ expected: UpstreamFailure?, of machine: inout Machine) {
        let told = machine.takeFailure().map { "\($0.lessee): \($0.failure)" }
        let failure = expected.map { "one: \($0)" }
        #expect(told == failure)
    }

    private func gone() -> Machine {
        var machine = open(isComplete: false)
        machine.gone(.closed)
        return machine
    }

    @Test("A place has no number before its request, and is given back without one")
    func reserved() {
        var machine = Machine()
        machine.opened(5, isComplete: true, at: time(10))
        for isLeased in [false, true] {
            if isLeased { machine.lease(to: "one") }
            #expect(machine.takesRequest == isLeased)
            #expect(machine.openID == nil)
            #expect(machine.endWritten() == nil)
            #expect(!machine.requestIsWritten)
        }
        #expect(machine.end() == .giveBackPlace)
        #expect(machine.end() == .none)
        machine = Machine()
        #expect(machine.end() == .giveBackPlace)
    }

    @Test("The first holder of a place is known for as long as the lease lasts")
    func lessee() {
        var machine = Machine()
        #expect(machine.lessee == nil)
        machine.lease(to: "one")
        machine.lease(to: "two")
        #expect(machine.lessee == "one")
        machine.opened(5, isComplete: false, at: time(10))
        #expect(machine.endWritten() == 5)
        #expect(machine.lessee == "one")
        machine.gone(.closed)
        #expect(machine.lessee == "one")
        expectFailure(.closed, of: &machine)
        #expect(machine.lessee == nil)
        machine = open(isComplete: true)
        #expect(machine.end() == .forget(5))
        #expect(machine.lessee == nil)
        machine.lease(to: "two")
        #expect(machine.lessee == nil)
    }

    @Test("The end of a request is written once, unless it was complete with its head")
    func requestEnd() {
        var streamed = open(isComplete: false)
        #expect(streamed.openID == 5)
        #expect(!streamed.takesRequest)
        #expect(!streamed.requestIsWritten)
        #expect(streamed.endWritten() == 5)
        #expect(streamed.requestIsWritten)
        #expect(streamed.endWritten() == nil)
        var complete = open(isComplete: true)
        #expect(complete.requestIsWritten)
        #expect(complete.endWritten() == nil)
    }

    @Test("A stream is opened once")
    func opensOnce() {
        var machine = open(isComplete: true)
        machine.opened(7, isComplete: false, at: time(20))
        #expect(machine.openID == 5)
        #expect(machine.requestIsWritten)
    }

    @Test("A connection on which nothing has come since the request may be dead")
    func unanswered() {
        var machine = open(isComplete: false)
        #expect(machine.isUnanswered(lastReceived: time(10)))
        #expect(!machine.isUnanswered(lastReceived: time(11)))
        _ = machine.endWritten()
        #expect(machine.isUnanswered(lastReceived: time(10)))
        machine.gone(.closed)
        #expect(!machine.isUnanswered(lastReceived: time(10)))
    }

    @Test("One part is handed over at a time")
    func delivers() {
        var machine = open(isComplete: true)
        #expect(machine.deliveryBegan() == true)
        #expect(machine.deliveryBegan() == false)
        machine.deliveryEnded()
        #expect(machine.deliveryBegan() == true)
    }

    @Test("A lessee that leaves an open stream has it forgotten, whole request or not", arguments: [true, false])
    func leaves(isComplete: Bool) {
        var machine = open(isComplete: isComplete)
        #expect(machine.end() == .forget(5))
        #expect(machine.openID == nil)
        #expect(machine.end() == .none)
        machine.gone(.closed)
        expectFailure(nil, of: &machine)
    }

    @Test("One that is gone is told once, and written nothing")
    func goes() {
        var machine = gone()
        #expect(machine.openID == nil)
        #expect(machine.endWritten() == nil)
        machine.gone(.goneAway)
        expectFailure(.closed, of: &machine)
        expectFailure(nil, of: &machine)
        #expect(machine.end() == .none)
    }

    @Test("A lessee that leaves one that is gone is not told of it")
    func leavesGone() {
        var machine = gone()
        #expect(machine.end() == .none)
        expectFailure(nil, of: &machine)
    }

    @Test("A place whose connection ended before the request is gone too")
    func goneWhileReserved() {
        var machine = leased()
        machine.gone(.closed)
        #expect(!machine.takesRequest)
        expectFailure(.closed, of: &machine)
        machine = Machine()
        machine.gone(.closed)
        expectFailure(nil, of: &machine)
        #expect(machine.end() == .none)
    }
}
