import OAuthSigning

/// The token endpoint of OAuth 2, for the password grant and the refresh.
struct PasswordGrantEndpoint {
    let rules: PasswordGrantRules
    let settings: ProviderSettings

    func answer(
        _ request: ReceivedRequest,
        now: UInt64,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> EndpointResult {
        let form = request.form
        do throws(GrantRefusal) {
            guard request.method == "POST" else { throw .invalidRequest("Only POST is allowed.") }
            try ClientAuthenticationCheck(rules: rules).check(request)
            switch rules.style {
            case .oPRO:
                if let refreshToken = form["refresh_token"] {
                    return try refresh(refreshToken, now: now, &state)
                }
                return try password(form, now: now, &state)
            case .rfc6749:
                try checkNames(of: form, query: request.query)
                switch form["grant_type"] {
                case nil: throw .invalidRequest("grant_type is missing.")
                case "password": return try password(form, now: now, &state)
                case "refresh_token":
                    guard let refreshToken = form["refresh_token"] else {
                        throw .invalidRequest("refresh_token is missing.")
                    }
                    return try refresh(refreshToken, now: now, &state)
                default: throw .unsupportedGrantType
                }
            }
        } catch {
            throw .grant(error)
        }
    }

    /// RFC 6749, section 3.2: parameters are not repeated, and they come in the body.
    private func checkNames(of form: FormPairs, query: Substring) throws(GrantRefusal) {
        guard query.isEmpty else { throw .invalidRequest("Parameters belong into the body.") }
        guard Set(form.pairs.map(\.name)).count == form.pairs.count else {
            throw .invalidRequest("A parameter is repeated.")
        }
    }

    private func password(
        _ form: FormPairs,
        now: UInt64,
        _ state: inout ProviderState
    ) throws(GrantRefusal) -> EndpointResult {
        if rules.style == .rfc6749, form["username"] == nil || form["password"] == nil {
            throw .invalidRequest("username or password is missing.")
        }
        guard let user = settings.user(form["username"], password: form["password"]) else {
            throw .invalidGrant("There is no user with this name and password.")
        }
        // oPRO has one grant for each user and application: what it gave out before ends.
        if rules.style == .oPRO { state.revokeAccessTokens { $0.user == user && $0.family != nil } }
        state.families += 1
        return issue(.password, to: user, family: state.families, keeping: nil, now: now, &state)
    }

    private func refresh(
        _ refreshToken: String,
        now: UInt64,
        _ state: inout ProviderState
    ) throws(GrantRefusal) -> EndpointResult {
        guard let known = state.refreshTokens[refreshToken] else {
            throw .invalidGrant("The refresh token is not known.")
        }
        switch known.status {
        case .active: break
        case .expired: throw .invalidGrant("The refresh token has expired.")
        case .revoked: throw .invalidGrant("The refresh token was revoked.")
        case .used:
            // Either the client or a thief has an old copy (RFC 6749, section 10.4): whoever it is, all ends here.
            state.revokeAccessTokens { $0.family == known.family }
            state.revokeRefreshTokens { $0.family == known.family }
            throw .invalidGrant("The refresh token was used before.")
        }
        if rules.style == .oPRO { state.revokeAccessTokens { $0.family == known.family } }
        guard rules.rotatesRefreshTokens else {
            return issue(.refresh, to: known.user, family: known.family, keeping: refreshToken, now: now, &state)
        }
        state.refreshTokens[refreshToken]?.status = .used
        return issue(.refresh, to: known.user, family: known.family, keeping: nil, now: now, &state)
    }

    /// - Parameter refreshToken: The refresh token that stays good; an answer need not repeat it.
    private func issue(
        _ kind: GrantKind,
        to user: ProviderUser,
        family: Int,
        keeping refreshToken: String?,
        now: UInt64,
        _ state: inout ProviderState
    ) -> EndpointResult {
        let accessToken = RandomText.alphanumeric(count: 40)
        state.accessTokens[accessToken] = ProviderState.GrantedAccessToken(
            user: user,
            expiresAt: rules.lifetime.map { now + $0 },
            family: family
        )
        var issuedRefreshToken: String?
        if rules.issuesRefreshTokens, refreshToken == nil {
            let text = RandomText.alphanumeric(count: 40)
            state.refreshTokens[text] = ProviderState.IssuedRefreshToken(user: user, family: family)
            issuedRefreshToken = text
        }
        let answer = SimulatedAnswer.json(
            TokenResponse(
                access_token: accessToken,
                expires_in: rules.lifetime,
                refresh_token: issuedRefreshToken,
                scope: rules.scope
            ),
            fields: [("Cache-Control", "no-store"), ("Pragma", "no-cache")]
        )
        let token = AcceptedAccessToken(token: Secret(accessToken), user: user)
        return EndpointResult(outcome: .tokenIssued(token, kind), answer: answer)
    }
}

/// RFC 6749, section 5.1; what is nil is left out.
private struct TokenResponse: Encodable {
    let access_token: String
    let token_type = "bearer"
    let expires_in: UInt64?
    let refresh_token: String?
    let scope: String?
}
