import HTTP2Codec
import NIOCore

/// The life of a client's HTTP/2 connection, as a plain value.
///
/// 1. It is *open*: idle until ``streamBegan()``, and again from ``lastStreamEnded(at:idle:codecIsIdle:)`` on. A
///    connection that is idle has a deadline, and so has a head that has begun: ``received(unfinishedHead:at:within:)``.
///    ``timerFired(at:idle:isTaking:)`` tells what follows when one of them has come.
/// 2. It is *leaving* when either side has announced the end: the client, ``goAwayReceived(codecIsIdle:)``, or the
///    proxy. ``drain()`` announces it so that requests which are on their way already are still served, until
///    ``pongReceived(codecIsIdle:)``; ``leave(codecIsIdle:)`` refuses them. It is closed when the last stream has ended
///    and all that was written for streams has gone out.
/// 3. It is *closing* from ``closeBegan()`` on, as ``OrderlyClose`` has it. Nothing that comes of it matters then, nor
///    after ``end()``, which may be without that.
///
/// `codecIsIdle` tells throughout that the codec has no stream either: what one that is over has left may still wait
/// for the client's windows.
struct HTTP2ClientConnectionStateMachine {
    enum Action: Equatable {
        case none
        /// Set the timer.
        case wait(until: NIODeadline)
        /// Announce the end, and learn with a PING when the client knows of it.
        case announceEnd
        /// Tell the client that streams which it begins from now on are not served, and set the timer.
        case refuseLaterStreams(until: NIODeadline)
        case close(HTTP2ErrorCode)
    }

    private enum Activity {
        /// The connection has no stream.
        case idle(since: NIODeadline, until: NIODeadline)
        case serving
    }

    private enum State {
        case open(Activity)
        /// The connection is to end. As long as a PONG is awaited, the client may not know of that, and its requests
        /// may be under way.
        case leaving(Activity, awaitsPong: Bool)
        /// The last frames are on their way out, or are out.
        case closing(OrderlyClose)
        case closed
    }

    /// A head that has begun and is not whole.
    private struct UnfinishedHead {
        let streamID: HTTP2StreamID
        let since: NIODeadline
        let deadline: NIODeadline
    }

    private var head: UnfinishedHead?
    private var state: State
    private var hasServed = false

    /// - Parameter deadline: The time by which the first request must have come.
    init(at now: NIODeadline, deadline: NIODeadline) {
        state = .open(.idle(since: now, until: deadline))
    }

    /// Indicates whether nothing that comes of it matters any more.
    var isClosed: Bool { activity == nil }

    /// The time at which the connection is closed unless something happens before.
    var deadline: NIODeadline {
        let headDeadline = headDeadline ?? .distantFuture
        guard case .idle(_, let deadline) = activity else { return headDeadline }
        return min(deadline, headDeadline)
    }

    /// The time at which a head has begun that is not whole; nil where none has.
    var headSince: NIODeadline? { head?.since }

    /// The time by which it must be whole.
    private var headDeadline: NIODeadline? { head?.deadline }

    /// The time since which there has been no stream, where some have been served; nil: there is one.
    var keptSince: NIODeadline? { hasServed ? idleSince : nil }

    /// The same where none has been served.
    var silentSince: NIODeadline? { hasServed ? nil : idleSince }

    private var idleSince: NIODeadline? {
        if case .idle(let since, _) = activity { since } else { nil }
    }

    /// The activity of the connection; nil when it is closing, or closed.
    private var activity: Activity? {
        switch state {
        case .open(let activity), .leaving(let activity, _): activity
        case .closing, .closed: nil
        }
    }

    private mutating func become(_ activity: Activity) {
        switch state {
        case .open: state = .open(activity)
        case .leaving(_, let awaitsPong): state = .leaving(activity, awaitsPong: awaitsPong)
        case .closing, .closed: break
        }
    }
}

// MARK: - Streams

extension HTTP2ClientConnectionStateMachine {
    mutating func streamBegan() {
        become(.serving)
    }

    /// The request of a stream is served, or refused: none of its head was malformed.
    mutating func requestBegan() {
        hasServed = true
    }

