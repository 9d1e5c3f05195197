/// The course of one request and its response, as a plain value.
///
/// 1. ``start(body:expectsContinue:)``: a body that takes part in the signature is collected first; otherwise the
///    request is prepared at once, and its body stays unread until an upstream connection is there.
/// 2. *Preparing*: credentials and a connection are awaited; ``upstreamReady(reused:)`` then sends the head.
/// 3. *Sending*: a body that streams goes through piece by piece; ``requestEnded()`` ends it.
/// 4. The response: ``responseHead(status:isInformational:isAuthorized:)``, its body,
/// ``responseEnded(upstreamReusable:)``.
/// 5. It is finished when both sides are, and *over* with ``conclude()``. An upstream that goes away before that:
///    ``upstreamEnded(_:bodyAtHand:)``. The proxy that cannot go on: ``failed()``.
///
/// A request is sent again only when that is safe, and never twice for one cause; except that servers which end a
/// connection after a number of requests may do so to several in a row (``mostRepeatsAfterGoAway``).
struct ExchangeStateMachine {
    enum BodyHandling: Equatable {
        /// The body is sent on as it arrives (or there is none).
        case stream
        /// The body is needed before the head can be signed; at most this many bytes.
        case collect(limit: Int)
    }

    enum RepeatCause: String, CaseIterable {
        /// A pooled connection had been closed by the upstream in the meantime.
        case staleConnection = "stale_connection"
        /// The upstream refused the request's stream, for it has enough to do.
        case streamRefused = "stream_refused"
        /// The upstream wants the request by HTTP/1.1.
        case http1Required = "http1_required"
        /// The provider refused the token.
        case tokenRefused = "token_refused"
        /// The provider refused the timestamp.
        case timestampRefused = "timestamp_refused"
        /// The upstream ended the connection, and said that it has not processed the request.
        case goneAway = "gone_away"
    }

    /// The part of a request that a provider has refused, and that may be replaced.
    enum RefusedPart: Equatable {
        case token
        case timestamp
    }

    /// `isWhole`: whether the client's whole request has been read; `isReused`: whether the connection that it is sent on
    /// carried others before.
    private enum RequestSide: Equatable {
        case collecting(bytes: Int, limit: Int)
        case preparing(isWhole: Bool)
        case streaming(isReused: Bool)
        /// The request is being written, and held up where the upstream has not taken all of it.
        case sent(isReused: Bool, isHeldUp: Bool)
        /// The request is over: nothing more goes upstream.
        case abandoned(isWhole: Bool)

        var isWhole: Bool {
            switch self {
            case .collecting, .streaming: false
            case .preparing(let isWhole), .abandoned(let isWhole): isWhole
            case .sent: true
            }
        }

        var isReused: Bool {
            switch self {
            case .streaming(let isReused), .sent(let isReused, _): isReused
            case .collecting, .preparing, .abandoned: false
            }
        }
    }

    private enum ResponseSide: Equatable {
        case awaited
        case informed
        case inspecting
        case forwarding
        /// Its head was taken back before it went to the client; interim responses may have gone.
        case withdrawn
        /// The response is complete; the value tells whether the upstream's connection can carry another request.
        case complete(upstreamReusable: Bool)

        /// Indicates whether the final response's head has gone to the client.
        var hasBegun: Bool {
            switch self {
            case .awaited, .informed, .inspecting, .withdrawn: false
            case .forwarding, .complete: true
            }
        }
    }

    private enum State {
        case running(RequestSide, ResponseSide)
        /// It has ended, whichever way: nothing more is to happen.
        case over
    }

    /// The interim responses (RFC 9110, section 15.2) that the client is sent.
    private enum InterimResponses {
        case all
        /// The client has been told to go on with its body, in place of the upstream.
        case allButContinue
        case none
    }

    /// The number of times that a request is sent again that came too late for connections which the upstream ended.
    static let mostRepeatsAfterGoAway = 5

    private let isIdempotent: Bool
    private var interimResponses: InterimResponses
    private var state = State.running(.preparing(isWhole: false), .awaited)
    private var repeated: Set<RepeatCause> = []
    private var goAways = 0

    /// - Parameter takesInterimResponses: Whether the client's version of HTTP knows interim responses.
    init(isIdempotent: Bool, takesInterimResponses: Bool = true) {
        self.isIdempotent = isIdempotent
        interimResponses = takesInterimResponses ? .all : .none
    }

