package import Credentials
import NIOCore
package import OAuthSigning
import Routing
package import Settings

/// The admin listener's token is guarded like the clients' passwords, by the same addresses.
extension ProxyServer: TokenGuard {
    package func check(
        _ token: Secret,
        from address: String?,
        isRight: @Sendable () -> Bool
    ) async throws(TooManyGuesses) -> Bool {
        let attempt = LoginAttempt(
            peer: PeerAddress(address.flatMap { SocketAddress(literal: $0, port: 0) }),
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

/// Enrols, lists and removes accounts while the proxy runs, by the configuration of the moment.
extension ProxyServer: EnrolmentService {
    package var accessTypes: Set<EnrolmentAccessType> { generation.enroller.accessTypes }

    package func register(_ claim: EnrolmentClaim) async -> EnrolmentResult {
        await generation.enroller.register(claim)
    }

    package func accounts() async throws(VaultError) -> VaultListing {
        try await generation.enroller.accounts()
    }

    package func remove(_ name: CredentialName) async throws(VaultError) -> Bool {
        try await generation.enroller.remove(name)
    }
}

extension ProxyServer {
    /// The collector that spans go to at the moment; nil: nothing is traced.
    package var tracing: TracingSettings? { generation.settings.tracing }

    /// The number of times that upstream certificates were not accepted.
    package var trustFailures: [TrustFailureCount] { trust.counts }
}
