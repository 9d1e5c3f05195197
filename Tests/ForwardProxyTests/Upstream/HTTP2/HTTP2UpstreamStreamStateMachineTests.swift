import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The course of a request upstream by HTTP/2")
struct HTTP2UpstreamStreamStateMachineTests {
    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    private func open(isComplete: Bool) -> HTTP2UpstreamStreamStateMachine {
        var machine = HTTP2UpstreamStreamStateMachine()
        machine.opened(5, isComplete: isComplete, at: time(10))
        return machine
    }

    private func gone() -> HTTP2UpstreamStreamStateMachine {
        var machine = open(isComplete: false)
        machine.gone()
        return machine
    }

    @Test("A place has no number before its request, and is given back without one")
    func reserved() {
        var machine = HTTP2UpstreamStreamStateMachine()
        #expect(machine.isReserved)
        #expect(machine.openID == nil)
        #expect(machine.endWritten() == nil)
        #expect(!machine.requestIsWritten)
        #expect(machine.end() == .giveBackPlace)
        #expect(machine.end() == .none)
    }

    @Test("The end of a request is written once, unless it was complete with its head")
    func requestEnd() {
        var streamed = open(isComplete: false)
        #expect(streamed.openID == 5)
        #expect(!streamed.isReserved)
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
        machine.gone()
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
        machine.gone()
        #expect(machine.takeFailure() == false)
    }

    @Test("One that is gone is told once, and written nothing")
    func goes() {
        var machine = gone()
        #expect(machine.openID == nil)
        #expect(machine.endWritten() == nil)
        #expect(machine.takeFailure() == true)
        #expect(machine.takeFailure() == false)
        #expect(machine.end() == .none)
    }

    @Test("A lessee that leaves one that is gone is not told of it")
    func leavesGone() {
        var machine = gone()
        #expect(machine.end() == .none)
        #expect(machine.takeFailure() == false)
    }

    @Test("A place whose connection ended before the request is gone too")
    func goneWhileReserved() {
        var machine = HTTP2UpstreamStreamStateMachine()
        machine.gone()
        #expect(!machine.isReserved)
        #expect(machine.takeFailure() == true)
    }
}
