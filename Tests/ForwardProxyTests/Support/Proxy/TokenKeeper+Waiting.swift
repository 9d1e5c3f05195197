import Synchronization

@testable import ForwardProxy

extension TokenKeeper {
    /// The number of requests that wait for a token.
    var waitingCount: Int { state.withLock { $0.waits.count } }
}
