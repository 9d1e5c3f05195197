import OAuthSigning

/// Token credentials: for approved temporary ones (RFC 5849, section 2.3), for a password (xAuth), or for a platform
/// account that vouches for its user (step 2 of reverse auth).
struct AccessTokenEndpoint {
    let settings: ProviderSettings

    func answer(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> EndpointResult {
        let (user, consumerKey, kind) = try grant(request, verified, &state)
        let token = AcceptedToken(
            credentials: TokenCredentials(
                token: "\(user.id)-\(RandomText.alphanumeric(count: 40))",
                secret: Secret(RandomText.alphanumeric(count: 45))
            ),
            consumerKey: consumerKey,
            user: user
        )
        state.tokens[token.credentials.token] = ProviderState.GrantedToken(token: token)
        let pairs = [
            ("oauth_token", token.credentials.token),
            // The one place where the client learns it.
            ("oauth_token_secret", token.credentials.secret.revealed()),
        ]
        return EndpointResult(
            outcome: .accessTokenGranted(verified, token, kind),
            answer: .form(pairs + attributes(of: user), contentType: settings.threeLegged.contentType)
        )
    }

    private func grant(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> (user: ProviderUser, consumerKey: String, kind: GrantKind) {
        if let temporary = verified.token.flatMap({ state.temporaryCredentials[$0] }) {
            return (try approvedUser(of: temporary, verified, &state), verified.consumerKey, .threeLegged)
        }
        if request.form["x_auth_mode"] != nil {
            return (try loggedInUser(request, verified), verified.consumerKey, .xAuth)
        }
        guard request.form["x_reverse_auth_parameters"] != nil || verified.token != nil else {
            throw .verification(.parameterAbsent(name: "oauth_token"))
        }
        let (user, application) = try vouchedUser(request, verified, &state)
        return (user, application, .reverseAuth)
    }

    /// The verifier is looked at once: a wrong one ends the authorization, so that it cannot be guessed.
    private func approvedUser(
        of temporary: TemporaryCredentials,
        _ verified: VerifiedRequest,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> ProviderUser {
        let user: ProviderUser
        let expected: Secret?
        switch temporary.stage {
        case .undecided: throw .notApproved
        case .denied: throw .approvalDenied
        case .used: throw .tokenUsed
        case .approved(let approving, let verifier): (user, expected) = (approving, verifier)
        }
        let given = verified["oauth_verifier"]
        if expected != nil, given == nil { throw .verification(.parameterAbsent(name: "oauth_verifier")) }
        state.temporaryCredentials[temporary.credentials.token]?.stage = .used
        if let expected, given.map(Secret.init(_:)) != expected { throw .verifierInvalid }
        return user
    }

    /// xAuth: the user name and the password stand for the user's approval.
    private func loggedInUser(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest
    ) throws(ProviderRefusal) -> ProviderUser {
        guard request.form["x_auth_mode"] == "client_auth", verified.token == nil else {
            throw .verification(.parameterRejected(name: "x_auth_mode"))
        }
        let form = request.form
        guard let user = settings.user(form["x_auth_username"], password: form["x_auth_password"]) else {
            throw .loginFailed
        }
        return user
    }

    /// Reverse auth: signed by a platform account, for the application that step 1 was for. A text is good for one
    /// token.
    private func vouchedUser(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> (user: ProviderUser, application: String) {
        guard let platformToken = verified.token.flatMap({ state.tokens[$0]?.token }),
            let text = request.form["x_reverse_auth_parameters"],
            let application = state.reverseAuthTexts[text],
            request.form["x_reverse_auth_target"] == application
        else { throw .reverseAuthInvalid }
        state.reverseAuthTexts[text] = nil
        return (platformToken.user, application)
    }

    private func attributes(of user: ProviderUser) -> [(name: String, value: String)] {
        switch settings.threeLegged.attributes {
        case .none: []
        case .userIDAndScreenName: [("user_id", user.id), ("screen_name", user.screenName)]
        case .flickr: [("fullname", user.screenName), ("user_nsid", user.id), ("username", user.screenName)]
        }
    }
}