    /// Indicates whether nothing more is to happen.
    var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// Indicates whether the next piece of the client's request is wanted, as far as the order of events goes.
    var wantsRequestBody: Bool {
        switch state {
        case .running(.collecting, _), .running(.streaming, _): true
        case .running(.preparing, _), .running(.sent, _), .running(.abandoned, _), .over: false
        }
    }

    /// Indicates whether a response has begun to come, an interim one included, and was not held back: from then on
    /// nothing more of the body is kept to be sent again.
    var responseHasBegun: Bool {
        switch state {
        case .running(_, .awaited), .running(_, .inspecting), .over: false
        case .running(_, .informed), .running(_, .forwarding), .running(_, .withdrawn), .running(_, .complete): true
        }
    }

    /// Indicates whether the final response's head has gone to the client.
    var finalResponseHasBegun: Bool {
        if case .running(_, let response) = state { response.hasBegun } else { false }
    }

    /// Indicates whether no more of the client's request is to be read.
    var requestIsComplete: Bool {
        if case .running(let request, _) = state { request.isWhole } else { true }
    }

    /// Indicates whether more of a body is to come that is collected.
    var isCollecting: Bool {
        if case .running(.collecting, _) = state { true } else { false }
    }

    var isAwaitingResponseHead: Bool {
        switch state {
        case .running(.sent, .awaited), .running(.sent, .informed): true
        case .running, .over: false
        }
    }

    // MARK: Request

    enum StartAction: Equatable {
        case collect(sendContinue: Bool)
        case prepare
    }

    mutating func start(body: BodyHandling, expectsContinue: Bool) -> StartAction {
        switch body {
        case .stream: return .prepare
        case .collect(let limit):
            state = .running(.collecting(bytes: 0, limit: limit), .awaited)
            if expectsContinue, interimResponses == .all { interimResponses = .allButContinue }
            return .collect(sendContinue: expectsContinue)
        }
    }

    enum RequestBodyAction: Equatable {
        case keep
        case refuseTooLarge(limit: Int)
        case forward
        case discard
    }

    mutating func requestBody(bytes count: Int) -> RequestBodyAction {
        switch state {
        case .running(.collecting(let bytes, let limit), let response):
            guard bytes + count <= limit else {
                state = .running(.abandoned(isWhole: false), response)
                return .refuseTooLarge(limit: limit)
            }
            state = .running(.collecting(bytes: bytes + count, limit: limit), response)
            return .keep
        case .running(.streaming, _): return .forward
        case .running(.preparing, _), .running(.sent, _), .running(.abandoned, _), .over: return .discard
        }
    }

    enum RequestEndAction: Equatable {
        /// The body is collected: get credentials and a connection.
        case prepare
        /// Send the end of the body upstream.
        case forward
        /// Send the end of the body upstream; the response is already through.
        case forwardAndFinish(reuseUpstream: Bool)
        case none
    }

    mutating func requestEnded() -> RequestEndAction {
        guard case .running(let request, let response) = state else { return .none }
        switch request {
        case .collecting:
            state = .running(.preparing(isWhole: true), response)
            return .prepare
        case .streaming(let isReused):
            state = .running(.sent(isReused: isReused, isHeldUp: false), response)
            guard case .complete(let upstreamReusable) = response else { return .forward }
            return .forwardAndFinish(reuseUpstream: upstreamReusable)
        case .preparing: state = .running(.preparing(isWhole: true), response)
        case .abandoned: state = .running(.abandoned(isWhole: true), response)
        case .sent: break
        }
        return .none
    }

    // MARK: Upstream

    /// The head goes out now, with everything of the body that is at hand.
    /// - Returns: Whether the request is then complete.
    mutating func upstreamReady(reused: Bool) -> Bool {
        guard case .running(let request, let response) = state else { return false }
        let isWhole = request.isWhole
        let next = isWhole ? RequestSide.sent(isReused: reused, isHeldUp: false) : .streaming(isReused: reused)
        state = .running(next, response)
        return isWhole
    }

    enum ResponseWaitAction: Equatable {
        /// The time for the head of the response begins now.
        case awaitResponse
        /// The same, and the upstream has said that it is at work.
        case awaitAnnouncedResponse
        /// Bytes have moved.
        case progress
        case none
    }

    /// The whole request is written. The time for the response begins when it has been sent.
    ///
    /// - Parameter isHeldUp: Whether the upstream has not taken all of it.
    mutating func requestWritten(isHeldUp: Bool) -> ResponseWaitAction {
        guard setHeldUp(isHeldUp) else { return .progress }
        return isHeldUp ? .progress : .awaitResponse
    }

