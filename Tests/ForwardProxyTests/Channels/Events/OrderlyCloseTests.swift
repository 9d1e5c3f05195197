import Testing

@testable import ForwardProxy

@Suite("The orderly close of a connection")
struct OrderlyCloseTests {
    /// A connection whose peer has been told the end, and still sends.
    private func lingering() -> OrderlyClose {
        var close = OrderlyClose()
        _ = close.outputTaken(inputHasEnded: false)
        return close
    }

    @Test("The output ends once everything is taken, and the connection is closed when the peer ends too")
    func lingers() {
        var close = OrderlyClose()
        #expect(!close.outputHasEnded)
        #expect(close.outputTaken(inputHasEnded: false) == .endOutput)
        #expect(close.outputHasEnded)
        #expect(close.outputTaken(inputHasEnded: false) == .none)
        #expect(close.inputClosed() == .close)
    }

    @Test("A peer that ends first still gets everything")
    func peerEndsFirst() {
        var close = OrderlyClose()
        #expect(close.inputClosed() == .none)
        #expect(close.outputTaken(inputHasEnded: true) == .close)
        #expect(close.outputTaken(inputHasEnded: true) == .none)
    }

    @Test("A peer has time as long as it takes what is written, and not for what it sends", arguments: [true, false])
    func time(hasTaken: Bool) {
        #expect(OrderlyClose().timeIsOver(hasTaken: hasTaken) == (hasTaken ? .wait : .close))
        #expect(lingering().timeIsOver(hasTaken: hasTaken) == .close)
    }
}
