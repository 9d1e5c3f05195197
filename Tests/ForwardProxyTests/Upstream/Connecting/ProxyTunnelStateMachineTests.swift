import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The way to a tunnel through another proxy")
struct ProxyTunnelStateMachineTests {
    private typealias Machine = ProxyTunnelStateMachine<Int>

    @Test("The tunnel is open with the final response, and what follows that has come through it")
    func opens() {
        var machine = Machine(limits: MessageLimits())
        #expect(machine.connected(timer: 7) == .ask)
        #expect(machine.received(ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\n\r\n")) == .none)
        #expect(machine.received(ByteBuffer(string: "HTTP/1.1 200 OK\r\nX-Other: 1\r\n")) == .none)
        #expect(machine.received(ByteBuffer(string: "\r\nearly")) == .open(7, early: ByteBuffer(string: "early")))
        #expect(machine.received(ByteBuffer(string: "later")) == .none)
        #expect(machine.ended() == .none)
    }

    @Test("Without bytes behind the response, there are none to pass on")
    func opensEmpty() {
        var machine = Machine(limits: MessageLimits())
        #expect(machine.connected(timer: 7) == .ask)
        let answer = machine.received(ByteBuffer(string: "HTTP/1.1 204 No Content\r\n\r\n"))
        #expect(answer == .open(7, early: ByteBuffer()))
    }

    @Test("Another status, or no response at all, ends it once")
    func fails() {
        let answers: [(String, UpstreamProxyFailure)] = [
            ("HTTP/1.1 407 Who are you?\r\n\r\n", .refused(status: 407)),
            ("SSH-2.0-OpenSSH\r\n\r\n", .malformed(.statusLineMalformed)),
        ]
        for (answer, failure) in answers {
            var machine = Machine(limits: MessageLimits())
            #expect(machine.connected(timer: 7) == .ask)
            #expect(machine.received(ByteBuffer(string: answer)) == .fail(7, failure))
            #expect(machine.received(ByteBuffer(string: answer)) == .none)
            #expect(machine.ended() == .none)
        }
    }

    @Test("An end before the answer is told once", arguments: [true, false])
    func ends(isConnected: Bool) {
        var machine = Machine(limits: MessageLimits())
        if isConnected { #expect(machine.connected(timer: 7) == .ask) }
        #expect(machine.ended() == .fail(isConnected ? 7 : nil))
        #expect(machine.ended() == .none)
        #expect(machine.connected(timer: 7) == .none)
        #expect(machine.received(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")) == .none)
    }

    @Test("It is asked for once, and nothing counts before")
    func asksOnce() {
        var machine = Machine(limits: MessageLimits())
        #expect(machine.received(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")) == .none)
        #expect(machine.connected(timer: 7) == .ask)
        #expect(machine.connected(timer: 7) == .none)
    }
}
