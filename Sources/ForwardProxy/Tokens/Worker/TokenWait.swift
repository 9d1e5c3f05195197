import NIOCore

/// A request's wait for a token, for whoever may give the request up. It is over after a limited time, whatever keeps the
/// token away: a provider that is slow, another process that has the account's turn at exchanging, the store.
final class TokenWait {
    typealias Completion = (Result<ReadyAuthorization, Problem>?) -> Void

    /// The client whose request it is.
    let client: TokenClient
    /// Indicates whether the exchange that is waited for was begun for another request.
    var isForOthersExchange = false
    private let limit: TimeAmount
    private var giveUp: (() -> Void)?
    private var isCancelled = false
    private var timer: Scheduled<Void>?

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
        timer = clock.schedule(in: limit, on: loop) { [self] in
            guard !isCancelled else { return }
            cancel()
            completion(.failure(.tokenOverdue))
        }
        return { [self] result in
            guard !isCancelled else { return }
            stopTimer()
            completion(result)
        }
    }

    /// Ends the wait: the place among those who wait is for another.
    func cancel() {
        isCancelled = true
        stopTimer()
        giveUp?()
        giveUp = nil
    }

    /// An exchange is waited for from now on.
    ///
    /// - Parameter giveUp: Gives the place back.
    func begin(_ giveUp: @escaping () -> Void) {
        if isCancelled { giveUp() } else { self.giveUp = giveUp }
    }

    func end() {
        giveUp = nil
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension TokenWait: Sendable {}
