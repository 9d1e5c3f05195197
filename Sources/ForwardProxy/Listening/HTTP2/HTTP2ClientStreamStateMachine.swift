import HTTP1Codec
import NIOCore

/// The course of one request of a client that speaks HTTP/2, and of its response, as a plain value.
///
/// 1. The request *arrives*, and is handed over as far as it is wanted: ``bodyArrived(isWanted:)``, between
///    ``deliveryBegan()`` and ``deliveryEnded()``, up to ``takeEnd()``.
/// 2. The response is written: ``headWritten(endsStream:)``, ``bodyWritten(_:)``, ``endWritten(hasTrailers:)``. The last
///    piece of its body is held back, so that it can end the stream, until ``pieceWanted()``.
/// 3. The stream is over when both are through. A response that is through before its request:
///    ``responseWritten(requestIsComplete:dropUntil:)``. What still comes of the request is dropped then, for a while.
/// 4. It may be over before that: ``end()``.
struct HTTP2ClientStreamStateMachine {
    private enum RequestSide {
        case arriving
        /// Its end has come, and is not taken yet.
        case arrived(trailers: FieldSection?)
        case taken
    }

    private enum ResponseSide {
        case awaited
        case body(heldPiece: ByteBuffer?)
        case ended
    }

    enum Wait {
        /// The wait for anything to move.
        case transfer
        /// The wait for the head of the response.
        case response
    }

    private enum State {
        case open(RequestSide, ResponseSide, Wait)
        /// The response is out, and what still comes of the request is dropped.
        case dropping
        case over
    }

    private var state = State.open(.arriving, .awaited, .transfer)
    private var delivery = ReentrancyGuard()
    /// The time by which something must have moved.
    private(set) var deadline: NIODeadline = .distantFuture

    /// Indicates whether a response can still be written.
    var isOpen: Bool {
        if case .open = state { true } else { false }
    }
}

// MARK: - Request

extension HTTP2ClientStreamStateMachine {
    enum BodyAction: Equatable {
        /// Hand it over; ``deliveryEnded()`` is to be called behind that.
        case hand
        case keep
        /// Give it back to the windows.
        case drop
    }

    /// A part of the body has come.
    ///
    /// - Parameter isWanted: Whether nothing waits that came before it, and it can be taken now.
    mutating func bodyArrived(isWanted: @autoclosure () -> Bool) -> BodyAction {
        guard isOpen else { return .drop }
        guard isWanted(), delivery.enter() else { return .keep }
        return .hand
    }

    enum RequestEndAction: Equatable {
        /// Hand over what has come.
        case deliver
        /// No more comes of a request whose rest was dropped: the stream is over.
        case forget
        case none
    }

    mutating func requestEnded(trailers: FieldSection?) -> RequestEndAction {
        switch state {
        case .open(.arriving, let response, let wait):
            state = .open(.arrived(trailers: trailers), response, wait)
            return .deliver
        case .dropping:
            state = .over
            return .forget
        case .open, .over: return .none
        }
    }

    /// - Returns: Whether what has come may be handed over.
    mutating func deliveryBegan() -> Bool {
        delivery.enter()
    }

    mutating func deliveryEnded() {
        delivery.leave()
    }

    enum TakeEndAction {
        /// Hand it over.
        case hand(trailers: FieldSection?)
        /// It has not come.
        case none
    }

    /// The end of the request is wanted: nothing waits that came before it.
    mutating func takeEnd() -> TakeEndAction {
        guard case .open(.arrived(let trailers), let response, let wait) = state else { return .none }
        state = .open(.taken, response, wait)
        return .hand(trailers: trailers)
    }

    /// The size of the trailer section that waits to be taken.
    var trailerBytes: Int {
        guard case .open(.arrived(let trailers?), _, _) = state else { return 0 }
        return trailers.bytes.readableBytes
    }

    /// Indicates whether the end of the request has come, and waits to be taken.
    var holdsEnd: Bool {
        if case .open(.arrived, _, _) = state { true } else { false }
    }
}

// MARK: - Response

extension HTTP2ClientStreamStateMachine {
    /// The head of the final response is written.
    mutating func headWritten(endsStream: Bool) {
        guard case .open(let request, _, let wait) = state else { return }
        state = .open(request, endsStream ? .ended : .body(heldPiece: nil), wait)
    }

    enum PieceAction: Equatable {
        /// Send the piece that has been held.
        case send(ByteBuffer)
        case none
    }

    /// A piece of the body is written, and held.
    mutating func bodyWritten(_ piece: ByteBuffer) -> PieceAction {
        guard case .open(let request, .body(let heldPiece), let wait) = state else { return .none }
        state = .open(request, .body(heldPiece: piece), wait)
        return if let heldPiece { .send(heldPiece) } else { .none }
    }

    /// The client is to have all that was written.
    mutating func pieceWanted() -> PieceAction {
        guard case .open(let request, .body(let heldPiece?), let wait) = state else { return .none }
        state = .open(request, .body(heldPiece: nil), wait)
        return .send(heldPiece)
    }

    enum ResponseEndAction: Equatable {
        /// End the stream with the piece that was held, or with nothing where none was.
        case endStream(heldPiece: ByteBuffer?)
        /// End the stream with the trailers, behind the piece that was held if there was one.
        case sendTrailers(heldPiece: ByteBuffer?)
        case none
    }

    mutating func endWritten(hasTrailers: Bool) -> ResponseEndAction {
        guard case .open(let request, .body(let heldPiece), let wait) = state else { return .none }
        state = .open(request, .ended, wait)
        return hasTrailers ? .sendTrailers(heldPiece: heldPiece) : .endStream(heldPiece: heldPiece)
    }

    enum CompletionAction: Equatable {
        case forget
        /// Drop what waits, and set the timer.
        case dropRequest
        case none
    }

    /// The whole response is written, and what has not been taken of the request is not wanted.
    ///
    /// - Parameters:
    ///   - requestIsComplete: Whether it is known that nothing more comes of the request.
    ///   - deadline: The time until which what still comes is dropped.
    mutating func responseWritten(requestIsComplete: Bool, dropUntil deadline: NIODeadline) -> CompletionAction {
        switch state {
        case .open(.arriving, _, _) where !requestIsComplete:
            state = .dropping
            self.deadline = deadline
            return .dropRequest
        case .open:
            state = .over
            return .forget
        case .dropping, .over: return .none
        }
    }

    /// The stream is over on both sides, or was reset.
    mutating func end() {
        state = .over
        deadline = .distantFuture
    }
}

// MARK: - Time

extension HTTP2ClientStreamStateMachine {
    /// - Returns: Whether the timer is to be set.
    mutating func start(_ wait: Wait, until deadline: NIODeadline) -> Bool {
        guard case .open(let request, let response, _) = state else { return false }
        state = .open(request, response, wait)
        self.deadline = deadline
        return true
    }

    enum TimeoutAction: Equatable {
        /// Wait again for as long.
        case goOn
        case stalled
        case responseTimedOut
        /// Reset the stream, which has had its response, and forget it.
        case stopReceiving
        case none
    }

    /// - Parameter isTaking: Whether bytes wait for the client, and it has lately taken some.
    mutating func timeIsOver(isTaking: @autoclosure () -> Bool) -> TimeoutAction {
        deadline = .distantFuture
        switch state {
        case .open(_, _, .transfer): return isTaking() ? .goOn : .stalled
        case .open(_, _, .response): return .responseTimedOut
        case .dropping:
            state = .over
            return .stopReceiving
        case .over: return .none
        }
    }
}
