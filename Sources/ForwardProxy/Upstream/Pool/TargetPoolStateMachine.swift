/// The knowledge of one event loop about a target, and the decision whether another connection is made for the requests
/// that wait there. One at a time: it may have room for all.
///
/// 1. *Idle*, as it begins.
/// 2. *Awaiting room*: the first request lacks windows alone, which the server may give back.
/// 3. *Claiming*: whether another connection may be made is being found out.
/// 4. *Connecting*: it is being made.
struct TargetPoolStateMachine {
    enum Action: Equatable {
        case none
        case connect
        /// ``roomTimePassed(_:isNeeded:)`` is to be called with the number when the time for room is over.
        case awaitRoom(Int)
    }

    private enum State {
        case idle
        /// Room is awaited, in the wait of this number: a request without a body may end it before its time.
        case awaitingRoom(Int)
        case claiming
        case connecting(ConnectionClaim)
    }

    private enum Search {
        case none
        case going
        /// A search that may have made another connection necessary on its way.
        case toBeRepeated
    }

    private var state = State.idle
    /// Independent of the state: what a search meets with may take that from any case to any other.
    private var search = Search.none
    private var waits = 0
    /// The number of connections that have been begun.
    private(set) var attempts = 0
    /// Indicates whether those that wait are being given places. Independent of the state and of the search: a request
    /// that has its place may bring a search about, and a search that fails to make a connection gives out places.
    private var isServing = false
    /// Indicates whether the target spoke HTTP/1.1 the last time, so that each request that waits needs a connection.
    /// Independent of the state: connections that are made for one request alone tell it too.
    private(set) var speaksHTTP1 = false

    var isConnecting: Bool {
        switch state {
        case .idle, .awaitingRoom: false
        case .claiming, .connecting: true
        }
    }

    /// The claim that the connection which is being made is counted by; nil: none is being made, or none is claimed yet.
    var claim: ConnectionClaim? {
        if case .connecting(let claim) = state { claim } else { nil }
    }

    // MARK: Places

    /// - Returns: False when those that wait are being given places already.
    mutating func beginServing() -> Bool {
        guard !isServing else { return false }
        isServing = true
        return true
    }

    enum ServedAction: Equatable {
        /// Decide on further connections.
        case search
        /// Have the connections end that speak HTTP/2: nobody waits for their places.
        case finishShared
        case none
    }

    /// Those that wait have been given all places that there are.
    ///
    /// - Parameter isRetired: Whether nothing is kept any more.
    mutating func endServing(requestsWait: Bool, isRetired: Bool) -> ServedAction {
        isServing = false
        if requestsWait { return .search }
        return isRetired ? .finishShared : .none
    }

    // MARK: The search for requests that need a connection

    /// Decides on further connections; called when requests may need another than there is.
    ///
    /// - Returns: False when that is being seen to already.
    mutating func beginSearch() -> Bool {
        guard case .none = search else {
            search = .toBeRepeated
            return false
        }
        search = .going
        return true
    }

    /// - Returns: Whether it goes on from the beginning.
    mutating func repeatSearch() -> Bool {
        guard case .toBeRepeated = search else {
            search = .none
            return false
        }
        search = .going
        return true
    }

    // MARK: A connection

    /// A request waits for which there is no place.
    ///
    /// - Parameter lacksWindows: Whether nothing but windows are lacking, which the server may give back.
    mutating func requestWaits(lacksWindows: Bool) -> Action {
        switch state {
        case .claiming, .connecting: return .none
        case .awaitingRoom where lacksWindows: return .none
        case .idle where lacksWindows:
            waits += 1
            state = .awaitingRoom(waits)
            return .awaitRoom(waits)
        case .idle, .awaitingRoom:
            begin()
            return .connect
        }
    }

    /// The time for room is over.
    ///
    /// - Parameters:
    ///   - wait: The number that ``Action/awaitRoom(_:)`` came with.
    ///   - isNeeded: Whether a request still waits for which a connection would be of use.
    mutating func roomTimePassed(_ wait: Int, isNeeded: Bool) -> Action {
        guard case .awaitingRoom(wait) = state else { return .none }
        guard isNeeded else {
            state = .idle
            return .none
        }
        begin()
        return .connect
    }

    private mutating func begin() {
        state = .claiming
        attempts += 1
    }

    /// The connection may be made.
    mutating func claimed(_ claim: ConnectionClaim) {
        guard case .claiming = state else { return }
        state = .connecting(claim)
    }

    /// The target has been connected to.
    mutating func connected(byHTTP1: Bool) {
        speaksHTTP1 = byHTTP1
    }

    /// The connection has been made, or could not be.
    mutating func attemptEnded() {
        state = .idle
    }
}
