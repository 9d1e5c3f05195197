import Synchronization

/// Counts the client connections of all event loops: those that are served, and those over the limit.
final class ConnectionCounter: Sendable {
    enum Arrival {
        case admitted
        /// The connection is over the limit: to be told so, unless somebody makes room.
        case surplus(Place)
        /// One far over the limit: there is no room even for that. It is not counted.
        case turnedAway
    }

    /// The place of a connection over the limit.
    final class Place: Sendable {
        fileprivate enum Standing { case surplus, admitted, gone }
        fileprivate let standing = Mutex(Standing.surplus)

        /// Indicates whether it has not been admitted, nor ended.
        var isWaiting: Bool { standing.withLock { $0 == .surplus } }

        var isAdmitted: Bool { standing.withLock { $0 == .admitted } }
    }

    /// Tells when most of many connections have ended, so that it is worth while to give their memory back.
    struct Peak {
        /// The least number of connections that counts as many.
        static let many = 1000
        /// The divisor for what is left of them by then: a quarter.
        private static let share = 4

        /// The most that were open since it was told the last time.
        private var most = 0

        /// - Parameter open: The number of connections that there are now.
        /// - Returns: Whether most have ended; once for each time that they do.
        mutating func note(_ open: Int) -> Bool {
            if open > most { most = open }
            guard most >= Self.many, open <= most / Self.share else { return false }
            most = open
            return true
        }
    }

    private struct State {
        var admitted = 0
        var surplus = 0
        var peak = Peak()
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The number of connections, those over the limit included.
    var open: Int { state.withLock { $0.admitted + $0.surplus } }

    /// Returns the number of connections over a limit that are told so.
    static func surplus(beyond limit: Int) -> Int { max(64, limit / 10) }

    private let state = Mutex(State())
    private let abated: @Sendable () -> Void

    /// - Parameter abated: Called when most of many connections have ended, on the event loop of the last of them.
    init(abated: @escaping @Sendable () -> Void) {
        self.abated = abated
    }

    /// - Parameter isPermitted: Whether the client may have another connection, as far as others allow it.
    func arrive(limit: Int, isPermitted: Bool = true) -> Arrival {
        state.withLock { state in
            if isPermitted, state.admitted < limit {
                state.admitted += 1
                _ = state.peak.note(state.admitted + state.surplus)
                return .admitted
            }
            guard state.admitted + state.surplus < limit + Self.surplus(beyond: limit) else { return .turnedAway }
            state.surplus += 1
            _ = state.peak.note(state.admitted + state.surplus)
            return .surplus(Place())
        }
    }

    /// Another connection is about to end for this one, which stands over the limit however many do.
    func arriveAnyway() -> Place {
        state.withLock { state in
            state.surplus += 1
            _ = state.peak.note(state.admitted + state.surplus)
        }
        return Place()
    }

    /// A connection that was admitted when it arrived stands over the limit after all.
    func demote() -> Place {
        state.withLock { state in
            state.admitted -= 1
            state.surplus += 1
        }
        return Place()
    }

    /// A connection that was admitted when it arrived has ended.
    func leave() {
        end { $0.admitted -= 1 }
    }

    /// A connection that arrived over the limit has ended.
    func leave(_ place: Place) {
        end { state in
            place.standing.withLock { standing in
                if standing == .admitted { state.admitted -= 1 } else { state.surplus -= 1 }
                standing = .gone
            }
        }
    }

    /// Admits a connection that arrived over the limit.
    ///
    /// - Parameter limit: The number of those that may be admitted; nil: any, because another one is about to leave.
    /// - Returns: False when there is no room, or when the connection has ended.
    func admit(_ place: Place, limit: Int?) -> Bool {
        state.withLock { state in
            if let limit, state.admitted >= limit { return false }
            return place.standing.withLock { standing in
                guard standing == .surplus else { return false }
                standing = .admitted
                state.surplus -= 1
                state.admitted += 1
                return true
            }
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let (hasAbated, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            change(&state)
            let open = state.admitted + state.surplus
            let hasAbated = state.peak.note(open)
            guard open == 0 else { return (hasAbated, []) }
            defer { state.waiters.removeAll() }
            return (hasAbated, state.waiters)
        }
        if hasAbated { abated() }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when there is no connection, or the task is cancelled.
    func untilZero() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isZero = state.withLock { state in
                    if state.admitted + state.surplus == 0 || Task.isCancelled { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isZero { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.waiters.removeAll() }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}
