import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The course of a client's request by HTTP/2")
struct HTTP2ClientStreamStateMachineTests {
    private static let deadline = NIODeadline.uptimeNanoseconds(7)
    private static let piece = ByteBuffer(string: "piece")
    private static let trailers = FieldSection(bytes: ByteBuffer(string: "a: b\r\n"), start: 0, lines: [])

    /// The states of a stream.
    enum Situation: CaseIterable {
        case requestArriving, requestArrived, requestTaken, responding, holdingPiece, responded
    }

    private func machine(_ situation: Situation = .requestArriving) -> HTTP2ClientStreamStateMachine {
        var machine = HTTP2ClientStreamStateMachine()
        switch situation {
        case .requestArriving: break
        case .requestArrived: _ = machine.requestEnded(trailers: nil)
        case .requestTaken:
            _ = machine.requestEnded(trailers: nil)
            _ = machine.takeEnd()
        case .responding: machine.headWritten(endsStream: false)
        case .holdingPiece:
            machine.headWritten(endsStream: false)
            _ = machine.bodyWritten(Self.piece)
        case .responded: machine.headWritten(endsStream: true)
        }
        return machine
    }

    /// Returns a machine whose response is out before the request has come to its end.
    private func dropping() -> HTTP2ClientStreamStateMachine {
        var machine = machine(.responded)
        _ = machine.responseWritten(requestIsComplete: false, dropUntil: Self.deadline)
        return machine
    }

    /// The size of the trailers that come with the end; nil: that is not to be handed over.
    private func takenEnd(of machine: inout HTTP2ClientStreamStateMachine) -> Int? {
        guard case .hand(let trailers) = machine.takeEnd() else { return nil }
        return trailers?.bytes.readableBytes ?? 0
    }

    // MARK: Request

    @Test("A part that is wanted is handed over, and one that comes meanwhile is kept")
    func body() {
        var machine = machine()
        #expect(machine.bodyArrived(isWanted: true) == .hand)
        #expect(machine.deliveryBegan() == false)
        #expect(machine.bodyArrived(isWanted: true) == .keep)
        machine.deliveryEnded()
        #expect(machine.bodyArrived(isWanted: false) == .keep)
        #expect(machine.deliveryBegan() == true)
        machine.deliveryEnded()
        #expect(machine.bodyArrived(isWanted: true) == .hand)
    }

    @Test("The end is held, trailers and all, until it is wanted, and handed over once")
    func requestEnd() {
        var machine = machine()
        #expect(takenEnd(of: &machine) == nil)
        #expect(machine.requestEnded(trailers: Self.trailers) == .deliver)
        #expect(machine.holdsEnd)
        #expect(machine.trailerBytes == 6)
        #expect(takenEnd(of: &machine) == 6)
        #expect(!machine.holdsEnd)
        #expect(machine.trailerBytes == 0)
        #expect(takenEnd(of: &machine) == nil)
        #expect(machine.requestEnded(trailers: nil) == .none)
    }

    @Test("A response may begin and end while the end of the request is held")
    func requestEndDuringResponse() {
        var machine = machine(.holdingPiece)
        #expect(machine.requestEnded(trailers: nil) == .deliver)
        #expect(machine.endWritten(hasTrailers: false) == .endStream(heldPiece: Self.piece))
        #expect(machine.holdsEnd)
        #expect(takenEnd(of: &machine) == 0)
    }

    // MARK: Response

    @Test("The last piece is held, so that it ends the stream")
    func lastPiece() {
        var machine = machine(.responding)
        let pieces = ["first", "second", "last"].map { ByteBuffer(string: $0) }
        #expect(machine.bodyWritten(pieces[0]) == .none)
        #expect(machine.bodyWritten(pieces[1]) == .send(pieces[0]))
        #expect(machine.pieceWanted() == .send(pieces[1]))
        #expect(machine.pieceWanted() == .none)
        #expect(machine.bodyWritten(pieces[2]) == .none)
        #expect(machine.endWritten(hasTrailers: false) == .endStream(heldPiece: pieces[2]))
        #expect(machine.pieceWanted() == .none)
    }

    @Test("Trailers end the stream behind the piece that is held, if there is one", arguments: [true, false])
    func trailers(pieceIsHeld: Bool) {
        var machine = machine(pieceIsHeld ? .holdingPiece : .responding)
        #expect(machine.endWritten(hasTrailers: true) == .sendTrailers(heldPiece: pieceIsHeld ? Self.piece : nil))
        #expect(machine.endWritten(hasTrailers: true) == .none)
    }

    @Test("A body without bytes ends with none")
    func emptyBody() {
        var machine = machine(.responding)
        #expect(machine.endWritten(hasTrailers: false) == .endStream(heldPiece: nil))
    }

    @Test("A head that ends the stream is followed by nothing")
    func headEndsStream() {
        var machine = machine(.responded)
        #expect(machine.bodyWritten(Self.piece) == .none)
        #expect(machine.endWritten(hasTrailers: true) == .none)
        #expect(machine.pieceWanted() == .none)
    }

    @Test("Nothing is sent of a body whose head was not")
    func bodyWithoutHead() {
        var machine = machine()
        #expect(machine.bodyWritten(Self.piece) == .none)
        #expect(machine.endWritten(hasTrailers: false) == .none)
        #expect(machine.isOpen)
    }

