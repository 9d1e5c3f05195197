import Synchronization

@testable import ForwardProxy

extension TokenKeeper {
    /// How many requests wait for a token.
    var waitingCount: Int { state.withLock { $0.promises.count } }
}
