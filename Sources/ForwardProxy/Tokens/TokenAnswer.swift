import Credentials
import NIOCore

/// The answer of ``TokenKeeper`` to a request that needs a token.
enum TokenAnswer {
    case token(ObtainedToken)
    /// An exchange runs. Fails with ``Problem``. The waiter is for ``TokenKeeper/cancel(_:of:client:)``.
    case pending(EventLoopFuture<ObtainedToken>, waiter: UInt64)
    case problem(Problem)
    /// The provider's own answer is the client's: no other token can be had now.
    case passAnswerOn
}
