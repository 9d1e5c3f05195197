import NIOCore

/// The life of one upstream connection that speaks HTTP/1.1, as a plain value.
///
/// 1. *Idle*, as it begins: whatever it receives, an end included, closes it. While ``isUsable(at:)`` it may be leased.
/// 2. *Leased* by ``lease(to:)``, for one request: what comes is decoded and handed to the lessee, as long as that takes
///    it. While it does not, the connection is not read (``read(lesseeTakesBytes:)``).
/// 3. ``released(reusable:unreadBytes:)`` makes it idle again, or closes it.
/// 4. The end of the input (``inputEnded(isAnnounced:)``) is kept until the lessee has taken what came before it
///    (``drained()``): then it may be the end of the response.
/// 5. *Closed*, from where nothing leads on; so is what has become a tunnel by ``switchProtocols()``.
///
/// `Lessee` is whoever has leased it.
struct UpstreamConnectionStateMachine<Lessee> {
    private enum State {
        case idle(isNew: Bool)
        // The lessee apart from the rest, which is asked for many times for each request: so nothing is retained for it.
        case leased(Lessee, Lease)
        case closed
    }

    private struct Lease {
        let isReused: Bool
        var input = Input.open
        var lastHeadKeepsAlive = false
        var heldRead = HeldRead()
    }

    enum Input: Equatable {
        case open
        case ended
        /// The upstream has ended without TLS's having announced it, which may be an attacker's doing.
        case cutOff
    }

    private var state = State.idle(isNew: true)
    /// The guard of what hands over a run of events. Independent of the state: within the run the lease may end, and the
    /// next one begin.
    private var delivery = ReentrancyGuard()
    /// The time at which it has reached its greatest age.
    private let endOfUse: NIODeadline

    init(endOfUse: NIODeadline) {
        self.endOfUse = endOfUse
    }

    // MARK: Lease

    /// Returns whether another request may be sent on it.
    func isUsable(at now: NIODeadline) -> Bool {
        if case .idle = state { now < endOfUse } else { false }
    }

    /// The one that has leased it; nil while nobody has.
    var lessee: Lessee? {
        if case .leased(let lessee, _) = state { lessee } else { nil }
    }

    /// Indicates whether it is leased, and not for the first time.
    var isReused: Bool {
        if case .leased(_, let lease) = state { lease.isReused } else { false }
    }

    enum LeaseAction: Equatable {
        case begin
        /// The connection is not idle.
        case refuse
    }

    mutating func lease(to lessee: Lessee) -> LeaseAction {
        guard case .idle(let isNew) = state else { return .refuse }
        state = .leased(lessee, Lease(isReused: !isNew))
        return .begin
    }

    enum ReleaseAction: Equatable {
        /// Keep it for another request.
        ///
        /// - Parameter read: Whether a read that was held is to be made up for.
        case keep(read: Bool)
        case close
        case none
    }

    /// The lease ends.
    ///
    /// - Parameters:
    ///   - reusable: Whether request and response are through, and the connection may carry others.
    ///   - unreadBytes: The number of bytes that have come and belong to no response.
    mutating func released(reusable: Bool, unreadBytes: Int) -> ReleaseAction {
        switch state {
        case .idle where reusable:
            // From now on it may be gone without our having noticed.
            state = .idle(isNew: false)
            return .keep(read: false)
        case .leased(_, let lease) where reusable && lease.input == .open && unreadBytes == 0:
            state = .idle(isNew: false)
            return .keep(read: lease.heldRead.isHeld)
        case .idle, .leased:
            state = .closed
            return .close
        case .closed: return .none
        }
    }

    enum SwitchAction: Equatable {
        /// Its bytes are the tunnel's.
        ///
        /// - Parameters:
        ///   - input: The state of the input, which the tunnel is to be told.
        ///   - read: Whether a read that was held is to be made up for.
        case handOver(input: Input, read: Bool)
        case refuse
    }

    mutating func switchProtocols() -> SwitchAction {
        guard case .leased(_, let lease) = state else { return .refuse }
        state = .closed
        return .handOver(input: lease.input, read: lease.heldRead.isHeld)
    }