    // MARK: End

    @Test("A response that ends before its request has the rest of that dropped, for a while")
    func responseEndsFirst() {
        var machine = machine(.responded)
        #expect(machine.responseWritten(requestIsComplete: false, dropUntil: Self.deadline) == .dropRequest)
        #expect(machine.deadline == Self.deadline)
        #expect(!machine.isOpen)
        #expect(machine.bodyArrived(isWanted: true) == .drop)
        #expect(takenEnd(of: &machine) == nil)
        #expect(machine.requestEnded(trailers: nil) == .forget)
        #expect(machine.requestEnded(trailers: nil) == .none)
    }

    @Test("A request that does not end in that while is stopped")
    func dropTimeout() {
        var machine = dropping()
        #expect(machine.timeIsOver(isTaking: true) == .stopReceiving)
        #expect(machine.timeIsOver(isTaking: true) == .none)
        #expect(machine.requestEnded(trailers: nil) == .none)
    }

    @Test(
        "A response behind the end of its request ends the stream",
        arguments: [Situation.requestArrived, .requestTaken]
    )
    func requestEndsFirst(_ situation: Situation) {
        var machine = machine(situation)
        machine.headWritten(endsStream: true)
        #expect(machine.responseWritten(requestIsComplete: false, dropUntil: Self.deadline) == .forget)
        #expect(machine.responseWritten(requestIsComplete: false, dropUntil: Self.deadline) == .none)
        #expect(!machine.isOpen)
    }

    @Test("An answer to a request of which nothing more is to come ends the stream")
    func answerToCompleteRequest() {
        var machine = machine()
        #expect(machine.responseWritten(requestIsComplete: true, dropUntil: Self.deadline) == .forget)
        #expect(machine.deadline == .distantFuture)
    }

    @Test("Nothing follows from what comes after a reset", arguments: Situation.allCases)
    func reset(_ situation: Situation) {
        var machine = machine(situation)
        _ = machine.start(.response, until: Self.deadline)
        machine.end()
        expectNothing(of: &machine)
    }

    @Test("Nothing follows from what comes after a reset of a stream whose request is dropped")
    func resetWhileDropping() {
        var machine = dropping()
        machine.end()
        expectNothing(of: &machine)
    }

    @Test("Nothing follows after a reset that came while a part of the body was handed over")
    func resetWhileDelivering() {
        var machine = machine()
        _ = machine.bodyArrived(isWanted: true)
        machine.end()
        machine.deliveryEnded()
        expectNothing(of: &machine)
    }

    private func expectNothing(of machine: inout HTTP2ClientStreamStateMachine) {
        #expect(!machine.isOpen)
        #expect(machine.deadline == .distantFuture)
        #expect(machine.bodyArrived(isWanted: true) == .drop)
        #expect(machine.requestEnded(trailers: nil) == .none)
        #expect(!machine.holdsEnd)
        #expect(takenEnd(of: &machine) == nil)
        machine.headWritten(endsStream: false)
        #expect(machine.bodyWritten(Self.piece) == .none)
        #expect(machine.pieceWanted() == .none)
        #expect(machine.endWritten(hasTrailers: true) == .none)
        #expect(machine.responseWritten(requestIsComplete: true, dropUntil: Self.deadline) == .none)
        #expect(machine.start(.transfer, until: Self.deadline) == false)
        #expect(machine.deadline == .distantFuture)
        #expect(machine.timeIsOver(isTaking: true) == .none)
        #expect(!machine.isOpen)
    }

    // MARK: Time

    @Test("A transfer that stands still is told, unless the client takes what waits for it", arguments: [true, false])
    func transfer(isTaking: Bool) {
        var machine = machine()
        #expect(machine.deadline == .distantFuture)
        #expect(machine.start(.transfer, until: Self.deadline) == true)
        #expect(machine.deadline == Self.deadline)
        #expect(machine.timeIsOver(isTaking: isTaking) == (isTaking ? .goOn : .stalled))
        #expect(machine.deadline == .distantFuture)
    }

    @Test("The time for a response is over whatever the client takes")
    func response() {
        var machine = machine(.requestTaken)
        #expect(machine.start(.response, until: Self.deadline) == true)
        #expect(machine.timeIsOver(isTaking: true) == .responseTimedOut)
        #expect(machine.start(.transfer, until: Self.deadline) == true)
        #expect(machine.timeIsOver(isTaking: false) == .stalled)
    }

    @Test("What is waited for does not change with what comes and goes")
    func waitGoesOn() {
        var machine = machine()
        _ = machine.start(.response, until: Self.deadline)
        _ = machine.requestEnded(trailers: nil)
        _ = machine.takeEnd()
        machine.headWritten(endsStream: false)
        _ = machine.bodyWritten(Self.piece)
        _ = machine.pieceWanted()
        #expect(machine.timeIsOver(isTaking: true) == .responseTimedOut)
    }

    @Test("While a request is dropped, nothing else is waited for")
    func noWaitWhileDropping() {
        var machine = dropping()
        #expect(machine.start(.transfer, until: .distantPast) == false)
        #expect(machine.deadline == Self.deadline)
    }
}
