import Credentials
import Synchronization

/// Tells the reply that is waited for from all others, wherever they come from, and hands it on: the first one only.
final class CallbackReceiver: Sendable {
    private enum State {
        case closed
        case expecting(temporaryToken: String)
        case over(temporaryToken: String)

        var temporaryToken: String? {
            switch self {
            case .closed: nil
            case .expecting(let token), .over(let token): token
            }
        }
    }

    enum Verdict: Sendable, Equatable {
        case accepted(isDenied: Bool)
        /// The callback belongs to another authorization, or to none.
        case stranger
    }

    /// The reply, once.
    let replies: AsyncStream<CallbackReply>
    private let continuation: AsyncStream<CallbackReply>.Continuation
    private let state = Mutex(State.closed)

    init() {
        (replies, continuation) = AsyncStream.makeStream()
    }

    /// Accepts a reply from now on.
    func expect(temporaryToken: String) {
        state.withLock { $0 = .expecting(temporaryToken: temporaryToken) }
    }

    /// - Parameter needsToken: Whether it has to name the authorization. A verifier that was typed does not.
    func receive(_ reply: CallbackReply, needsToken: Bool) -> Verdict {
        let isFirst = state.withLock { state -> Bool? in
            guard let expected = state.temporaryToken else { return nil }
            if needsToken || reply.token != nil {
                guard let token = reply.token, sameBytes(token, expected) else { return nil }
            }
            defer { state = .over(temporaryToken: expected) }
            return if case .expecting = state { true } else { false }
        }
        guard let isFirst else { return .stranger }
        if isFirst {
            continuation.yield(reply)
            continuation.finish()
        }
        return .accepted(isDenied: reply.isDenied)
    }
}