    // MARK: Input

    /// Decides whether the channel is read.
    mutating func read(lesseeTakesBytes: Bool) -> HeldRead.Action {
        guard !lesseeTakesBytes, case .leased(let lessee, var lease) = state else { return .read }
        defer { state = .leased(lessee, lease) }
        return lease.heldRead.requested(hasRoom: false)
    }

    /// The lessee takes bytes again.
    mutating func readResumed() -> HeldRead.Action {
        guard case .leased(let lessee, var lease) = state, lease.heldRead.isHeld else { return .hold }
        defer { state = .leased(lessee, lease) }
        return lease.heldRead.released()
    }

    enum BytesAction: Equatable {
        case decode
        /// The bytes answer no request.
        case closeIdle
        case discard
    }

    mutating func bytesReceived() -> BytesAction {
        switch state {
        case .leased: return .decode
        case .idle:
            state = .closed
            return .closeIdle
        case .closed: return .discard
        }
    }

    enum InputEndAction: Equatable {
        case deliver
        case closeIdle
        case none
    }

    /// - Parameter isAnnounced: Whether TLS, where it is spoken, said that there would be no more.
    mutating func inputEnded(isAnnounced: Bool) -> InputEndAction {
        switch state {
        case .leased(let lessee, var lease):
            guard lease.input == .open else { return .none }
            lease.input = isAnnounced ? .ended : .cutOff
            state = .leased(lessee, lease)
            return .deliver
        case .idle:
            state = .closed
            return .closeIdle
        case .closed: return .none
        }
    }

    // MARK: Response

    /// - Returns: Whether events may be handed over now: to a lessee, and by nobody else already.
    mutating func deliveryBegins() -> Bool {
        guard case .leased = state else { return false }
        return delivery.enter()
    }

    mutating func deliveryEnded() {
        delivery.leave()
    }

    mutating func responseHead(keepsAlive: Bool) {
        guard case .leased(let lessee, var lease) = state else { return }
        lease.lastHeadKeepsAlive = keepsAlive
        state = .leased(lessee, lease)
    }

    /// Returns whether the connection could carry another request, where the response has ended.
    ///
    /// - Parameter unreadBytes: The number of bytes that have come behind it.
    func isReusable(unreadBytes: Int) -> Bool {
        guard case .leased(_, let lease) = state else { return false }
        return lease.lastHeadKeepsAlive && lease.input == .open && unreadBytes == 0
    }

    enum DrainAction: Equatable {
        case awaitBytes
        /// No more will come, which may be the end of the response.
        case finish
        /// No more will come, and what there is may not be all.
        case fail
    }

    /// The lessee has taken all that could be decoded of what has come.
    func drained() -> DrainAction {
        guard case .leased(_, let lease) = state else { return .awaitBytes }
        switch lease.input {
        case .open: return .awaitBytes
        case .ended: return .finish
        case .cutOff: return .fail
        }
    }

    // MARK: End

    enum CloseAction: Equatable {
        case close
        case none
    }

    /// Closes it, as whoever uses or keeps it wants.
    mutating func close() -> CloseAction {
        if case .closed = state { return .none }
        state = .closed
        return .close
    }

    enum TimeoutAction: Equatable {
        case closeIdle
        case none
    }

    /// Decides on a connection that has not been leased for as long as it may be idle.
    mutating func idleTimedOut() -> TimeoutAction {
        guard case .idle = state else { return .none }
        state = .closed
        return .closeIdle
    }

    enum FailureAction {
        /// Close it, and tell the lessee.
        case failLease(Lessee)
        case closeIdle
        case none
    }

    /// The connection is of no use any more.
    mutating func failed() -> FailureAction {
        defer { state = .closed }
        switch state {
        case .idle: return .closeIdle
        case .leased(let lessee, _): return .failLease(lessee)
        case .closed: return .none
        }
    }
}

extension UpstreamConnectionStateMachine.FailureAction: Equatable where Lessee: Equatable {}