    /// The upstream has begun, or ended, to take what is written to its connection, which other requests may share.
    mutating func upstreamTakes(isHeldUp: Bool) -> ResponseWaitAction {
        guard isAwaitingResponseHead, case .running(.sent(_, !isHeldUp), _) = state else { return .none }
        return requestWritten(isHeldUp: isHeldUp)
    }

    /// An interim response has come, which says that the upstream is at work: from then on it may be silent for longer.
    mutating func responseAnnounced(isHeldUp: Bool) -> ResponseWaitAction {
        setHeldUp(isHeldUp) ? .awaitAnnouncedResponse : .progress
    }

    /// - Returns: False when no head of a response is awaited.
    private mutating func setHeldUp(_ isHeldUp: Bool) -> Bool {
        guard isAwaitingResponseHead, case .running(let request, let response) = state else { return false }
        state = .running(.sent(isReused: request.isReused, isHeldUp: isHeldUp), response)
        return true
    }

    enum ResponseHeadAction: Equatable {
        case forwardInterim
        /// The client knows no interim response, or has had this one.
        case dropInterim
        case forward
        /// Hold the response back: it may refuse the signature or the token.
        case inspect
    }

    /// - Parameter isAuthorized: Whether the request carries a signature or a token that may be refused, and of whose
    ///   refusal something can be said. Only asked where the status may be a refusal's.
    mutating func responseHead(
        status: Int,
        isInformational: Bool,
        isAuthorized: @autoclosure () -> Bool
    ) -> ResponseHeadAction {
        guard case .running(let request, _) = state else { return .dropInterim }
        if isInformational {
            state = .running(request, .informed)
            return forwardsInterim(status) ? .forwardInterim : .dropInterim
        }
        if Self.mayRefuse(status), isAuthorized() {
            state = .running(request, .inspecting)
            return .inspect
        }
        state = .running(request, .forwarding)
        return .forward
    }

    private func forwardsInterim(_ status: Int) -> Bool {
        switch interimResponses {
        case .all: true
        case .allButContinue: status != 100
        case .none: false
        }
    }

    /// Returns whether providers refuse signatures and tokens with the status.
    private static func mayRefuse(_ status: Int) -> Bool { status == 400 || status == 401 || status == 403 }

    /// The response that was held back goes to the client after all.
    mutating func inspectionEnded() {
        guard case .running(let request, _) = state else { return }
        let isWhole = request.isWhole
        state = .running(isWhole ? .sent(isReused: request.isReused, isHeldUp: false) : request, .forwarding)
    }

    enum ResponseEndAction: Equatable {
        case finish(reuseUpstream: Bool)
        /// The upstream answered early and keeps the connection: it gets the rest of the request.
        case continueRequest
        /// The upstream answered early and does not read on: the rest of the request is dropped.
        case finishUnread
    }

    mutating func responseEnded(upstreamReusable: Bool) -> ResponseEndAction {
        guard case .running(let request, _) = state else { return .finishUnread }
        let response = ResponseSide.complete(upstreamReusable: upstreamReusable)
        state = .running(request, response)
        switch request {
        case .sent: return .finish(reuseUpstream: upstreamReusable)
        case .streaming where upstreamReusable: return .continueRequest
        case .collecting, .preparing, .streaming, .abandoned:
            state = .running(.abandoned(isWhole: request.isWhole), response)
            return .finishUnread
        }
    }

    /// The response that was begun goes no further than this proxy: nothing of it has been sent.
    mutating func responseWithdrawn() {
        if case .running(let request, .forwarding) = state { state = .running(request, .withdrawn) }
    }

    // MARK: Sending again

    enum RefusalAction: Equatable {
        /// Have the token renewed, and send the request again with the new one.
        case renew
        /// The request cannot be sent again; those after it get a new token.
        case renewForOthers
        /// Follow the provider's clock, if the response tells another time: ``clockFollowed(responseIsWhole:bodyAtHand:)``.
        case followClock
        /// The clock that was followed is not the provider's.
        case forgetClock
    }

    /// The provider has refused the token or the timestamp.
    ///
    /// - Parameter responseIsWhole: Whether the refusal came to its end; otherwise the request is not sent again.
    mutating func refused(_ part: RefusedPart, responseIsWhole: Bool, bodyAtHand: Bool) -> RefusalAction {
        switch part {
        case .token:
            responseIsWhole && repeatAfter(.tokenRefused, bodyAtHand: bodyAtHand) ? .renew : .renewForOthers
        case .timestamp:
            responseIsWhole && hasRepeated(after: .timestampRefused) ? .forgetClock : .followClock
        }
    }

