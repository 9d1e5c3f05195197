import NIOCore

/// A request's wait for a token, for whoever may give the request up. It is over after a limited time, whatever keeps the
/// token away: a provider that is slow, another process that has the account's turn at exchanging, the store.
final class TokenWait {
    typealias Completion = (Result<ReadyAuthorization, Problem>?) -> Void

    private enum State {
        /// The time has not begun.
        case created
        /// The token is looked for, until the timer fires.
        case lookingUp(Scheduled<Void>)
        /// An exchange is waited for; `giveUp` gives the place among those who wait for it back.
        case inLine(Scheduled<Void>, giveUp: () -> Void)
        case over
    }

    /// The client whose request it is.
    let client: TokenClient
    /// Indicates whether the exchange that is or was waited for was begun for another request.
    private(set) var isForOthersExchange = false
    private let limit: TimeAmount
    private var state = State.created

    /// - Parameter limit: The time that is left of `timeouts.token`.
    init(of client: TokenClient, for limit: TimeAmount) {
        self.client = client
        self.limit = limit
    }

    /// Starts the time.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the caller.
    ///   - completion: Called with what the returned one is called with first, or a problem when the time is over.
    func limited(by clock: any ProxyClock, on loop: any EventLoop, _ completion: @escaping Completion) -> Completion {
        guard case .created = state else { return { _ in } }
        let timer = clock.schedule(in: limit, on: loop) { [self] in
            guard leaveLine() else { return }
            completion(.failure(.tokenOverdue))
        }
        state = .lookingUp(timer)
        return { [self] result in
            guard end() else { return }
            completion(result)
        }
    }

    /// Ends the wait: the place among those who wait is for another.
    func cancel() {
        _ = leaveLine()
    }

    /// An exchange is waited for from now on.
    ///
    /// - Parameters:
    ///   - wasUnderWay: Whether it ran already, begun for another request.
    ///   - giveUp: Gives the place back.
    func begin(wasUnderWay: Bool, giveUp: @escaping () -> Void) {
        guard case .lookingUp(let timer) = state else { return giveUp() }
        isForOthersExchange = wasUnderWay
        state = .inLine(timer, giveUp: giveUp)
    }

    /// - Returns: False where the wait is over already.
    private func leaveLine() -> Bool {
        guard case .inLine(_, let giveUp) = state else { return end() }
        defer { giveUp() }
        return end()
    }

    /// - Returns: False where the wait is over already.
    private func end() -> Bool {
        defer { state = .over }
        switch state {
        case .created: return true
        case .lookingUp(let timer), .inLine(let timer, _):
            timer.cancel()
            return true
        case .over: return false
        }
    }
}

@available(*, unavailable)
extension TokenWait: Sendable {}
