import Testing

@testable import ForwardProxy

@Suite("An exchange that is refused, or stands still")
struct CorrectedExchangeTests {
    /// A request that is out whole, and whose refusal is held back.
    private func refused() -> ExchangeStateMachine {
        var machine = sent()
        _ = machine.responseHead(status: 401, isInformational: false, isAuthorized: true)
        return machine
    }

    private func sent() -> ExchangeStateMachine {
        var machine = streaming()
        _ = machine.requestEnded()
        return machine
    }

    private func streaming() -> ExchangeStateMachine {
        var machine = ExchangeStateMachine(isIdempotent: true)
        _ = machine.start(body: .stream, expectsContinue: false)
        _ = machine.upstreamReady(reused: false)
        return machine
    }

    // MARK: Refusals

    @Test("A refusal that never became whole corrects the requests after it only")
    func unfinishedRefusal() {
        var machine = refused()
        #expect(machine.refused(.token, responseIsWhole: false, bodyAtHand: true) == .renewForOthers)
        #expect(machine.refused(.timestamp, responseIsWhole: false, bodyAtHand: true) == .followClock)
        #expect(machine.clockFollowed(responseIsWhole: false, bodyAtHand: true) == false)
        #expect(!machine.hasRepeated(after: .tokenRefused) && !machine.hasRepeated(after: .timestampRefused))
    }

    @Test("A request that is not whole is not sent again")
    func unfinishedRequest() {
        var machine = streaming()
        _ = machine.responseHead(status: 401, isInformational: false, isAuthorized: true)
        #expect(machine.refused(.token, responseIsWhole: true, bodyAtHand: true) == .renewForOthers)
        #expect(machine.clockFollowed(responseIsWhole: true, bodyAtHand: true) == false)
        #expect(machine.wantsRequestBody)
    }

    @Test("A timestamp by the provider's clock is tried once, and then that clock is forgotten")
    func refusedTimestamp() {
        var machine = refused()
        #expect(machine.refused(.timestamp, responseIsWhole: true, bodyAtHand: true) == .followClock)
        #expect(machine.clockFollowed(responseIsWhole: true, bodyAtHand: true) == true)
        #expect(machine.hasRepeated(after: .timestampRefused))
        _ = machine.upstreamReady(reused: true)
        _ = machine.responseHead(status: 401, isInformational: false, isAuthorized: true)
        #expect(machine.refused(.timestamp, responseIsWhole: true, bodyAtHand: true) == .forgetClock)
    }

    @Test("A request whose body is gone keeps its timestamp, and the clock is followed for others")
    func goneBody() {
        var machine = refused()
        #expect(machine.refused(.timestamp, responseIsWhole: true, bodyAtHand: false) == .followClock)
        #expect(machine.clockFollowed(responseIsWhole: true, bodyAtHand: false) == false)
        machine.inspectionEnded()
        #expect(machine.responseEnded(upstreamReusable: true) == .finish(reuseUpstream: true))
    }

    // MARK: Standstills

    @Test("The client is cut off that holds a part of a response")
    func begunResponse() {
        var machine = sent()
        _ = machine.responseHead(status: 200, isInformational: false, isAuthorized: true)
        #expect(machine.stoodStill(requestIsWanted: true, upstreamTakesRequest: true) == .cutOff)
    }

    @Test("A client that sends no more of its request is refused")
    func silentClient() {
        #expect(streaming().stoodStill(requestIsWanted: true, upstreamTakesRequest: true) == .refuseRequest)
    }

    @Test("An upstream has until it takes no more of the request")
    func slowUpstream() {
        #expect(streaming().stoodStill(requestIsWanted: false, upstreamTakesRequest: true) == .goOn)
        #expect(streaming().stoodStill(requestIsWanted: false, upstreamTakesRequest: false) == .fail)
    }

    @Test("A response that is held back is no response to the client")
    func heldResponse() {
        #expect(refused().stoodStill(requestIsWanted: false, upstreamTakesRequest: false) == .fail)
    }

    @Test("Nothing stands still that is over")
    func over() {
        var machine = sent()
        machine.conclude()
        #expect(machine.stoodStill(requestIsWanted: true, upstreamTakesRequest: false) == .none)
    }
}
