import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The life of an upstream connection that speaks HTTP/1.1")
struct UpstreamConnectionStateMachineTests {
    private typealias Machine = UpstreamConnectionStateMachine<String>

    private static let endOfUse = NIODeadline.uptimeNanoseconds(1_000)
    private static let before = NIODeadline.uptimeNanoseconds(999)

    private func idle() -> Machine {
        Machine(endOfUse: Self.endOfUse)
    }

    private func leased() -> Machine {
        var machine = idle()
        #expect(machine.lease(to: "one") == .begin)
        return machine
    }

    private func closed() -> Machine {
        var machine = idle()
        #expect(machine.close() == .close)
        return machine
    }

    @Test("A request is answered, and the next one finds the connection reused")
    func carriesRequests() {
        var machine = idle()
        #expect(machine.isUsable(at: Self.before))
        #expect(machine.lease(to: "one") == .begin)
        #expect(!machine.isReused)
        #expect(!machine.isUsable(at: Self.before))
        #expect(machine.bytesReceived() == .decode)
        #expect(machine.deliveryBegins() == true)
        machine.responseHead(keepsAlive: true)
        #expect(machine.isReusable(unreadBytes: 0))
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: false))
        machine.deliveryEnded()
        #expect(machine.isUsable(at: Self.before))
        #expect(machine.lease(to: "one") == .begin)
        #expect(machine.isReused)
    }

    @Test("Its holder is known for as long as the lease lasts")
    func lessee() {
        var machine = idle()
        #expect(machine.lessee == nil)
        #expect(machine.lease(to: "one") == .begin)
        #expect(machine.lease(to: "two") == .refuse)
        #expect(machine.read(lesseeTakesBytes: false) == .hold)
        machine.responseHead(keepsAlive: true)
        #expect(machine.lessee == "one")
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: true))
        #expect(machine.lessee == nil)
        #expect(machine.lease(to: "two") == .begin)
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(machine.lessee == "two")
        #expect(machine.failed() == .failLease("two"))
        #expect(machine.lessee == nil)
    }

    @Test("A connection that was made for nobody is kept, and may be gone unnoticed when it is leased first")
    func keptUnused() {
        var machine = idle()
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: false))
        #expect(machine.isUsable(at: Self.before))
        #expect(machine.lease(to: "one") == .begin)
        #expect(machine.isReused)
    }

    // MARK: Reuse

    @Test("A response that says close, or has bytes behind it, was the last one")
    func lastResponse() {
        var machine = leased()
        machine.responseHead(keepsAlive: true)
        #expect(!machine.isReusable(unreadBytes: 1))
        machine.responseHead(keepsAlive: false)
        #expect(!machine.isReusable(unreadBytes: 0))
        #expect(machine.released(reusable: false, unreadBytes: 0) == .close)
        #expect(!machine.isUsable(at: Self.before))
    }

    @Test("The head of the final response counts, and not those before it")
    func interimHeads() {
        var machine = leased()
        machine.responseHead(keepsAlive: true)
        machine.responseHead(keepsAlive: false)
        #expect(!machine.isReusable(unreadBytes: 0))
    }

    @Test("A lessee that keeps it on after the response gets it closed for what has come since")
    func lateRelease() {
        var machine = leased()
        machine.responseHead(keepsAlive: true)
        #expect(machine.isReusable(unreadBytes: 0))
        #expect(machine.released(reusable: true, unreadBytes: 1) == .close)

        machine = leased()
        machine.responseHead(keepsAlive: true)
        #expect(machine.isReusable(unreadBytes: 0))
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(!machine.isReusable(unreadBytes: 0))
        #expect(machine.released(reusable: true, unreadBytes: 0) == .close)
    }

    @Test("At its greatest age it is used for no other request; one that has begun goes through")
    func endOfUse() {
        var machine = leased()
        machine.responseHead(keepsAlive: true)
        #expect(machine.isReusable(unreadBytes: 0))
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: false))
        #expect(machine.isUsable(at: Self.before))
        #expect(!machine.isUsable(at: Self.endOfUse))
        #expect(machine.close() == .close)
        #expect(machine.lease(to: "one") == .refuse)
    }

    @Test("Only an idle connection is leased")
    func leasedOnce() {
        var machine = leased()
        #expect(machine.lease(to: "one") == .refuse)
        machine = closed()
        #expect(machine.lease(to: "one") == .refuse)
        #expect(!machine.isReused)
    }

    // MARK: Idle

    @Test("An idle connection that receives anything is closed, once")
    func earlyBytes() {
        var machine = idle()
        #expect(machine.bytesReceived() == .closeIdle)
        #expect(!machine.isUsable(at: Self.before))
        #expect(machine.bytesReceived() == .discard)
        #expect(machine.inputEnded(isAnnounced: true) == .none)
        #expect(machine.failed() == .none)
        #expect(machine.close() == .none)
    }

    @Test("An idle connection ends with its input, announced or not", arguments: [true, false])
    func idleEnd(isAnnounced: Bool) {
        var machine = idle()
        #expect(machine.inputEnded(isAnnounced: isAnnounced) == .closeIdle)
        #expect(machine.inputEnded(isAnnounced: true) == .none)
    }

    @Test("It is idle for so long only, and a timer that was set before the lease does not end that")
    func idleTimeout() {
        var machine = leased()
        #expect(machine.idleTimedOut() == .none)
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: false))
        #expect(machine.idleTimedOut() == .closeIdle)
        #expect(machine.idleTimedOut() == .none)
    }

    @Test("An idle connection that fails is nobody's failure")
    func idleFailure() {
        var machine = idle()
        #expect(machine.failed() == .closeIdle)
        #expect(machine.failed() == .none)
    }

    // MARK: Ends

    @Test("A server that closes with nothing read yet has sent no response")
    func closesUnread() {
        var machine = leased()
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(machine.deliveryBegins() == true)
        // There is nothing that the decoder could make an end of.
        #expect(machine.drained() == .finish)
        #expect(machine.failed() == .failLease("one"))
        machine.deliveryEnded()
        #expect(machine.close() == .none)
    }

    @Test("An end in the midst of a body is looked into when what came before it has been taken")
    func endWithinBody() {
        var machine = leased()
        #expect(machine.bytesReceived() == .decode)
        #expect(machine.deliveryBegins() == true)
        machine.responseHead(keepsAlive: true)
        #expect(machine.drained() == .awaitBytes)
        machine.deliveryEnded()
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(machine.deliveryBegins() == true)
        #expect(machine.drained() == .finish)
        // The body has a length, and is not whole.
        #expect(machine.failed() == .failLease("one"))
        machine.deliveryEnded()
        #expect(machine.deliveryBegins() == false)
    }

    @Test("An announced end may end a body, and the connection carries no other")
    func endOfBody() {
        var machine = leased()
        machine.responseHead(keepsAlive: false)
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(machine.drained() == .finish)
        #expect(!machine.isReusable(unreadBytes: 0))
        #expect(machine.released(reusable: false, unreadBytes: 0) == .close)
        #expect(machine.failed() == .none)
    }

    @Test("An end that TLS did not announce ends no body, though it is told again as one in order")
    func unannouncedEnd() {
        var machine = leased()
        machine.responseHead(keepsAlive: false)
        #expect(machine.inputEnded(isAnnounced: false) == .deliver)
        #expect(machine.inputEnded(isAnnounced: true) == .none)
        #expect(machine.drained() == .fail)
        #expect(machine.failed() == .failLease("one"))
    }

    @Test("An end that was announced stays one in order when the channel goes without another word of TLS")
    func announcedEnd() {
        var machine = leased()
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(machine.inputEnded(isAnnounced: false) == .none)
        #expect(machine.drained() == .finish)
    }

    @Test("A failure ends the lease at once, whatever is still to be taken")
    func failure() {
        var machine = leased()
        #expect(machine.inputEnded(isAnnounced: true) == .deliver)
        #expect(machine.failed() == .failLease("one"))
        #expect(machine.released(reusable: true, unreadBytes: 0) == .none)
        #expect(!machine.isUsable(at: Self.before))
    }

    @Test("The lessee closes it, and is told nothing more")
    func closedByLessee() {
        var machine = leased()
        #expect(machine.close() == .close)
        #expect(machine.failed() == .none)
        #expect(machine.bytesReceived() == .discard)
        #expect(machine.deliveryBegins() == false)
    }

    // MARK: Back-pressure

    @Test("A read is held while the lessee takes nothing, and made up for once")
    func holdsReads() {
        var machine = leased()
        #expect(machine.read(lesseeTakesBytes: true) == .read)
        #expect(machine.readResumed() == .hold)
        #expect(machine.read(lesseeTakesBytes: false) == .hold)
        #expect(machine.read(lesseeTakesBytes: false) == .hold)
        #expect(machine.readResumed() == .read)
        #expect(machine.readResumed() == .hold)
    }

    @Test("A read that is held at the end of a lease is made up for, and not another time in the next one")
    func readAfterLease() {
        var machine = leased()
        #expect(machine.read(lesseeTakesBytes: false) == .hold)
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: true))
        #expect(machine.read(lesseeTakesBytes: false) == .read)
        #expect(machine.lease(to: "one") == .begin)
        #expect(machine.readResumed() == .hold)
    }

    @Test("What is handed over while something is handed over waits for that")
    func delivery() {
        var machine = leased()
        #expect(machine.deliveryBegins() == true)
        #expect(machine.deliveryBegins() == false)
        // The next lease begins while the end of the last response is handed over.
        #expect(machine.released(reusable: true, unreadBytes: 0) == .keep(read: false))
        #expect(machine.lease(to: "one") == .begin)
        #expect(machine.deliveryBegins() == false)
        machine.deliveryEnded()
        #expect(machine.deliveryBegins() == true)
    }

    @Test("Nobody but a lessee is handed anything")
    func deliveryToNobody() {
        var machine = idle()
        #expect(machine.deliveryBegins() == false)
        machine = closed()
        #expect(machine.deliveryBegins() == false)
        #expect(machine.drained() == .awaitBytes)
        #expect(machine.read(lesseeTakesBytes: true) == .read)
    }

    // MARK: Switching protocols

    @Test("A tunnel takes over what has come, with the read that was held")
    func switches() {
        var machine = leased()
        machine.responseHead(keepsAlive: true)
        #expect(machine.switchProtocols() == .handOver(input: .open, read: false))
        // HTTP is over: neither the lessee nor the keeper has it any more.
        #expect(machine.lessee == nil)
        #expect(machine.close() == .none)
        #expect(machine.failed() == .none)
        #expect(machine.switchProtocols() == .refuse)

        machine = leased()
        #expect(machine.read(lesseeTakesBytes: false) == .hold)
        #expect(machine.switchProtocols() == .handOver(input: .open, read: true))
    }

    @Test("A tunnel learns in which way the input has ended already", arguments: [true, false])
    func switchesAfterEnd(isAnnounced: Bool) {
        var machine = leased()
        #expect(machine.inputEnded(isAnnounced: isAnnounced) == .deliver)
        #expect(machine.switchProtocols() == .handOver(input: isAnnounced ? .ended : .cutOff, read: false))
    }

    @Test("Only who has leased a connection makes a tunnel of it")
    func switchesLeasedOnly() {
        var machine = idle()
        #expect(machine.switchProtocols() == .refuse)
        machine = closed()
        #expect(machine.switchProtocols() == .refuse)
    }
}
