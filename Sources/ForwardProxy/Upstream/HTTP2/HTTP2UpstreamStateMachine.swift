import HTTP2Codec
import NIOCore
import Settings

/// The life of one upstream connection that speaks HTTP/2, as a plain value: when it takes requests, and when it ends.
///
/// 1. *Serving*: a request is leased a place (``placeLeased()``), and leaves it for a stream when it is sent. When the
///    last one has left, ``settled(at:isUnneeded:)`` makes the connection idle: for a time, or for less where it is not
///    needed.
/// 2. *Finishing*, at its greatest age, or when its server or its keeper wants it so: it takes no further requests, and
///    ends with the last one that it carries.
/// 3. *Closed*, from where nothing leads on.
struct HTTP2UpstreamStateMachine {
    private enum State {
        /// - Parameters:
        ///   - hasCarried: Whether it carries a request, or has done so.
        ///   - idle: The record of its idleness; nil while it carries requests.
        case serving(hasCarried: Bool, idle: Idle?)
        case finishing
        case closed
    }

    private struct Idle {
        let since: NIODeadline
        /// The time at which it is to be closed, unless it is needed.
        var deadline: NIODeadline
        /// The time at which it has been idle for as long as any connection may be.
        let last: NIODeadline
    }

    private var state = State.serving(hasCarried: false, idle: nil)
    /// The number of places that were leased and have no stream yet.
    private(set) var reserved = 0
    private var streams = 0
    /// The code with which the server has announced the end of the connection; nil: it has not. Independent of the state:
    /// it may come while the connection finishes for another reason.
    private var goAwayCode: HTTP2ErrorCode?
    private let idleTime: TimeAmount
    private let surplusTime: TimeAmount
    /// The time by which the server must have sent its settings, which are to come first (RFC 9113, section 3.4).
    private let settingsDeadline: NIODeadline
    /// The time at which it has reached its greatest age.
    private let endOfUse: NIODeadline

    init(madeAt now: NIODeadline, timeouts: ProxyTimeouts) {
        idleTime = timeouts.idle
        surplusTime = timeouts.surplus
        settingsDeadline = now + timeouts.handshake
        endOfUse = timeouts.endOfUse(madeAt: now)
    }

    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Indicates whether further requests may be leased places, as far as there are any.
    var takesRequests: Bool {
        if case .serving = state { true } else { false }
    }

    /// Indicates whether it is open and carries no request.
    var isUnused: Bool { reserved == 0 && streams == 0 && !isClosed }

    /// The number of requests that it carries.
    var requests: Int { reserved + streams }

    /// The time since which it has carried no request; nil while it does, or is about to end.
    var idleSince: NIODeadline? {
        if case .serving(_, let idle?) = state { idle.since } else { nil }
    }

    // MARK: Places

    /// - Returns: Whether it has carried a request before.
    mutating func placeLeased() -> Bool {
        reserved += 1
        guard case .serving(let hasCarried, _) = state else { return true }
        state = .serving(hasCarried: true, idle: nil)
        return hasCarried
    }

    /// The request is about to be sent, or never will be.
    mutating func placeLeft() {
        reserved -= 1
    }

    mutating func streamOpened() {
        streams += 1
    }

    mutating func streamEnded() {
        streams -= 1
    }

    enum SettleAction: Equatable {
        case none
        /// See to the time at which it may have been idle for long enough.
        case idle(until: NIODeadline)
        /// Tell the server, and close.
        case end
    }

    /// A request has left, or none has come yet.
    ///
    /// - Parameter isUnneeded: Whether there are enough others, or it is of no use.
    mutating func settled(at now: NIODeadline, isUnneeded: Bool) -> SettleAction {
        guard isUnused else { return .none }
        guard case .serving(let hasCarried, _) = state else { return .end }
        let deadline = now + (isUnneeded ? surplusTime : idleTime)
        let idle = Idle(since: now, deadline: deadline, last: now + idleTime)
        state = .serving(hasCarried: hasCarried, idle: idle)
        return .idle(until: deadline)
    }

    // MARK: Time

    enum TimeoutAction: Equatable {
        case none
        /// The connection has been idle for long enough.
        case close
        /// The connection has reached its greatest age.
        case finish
        /// The server has said nothing.
        case failSettings
    }

    /// - Parameters:
    ///   - hasSettings: Whether the server's settings have come.
    ///   - isUnneeded: Whether there are enough others, or it is of no use.
    mutating func timedOut(at now: NIODeadline, hasSettings: Bool, isUnneeded: Bool) -> TimeoutAction {
        switch state {
        case .serving(let hasCarried, var idle?) where idle.deadline <= now:
            guard idle.last > now, !isUnneeded else { return .close }
            idle.deadline = idle.last
            state = .serving(hasCarried: hasCarried, idle: idle)
        case .serving, .finishing: break
        case .closed: return .none
        }
        if takesRequests, endOfUse <= now { return .finish }
        return !hasSettings && settingsDeadline <= now ? .failSettings : .none
    }

    /// The next time at which ``timedOut(at:hasSettings:isUnneeded:)`` is to be asked; nil for none.
    ///
    /// - Parameter hasSettings: Whether the server's settings have come.
    func nextDeadline(hasSettings: Bool) -> NIODeadline? {
        let settings = hasSettings ? nil : settingsDeadline
        switch state {
        case .serving(_, let idle): return [idle?.deadline, endOfUse, settings].lazy.compactMap(\.self).min()
        case .finishing: return settings
        case .closed: return nil
        }
    }

    // MARK: End

    /// The server has announced the end of the connection.
    mutating func goAwayReceived(_ code: HTTP2ErrorCode) {
        goAwayCode = code
    }

    /// Returns the meaning that the end of a stream, which the server or its fault brought about, has for the request.
    ///
    /// - Parameter error: The fault; nil: the server reset the stream, or ends the connection without it.
    func failure(of code: HTTP2ErrorCode, _ error: HTTP2StreamError?) -> UpstreamFailure {
        if let error { return .malformedStream(error) }
        guard code == .refusedStream, let goAwayCode else { return .streamReset(code) }
        // A server that has too much to do is not to be asked again at once.
        return goAwayCode == .enhanceYourCalm ? .streamReset(code) : .goneAway
    }

    /// Further requests are not taken.
    mutating func finish() {
        if takesRequests { state = .finishing }
    }

    enum EndAction: Equatable {
        /// Tell everybody whose request it carries.
        case end
        case none
    }

    mutating func ended() -> EndAction {
        guard !isClosed else { return .none }
        state = .closed
        return .end
    }
}
