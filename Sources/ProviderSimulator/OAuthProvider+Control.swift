import Synchronization

extension OAuthProvider {
    /// From now on the token, a signed one's or an access token, is refused, as one that its user has revoked.
    package func revoke(token: String) {
        set(.revoked, of: token)
    }

    /// From now on the token is refused, as one whose time is over.
    package func expire(token: String) {
        set(.expired, of: token)
    }

    /// From now on every access token that was issued so far is refused as expired.
    package func expireAccessTokens() {
        state.withLock { state in
            for token in state.accessTokens.keys { state.accessTokens[token]?.status = .expired }
        }
    }

    /// From now on every refresh token that was issued so far is refused.
    package func revokeRefreshTokens() {
        state.withLock { state in
            for token in state.refreshTokens.keys { state.refreshTokens[token]?.status = .revoked }
        }
    }

    /// Sets the provider's clock: so many seconds ahead of the one that its server reads.
    package func setClock(offset: Int64) {
        state.withLock { $0.clockOffset = offset }
    }

    /// The next request to this endpoint, one for each call, is treated so.
    package func disturb(_ endpoint: ProviderEndpoint, with disturbance: Disturbance) {
        state.withLock { $0.disturbances[endpoint, default: []].append(disturbance) }
    }

    /// The next request to this endpoint, one for each call, is not looked at and gets this answer.
    package func fail(_ endpoint: ProviderEndpoint, with answer: SimulatedAnswer) {
        disturb(endpoint, with: .answer(answer))
    }

    /// Takes what is to be done to this request by whoever transports it; nil: it is to be answered.
    func takeTransportDisturbance(for request: ReceivedRequest) -> Disturbance? {
        let endpoint = endpoint(of: request)
        let disturbance = state.withLock { state -> Disturbance? in
            if case .answer? = state.disturbances[endpoint]?.first { return nil }
            return state.takeDisturbance(endpoint)
        }
        switch disturbance {
        case .silence, .close, .bytes:
            ledger.record(request, endpoint: endpoint, outcome: .failureInjected, answer: nil)
        case .answer, .hold, nil: break
        }
        return disturbance
    }

    private func set(_ status: TokenStatus, of token: String) {
        state.withLock { state in
            state.tokens[token]?.status = status
            state.accessTokens[token]?.status = status
            state.refreshTokens[token]?.status = status
        }
    }
}