    /// The provider's clock is followed from now on.
    ///
    /// - Returns: Whether the request is sent again, with another timestamp.
    mutating func clockFollowed(responseIsWhole: Bool, bodyAtHand: Bool) -> Bool {
        responseIsWhole && repeatAfter(.timestampRefused, bodyAtHand: bodyAtHand)
    }

    /// Returns whether the whole request may be sent again, now that the cause of its refusal is removed.
    private mutating func repeatAfter(_ cause: RepeatCause, bodyAtHand: Bool) -> Bool {
        guard bodyAtHand, case .running(let request, _) = state, request.isWhole, repeated.insert(cause).inserted else {
            return false
        }
        state = .running(.preparing(isWhole: true), .awaited)
        return true
    }

    func hasRepeated(after cause: RepeatCause) -> Bool { repeated.contains(cause) }

    enum UpstreamEndAction: Equatable {
        /// Prepare again, on a connection that is new, or on one that has come in the meantime.
        case repeatOnNewConnection(because: RepeatCause)
        /// The client has received nothing: answer with a problem.
        case fail
        /// The client holds a part of a response: its connection must be cut.
        case abort
        /// The response is through; the rest of the request is dropped.
        case finishUnread
        case none
    }

    mutating func upstreamEnded(_ end: UpstreamEnd, bodyAtHand: Bool) -> UpstreamEndAction {
        guard case .running(let request, let response) = state else { return .none }
        let abandoned = State.running(.abandoned(isWhole: request.isWhole), response)
        switch response {
        case .awaited, .informed:
            if bodyAtHand, let cause = repeatCause(after: end, request, response) {
                state = .running(.preparing(isWhole: request.isWhole), response)
                return .repeatOnNewConnection(because: cause)
            }
            state = abandoned
            return .fail
        case .inspecting, .withdrawn:
            state = abandoned
            return .fail
        case .forwarding:
            state = abandoned
            return .abort
        case .complete:
            if case .sent = request { return .none }
            state = abandoned
            return .finishUnread
        }
    }

    /// Returns the cause that the request may be sent again for, and notes that it is; nil when it may not. Where it was
    /// not processed, the method does not matter, nor whether interim responses came (RFC 9113, section 8.7).
    private mutating func repeatCause(
        after end: UpstreamEnd,
        _ request: RequestSide,
        _ response: ResponseSide
    ) -> RepeatCause? {
        switch end {
        case .connection:
            guard request.isReused, isIdempotent, response == .awaited else { return nil }
            return repeated.insert(.staleConnection).inserted ? .staleConnection : nil
        case .stream: return nil
        case .streamRefused: return repeated.insert(.streamRefused).inserted ? .streamRefused : nil
        case .http1Required: return repeated.insert(.http1Required).inserted ? .http1Required : nil
        case .goneAway:
            goAways += 1
            return goAways <= Self.mostRepeatsAfterGoAway ? .goneAway : nil
        }
    }

    // MARK: Standstill

    enum StandstillAction: Equatable {
        /// The client holds a part of a response: its connection must be cut.
        case cutOff
        /// The client sends no more of its request.
        case refuseRequest
        /// The upstream takes no more of the request.
        case fail
        /// Bytes have moved all the same.
        case goOn
        case none
    }

    /// Nothing of the request or the response has come for as long as it may.
    ///
    /// - Parameters:
    ///   - requestIsWanted: Whether it is for the client to send.
    ///   - upstreamTakesRequest: Whether the upstream has taken some of what waits to be sent.
    func stoodStill(requestIsWanted: Bool, upstreamTakesRequest: @autoclosure () -> Bool) -> StandstillAction {
        guard case .running(_, let response) = state else { return .none }
        if response.hasBegun { return .cutOff }
        if requestIsWanted { return .refuseRequest }
        return upstreamTakesRequest() ? .goOn : .fail
    }

    // MARK: The end

    enum FailureAction: Equatable {
        /// Answer in place of the upstream.
        ///
        /// - Parameter requestIsComplete: Whether the client's whole request has been read.
        case answer(requestIsComplete: Bool)
        /// The client holds a part of a response: its connection must be cut.
        case cutOff
        case none
    }

    /// The proxy ends the exchange, since it cannot go on.
    mutating func failed() -> FailureAction {
        guard case .running(let request, let response) = state else { return .none }
        state = .over
        return response.hasBegun ? .cutOff : .answer(requestIsComplete: request.isWhole)
    }

    /// Ends the exchange, whichever way.
    mutating func conclude() {
        state = .over
    }
}
