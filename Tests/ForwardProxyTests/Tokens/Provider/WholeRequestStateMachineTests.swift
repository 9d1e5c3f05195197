import Credentials
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The course of a request of a token exchange")
struct WholeRequestStateMachineTests {
    private typealias Machine = WholeRequestStateMachine<Int>

    private func sent(on lease: Int) -> Machine {
        var machine = Machine()
        let action = machine.connected { true }
        #expect(action == .send)
        machine.sent(on: lease)
        return machine
    }

    private func receiving(_ fields: String = "") throws -> Machine {
        var machine = sent(on: 7)
        machine.responseHead(try responseHead("HTTP/1.1 200 OK\n\(fields)\n"))
        return machine
    }

    private func expectNothing(_ action: Machine.EndAction) {
        if case .none = action { return }
        Issue.record("\(action) is to be done")
    }

    private func append(_ text: String, to machine: inout Machine) {
        expectNothing(machine.responseBody(ByteBuffer(string: text)))
    }

    @Test("The whole response is made of its pieces, without those before it")
    func succeeds() throws {
        var machine = sent(on: 7)
        machine.responseHead(try responseHead("HTTP/1.1 103 Early Hints\nA: 1\n\n"))
        machine.responseHead(try responseHead("HTTP/1.1 201 Created\nB: 2\n\n"))
        append("to", to: &machine)
        append("ken", to: &machine)
        guard case .succeed(7, let response) = machine.responseEnded() else {
            Issue.record("there is a response")
            return
        }
        #expect(response.status == 201)
        #expect(response.fields.map(\.0) == ["B"] && response.fields.map(\.1) == ["2"])
        #expect(response.body == Array("token".utf8))
        expectNothing(machine.responseEnded())
        expectNothing(machine.failed(.closed))
    }

    @Test("A body that cannot be decoded stays as it is", arguments: ["gzip", "br"])
    func keepsCoding(coding: String) throws {
        var machine = try receiving("Content-Encoding: \(coding)\n")
        append("plain", to: &machine)
        guard case .succeed(_, let response) = machine.responseEnded() else {
            Issue.record("there is a response")
            return
        }
        #expect(response.body == Array("plain".utf8))
    }

    @Test("One that must not be sent any more gives its connection back")
    func mustNotBeSent() {
        var machine = Machine()
        let action = machine.connected { false }
        #expect(action == .giveBackAndFail)
        expectNothing(machine.failed(.closed))
    }

    @Test("One that was given up before it had a connection was not sent, and does not ask whether it may be")
    func givenUpEarly() {
        var machine = Machine()
        guard case .failUnsent(.closed) = machine.failed(.closed) else {
            Issue.record("it fails")
            return
        }
        var wasAsked = false
        let action = machine.connected {
            wasAsked = true
            return true
        }
        #expect(action == .giveBack && !wasAsked)
    }

    @Test("One that is given up later has its stream closed, and hears of nothing more", arguments: [true, false])
    func givenUpLate(hasHead: Bool) throws {
        var machine = hasHead ? try receiving() : sent(on: 7)
        guard case .cutOff(7, .connectTimeout) = machine.failed(.connectTimeout) else {
            Issue.record("it is cut off")
            return
        }
        machine.responseHead(try responseHead("HTTP/1.1 200 OK\n\n"))
        append("late", to: &machine)
        expectNothing(machine.responseEnded())
        expectNothing(machine.closed(.closed))
    }

    @Test("A stream that the upstream ended is not closed again", arguments: [true, false])
    func closed(hasHead: Bool) throws {
        var machine = hasHead ? try receiving() : sent(on: 7)
        guard case .fail(7, .closed) = machine.closed(.closed) else {
            Issue.record("it fails")
            return
        }
        expectNothing(machine.failed(.closed))
    }

    @Test("A response that is too large is cut off there")
    func tooLarge() throws {
        var machine = try receiving()
        expectNothing(machine.responseBody(ByteBuffer(repeating: 0x61, count: 256 * 1024)))
        guard case .cutOff(7, .responseTooLarge) = machine.responseBody(ByteBuffer(repeating: 0x61, count: 1)) else {
            Issue.record("it is cut off")
            return
        }
        expectNothing(machine.responseEnded())
    }
}