    /// - Parameter idle: The time for the next stream.
    mutating func lastStreamEnded(at now: NIODeadline, idle: TimeAmount, codecIsIdle: Bool) -> Action {
        let deadline = now + idle
        become(.idle(since: now, until: deadline))
        if isDone(codecIsIdle) { return .close(.noError) }
        return isClosed ? .none : .wait(until: deadline)
    }

    /// Notes that the rest of a stream that was over has gone out, or was dropped.
    func restSent(codecIsIdle: Bool) -> Action {
        isDone(codecIsIdle) ? .close(.noError) : .none
    }

    /// Bytes have come.
    ///
    /// - Parameters:
    ///   - streamID: The stream whose head has begun and is not whole; nil: none. The same bytes may have completed one
    ///     head and begun the next.
    ///   - now: Asked for where a head has begun.
    ///   - time: The time in which a head that has begun now must be whole.
    mutating func received(
        unfinishedHead streamID: HTTP2StreamID?,
        at now: @autoclosure () -> NIODeadline,
        within time: @autoclosure () -> TimeAmount
    ) -> Action {
        guard streamID != head?.streamID else { return .none }
        head = streamID.map { id in
            let now = now()
            return UnfinishedHead(streamID: id, since: now, deadline: now + time())
        }
        guard let head, !isClosed else { return .none }
        return .wait(until: head.deadline)
    }
}

// MARK: - End

extension HTTP2ClientConnectionStateMachine {
    /// The proxy is stopping. Requests that are on their way already are still served.
    mutating func drain() -> Action {
        guard let activity else { return .none }
        state = .leaving(activity, awaitsPong: true)
        return .announceEnd
    }

    /// The client has answered a PING, and so knows of what was sent before it.
    mutating func pongReceived(codecIsIdle: Bool) -> Action {
        guard case .leaving(let activity, awaitsPong: true) = state else { return .none }
        state = .leaving(activity, awaitsPong: false)
        return leave(codecIsIdle: codecIsIdle)
    }

    /// The client begins no more streams.
    mutating func goAwayReceived(codecIsIdle: Bool) -> Action {
        if case .open(let activity) = state { state = .leaving(activity, awaitsPong: false) }
        return isDone(codecIsIdle) ? .close(.noError) : .none
    }

    /// The connection accepts no more streams, and closes when those that are open have ended.
    mutating func leave(codecIsIdle: Bool) -> Action {
        if case .open(let activity) = state { state = .leaving(activity, awaitsPong: false) }
        if isClosed { return .none }
        return isDone(codecIsIdle) ? .close(.noError) : .refuseLaterStreams(until: deadline)
    }

    private func isDone(_ codecIsIdle: Bool) -> Bool {
        guard case .leaving(.idle, awaitsPong: false) = state else { return false }
        return codecIsIdle
    }

    /// The connection is to be closed in order.
    ///
    /// - Returns: False when it is closing already, or closed.
    mutating func closeBegan() -> Bool {
        guard !isClosed else { return false }
        state = .closing(OrderlyClose())
        return true
    }

    /// The system has taken all that was written. A client that sends nothing more is gone, and need not be told.
    mutating func outputTaken() -> OrderlyClose.OutputTakenAction {
        guard case .closing(var close) = state else { return .none }
        defer { state = .closing(close) }
        return close.outputTaken(inputHasEnded: false)
    }

    /// The connection is gone, or is to be closed without a word.
    ///
    /// - Returns: False when it is closing already, or closed.
    mutating func end() -> Bool {
        guard !isClosed else { return false }
        state = .closed
        return true
    }
}

// MARK: - Time

extension HTTP2ClientConnectionStateMachine {
    /// - Parameters:
    ///   - idle: The time in which a client must take some of what was written.
    ///   - isTaking: Whether what was written waits for the client, and it may have taken some within that time.
    mutating func timerFired(at now: NIODeadline, idle: TimeAmount, isTaking: @autoclosure () -> Bool) -> Action {
        guard let activity else { return .none }
        if let headDeadline, headDeadline <= now { return .close(.enhanceYourCalm) }
        if case .idle(let since, let deadline) = activity, deadline <= now {
            guard isTaking() else { return .close(.noError) }
            become(.idle(since: since, until: now + idle))
        }
        return .wait(until: deadline)
    }
}
