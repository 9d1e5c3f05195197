import Testing

@testable import ForwardProxy

@Suite("The life of one end of a tunnel")
struct TunnelEndStateMachineTests {
    private typealias Machine = TunnelEndStateMachine

    @Test("Both directions end in order, each by itself, whichever is first")
    func endsInOrder() {
        var machine = Machine()
        #expect(machine.inputClosed() == .passOn(closes: false))
        #expect(machine.endOutput() == .awaitWrites)
        #expect(machine.endOutput() == .none)
        #expect(machine.outputTaken() == .close)
        #expect(machine.becameInactive() == .endPartnersOutput)

        var other = Machine()
        #expect(other.endOutput() == .awaitWrites)
        #expect(other.outputTaken() == .endOutput)
        #expect(other.outputTaken() == .none)
        #expect(other.inputClosed() == .passOn(closes: true))
    }

    @Test("An end without an announcement, or with what is to be written still waiting, cuts the partner off")
    func becomesInactive() {
        var machine = Machine()
        #expect(machine.becameInactive() == .cutPartnerOff)
        _ = machine.inputClosed()
        #expect(machine.becameInactive() == .cutPartnerOff)
        _ = machine.endOutput()
        #expect(machine.becameInactive() == .cutPartnerOff)
    }

    @Test("A missing close_notify breaks the tunnel, but not behind an end in order; other errors reset it")
    func fails() {
        var machine = Machine()
        #expect(machine.failed(isMissingCloseNotify: true) == .breakOff(.unannounced))
        #expect(machine.failed(isMissingCloseNotify: false) == .breakOff(.reset))
        _ = machine.inputClosed()
        #expect(machine.failed(isMissingCloseNotify: true) == .none)
        #expect(machine.failed(isMissingCloseNotify: false) == .breakOff(.reset))
    }

    @Test("No end in order comes from a connection that is broken", arguments: [true, false])
    func breaks(isCutOff: Bool) {
        var machine = Machine()
        _ = machine.endOutput()
        if isCutOff {
            #expect(machine.cutOff() == .awaitWrites)
        } else {
            machine.closed()
        }
        #expect(machine.cutOff() == .none)
        #expect(machine.outputTaken() == .none)
        #expect(machine.endOutput() == .none)
        #expect(machine.inputClosed() == .none)
        #expect(machine.failed(isMissingCloseNotify: true) == .none)
        #expect(machine.failed(isMissingCloseNotify: false) == .none)
        #expect(machine.becameInactive() == .cutPartnerOff)
    }

    @Test("A read is held while the partner is full, and made up for once")
    func holdsReads() {
        var machine = Machine()
        #expect(machine.partnerBecameWritable() == .hold)
        #expect(machine.read(partnerIsWritable: true) == .read)
        #expect(machine.read(partnerIsWritable: false) == .hold)
        #expect(machine.partnerBecameWritable() == .read)
        #expect(machine.partnerBecameWritable() == .hold)
    }
}
