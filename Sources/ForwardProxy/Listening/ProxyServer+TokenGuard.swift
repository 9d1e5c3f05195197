package import Credentials
import NIOCore
package import OAuthSigning
import Routing

/// The admin listener's token is guarded like the clients' passwords, by the same addresses.
extension ProxyServer: TokenGuard {
    package func check(
        _ token: Secret,
        from address: String?,
        isRight: @Sendable () -> Bool
    ) async throws(TooManyGuesses) -> Bool {
        let attempt = LoginAttempt(
            peer: PeerAddress(address.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }),
            login: token.withBytes { ClaimedLogin(name: "admin token", secret: $0) }
        )
        var hasWaited = false
        switch logins.isActive ? logins.turn(of: attempt) : .now {
        case .now: break
        case .at(let deadline):
            hasWaited = true
            await logins.wait(until: deadline)
        case .never(let seconds): throw TooManyGuesses(retryAfter: seconds)
        }
        guard isRight() else {
            logins.failed(attempt, hasWaited: hasWaited)
            return false
        }
        logins.succeeded(attempt, hasWaited: hasWaited)
        return true
    }
}
