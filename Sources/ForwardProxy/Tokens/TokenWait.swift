/// A request's wait for a token, for whoever may give the request up.
final class TokenWait {
    /// The client whose request it is.
    let client: TokenClient
    /// Indicates whether the exchange that is waited for was begun for another request.
    var isForOthersExchange = false
    private var giveUp: (() -> Void)?
    private var isCancelled = false

    init(of client: TokenClient) {
        self.client = client
    }

    /// Ends the wait: the place among those who wait is for another.
    func cancel() {
        isCancelled = true
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
}

@available(*, unavailable)
extension TokenWait: Sendable {}
