import HTTP2Codec
import NIOCore

/// The course of one request on an upstream connection that speaks HTTP/2, and of its response, as a plain value.
///
/// 1. A place is *reserved*, and then *leased* by ``lease(to:)``, until the request's head is written:
///    ``opened(_:isComplete:at:)``, and ``endWritten()`` where the request is not complete with that.
/// 2. What comes of the response is handed over between ``deliveryBegan()`` and ``deliveryEnded()``.
/// 3. It is over when the lessee leaves it, ``end()``, or has been told that it is *gone*: the server or the connection
///    ended it, ``gone(_:)``, and all that had come before has been taken, ``takeFailure()``.
///
/// `Lessee` is whoever has leased it.
struct HTTP2UpstreamStreamStateMachine<Lessee> {
    private enum RequestSide {
        case writing
        case written
    }

    private enum State {
        /// Nobody has leased it yet.
        case reserved
        /// No request has been written yet.
        case leased(Lessee)
        case open(Lessee, HTTP2StreamID, RequestSide, since: NIODeadline)
        /// The stream is no more, but what had come before that is not taken yet.
        case gone(Lessee, UpstreamFailure)
        case over
    }

    private var state = State.reserved
    /// The guard of what hands over the response, which may bring about the end of the lease.
    private var delivery = ReentrancyGuard()

    /// The stream's number, as long as it is open.
    var openID: HTTP2StreamID? {
        if case .open(_, let id, _, _) = state { id } else { nil }
    }

    /// The exchange that has leased it; nil before the lease, and when it is over.
    var lessee: Lessee? {
        switch state {
        case .leased(let lessee), .open(let lessee, _, _, _), .gone(let lessee, _): lessee
        case .reserved, .over: nil
        }
    }

    /// Indicates whether a request can be written.
    var takesRequest: Bool {
        if case .leased = state { true } else { false }
    }

    /// Indicates whether the whole request is written.
    var requestIsWritten: Bool {
        if case .open(_, _, .written, _) = state { true } else { false }
    }

    /// Returns whether the connection may be dead: the request was begun, and nothing has come since.
    ///
    /// - Parameter lastReceived: The time at which something came on the connection.
    func isUnanswered(lastReceived: NIODeadline) -> Bool {
        guard case .open(_, _, _, let start) = state else { return false }
        return lastReceived <= start
    }
}

// MARK: - Request

extension HTTP2UpstreamStreamStateMachine {
    /// The place is given to whoever writes a request, and is told of the response.
    mutating func lease(to lessee: Lessee) {
        guard case .reserved = state else { return }
        state = .leased(lessee)
    }

    /// The head of the request is written.
    ///
    /// - Parameter isComplete: Whether there is nothing behind it, or what there is is at hand.
    mutating func opened(_ id: HTTP2StreamID, isComplete: Bool, at now: NIODeadline) {
        guard case .leased(let lessee) = state else { return }
        state = .open(lessee, id, isComplete ? .written : .writing, since: now)
    }

    /// The request has come to its end.
    ///
    /// - Returns: The stream on which that is to be written; nil: on none.
    mutating func endWritten() -> HTTP2StreamID? {
        guard case .open(let lessee, let id, .writing, let start) = state else { return nil }
        state = .open(lessee, id, .written, since: start)
        return id
    }
}

// MARK: - Response

extension HTTP2UpstreamStreamStateMachine {
    /// - Returns: Whether what has come may be handed over.
    mutating func deliveryBegan() -> Bool {
        delivery.enter()
    }

    mutating func deliveryEnded() {
        delivery.leave()
    }
}

// MARK: - End

extension HTTP2UpstreamStreamStateMachine {
    /// The stream is no more, and it was not this side that ended it.
    mutating func gone(_ failure: UpstreamFailure) {
        switch state {
        case .reserved: state = .over
        case .leased(let lessee), .open(let lessee, _, _, _): state = .gone(lessee, failure)
        case .gone, .over: break
        }
    }

    /// All that had come has been taken.
    ///
    /// - Returns: The lessee who is to be told that the stream is gone, and why; nil: nobody is.
    mutating func takeFailure() -> (lessee: Lessee, failure: UpstreamFailure)? {
        guard case .gone(let lessee, let failure) = state else { return nil }
        state = .over
        return (lessee, failure)
    }

    enum EndAction: Equatable {
        case giveBackPlace
        /// Reset the stream where that was asked for, and forget it.
        case forget(HTTP2StreamID)
        case none
    }

    /// The lessee needs it no longer.
    mutating func end() -> EndAction {
        defer { state = .over }
        switch state {
        case .reserved, .leased: return .giveBackPlace
        case .open(_, let id, _, _): return .forget(id)
        case .gone, .over: return .none
        }
    }
}
