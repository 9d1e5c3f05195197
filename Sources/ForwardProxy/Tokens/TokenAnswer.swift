import Credentials
import NIOCore

/// What ``TokenKeeper`` says to a request that needs a token.
enum TokenAnswer {
    case token(IssuedToken)
    /// An exchange runs. Fails with ``Problem``.
    case pending(EventLoopFuture<IssuedToken>)
    case problem(Problem)
    /// The provider's own answer is the client's: no other token can be had now.
    case passAnswerOn
}
