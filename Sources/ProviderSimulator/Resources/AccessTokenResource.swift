/// A resource for which a request must carry an access token.
struct AccessTokenResource {
    private struct Report: Encodable {
        let verified = true
        let user: String
        let method: String
        let url: String
        let body_bytes: Int
    }

    let endpoint: ProviderEndpoint
    let protection: ResourceProtection

    func answer(
        _ request: ReceivedRequest,
        now: UInt64,
        _ state: ProviderState
    ) throws(ProviderRefusal) -> EndpointResult {
        let authorizations = request.values(of: "authorization")
        guard authorizations.count == 1, let token = token(in: authorizations[0]) else { throw .accessToken(.missing) }
        guard let issued = state.accessTokens[token] else { throw .accessToken(.unknown) }
        switch issued.status {
        case .active: break
        case .expired: throw .accessToken(.expired)
        case .revoked, .used: throw .accessToken(.revoked)
        }
        if let end = issued.expiresAt, now >= end { throw .accessToken(.expired) }
        let answer =
            if endpoint == .identity {
                SimulatedAnswer.json(IdentityReport(user: issued.user))
            } else {
                SimulatedAnswer.json(
                    Report(
                        user: issued.user.id,
                        method: request.method,
                        url: "https://\(request.authority)\(request.target)",
                        body_bytes: request.body.count
                    )
                )
            }
        return EndpointResult(outcome: .resourceServedToToken(issued.user), answer: answer)
    }

    /// Returns the token of a field; nil for another scheme, or one that is not written as it has to be.
    private func token(in authorization: String) -> String? {
        let prefix: String
        let suffix: String
        switch protection {
        case .oauth1: return nil
        case .bearer: (prefix, suffix) = ("bearer ", "")
        case .tokenParameter: (prefix, suffix) = ("token token=\"", "\"")
        }
        let head = authorization.prefix(prefix.count)
        guard head.lowercased() == prefix, authorization.hasSuffix(suffix),
            authorization.count > prefix.count + suffix.count
        else { return nil }
        return String(authorization.dropFirst(prefix.count).dropLast(suffix.count))
    }
}
