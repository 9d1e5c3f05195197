import OAuthSigning
import Synchronization

/// An OAuth 1.0a provider without its transport: requests in, answers out, everything in the ledger.
///
/// - `POST /oauth/request_token` and `POST /oauth/access_token` are the two steps of Twitter's reverse auth.
/// - Everything else is a protected resource: it tells what was verified, or refuses with 401.
package final class OAuthProvider: Sendable {
    package let settings: ProviderSettings
    package let ledger: ProviderLedger
    private let clients: [String: RegisteredClient]
    private let state: Mutex<ProviderState>

    package init(settings: ProviderSettings, ledger: ProviderLedger = ProviderLedger()) {
        self.settings = settings
        self.ledger = ledger
        clients = Dictionary(settings.clients.map { ($0.consumerKey, $0) }, uniquingKeysWith: { _, last in last })
        state = Mutex(ProviderState(tokens: settings.tokens))
    }

    /// From now on the token is refused, as one that its user has revoked.
    package func revoke(token: String) {
        state.withLock { _ = $0.tokens.removeValue(forKey: token) }
    }

    /// The next request for this step, one for each call, is not looked at and gets this answer.
    package func fail(_ step: ExchangeStep, with answer: ProviderAnswer) {
        state.withLock { $0.injected[step, default: []].append(answer) }
    }

    /// - Parameter now: seconds since 1970, by the provider's clock.
    package func answer(_ request: ReceivedRequest, now: UInt64) -> ProviderAnswer {
        let step = ExchangeStep(request)
        let (outcome, answer) = state.withLock { state -> (ProviderEvent.Outcome, ProviderAnswer) in
            if let step, let answer = state.takeInjected(step) { return (.failureInjected, answer) }
            do throws(ProviderRefusal) {
                let verified = try state.verify(
                    request,
                    clients: clients,
                    now: now,
                    tolerance: settings.timestampTolerance
                )
                return switch step {
                case .requestToken: try requestToken(request, verified, now, &state)
                case .accessToken: try accessToken(request, verified, &state)
                case nil: resource(request, verified, state)
                }
            } catch {
                let realm = settings.realm
                return (
                    .refused(error),
                    step == nil ? error.answer(realm: realm) : error.answerOfTokenEndpoint(realm: realm)
                )
            }
        }
        ledger.record(request, outcome: outcome, answer: answer)
        return answer
    }

    /// Step 1: signed by the application alone.
    private func requestToken(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        _ now: UInt64,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> (ProviderEvent.Outcome, ProviderAnswer) {
        let mode = request.form["x_auth_mode"] ?? verified["x_auth_mode"]
        guard mode == "reverse_auth", verified["oauth_token"] == nil else { throw .notReverseAuth }
        let text = ReverseAuthGrant.text(consumerKey: verified.consumerKey, timestamp: now)
        state.grants[text] = verified.consumerKey
        return (
            .requestTokenGranted(verified),
            ProviderAnswer(status: 200, contentType: ProviderAnswer.textType, body: Array(text.utf8))
        )
    }

    /// Step 2: signed by a platform account, for the application that step 1 was for. A text is good for one token.
    private func accessToken(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> (ProviderEvent.Outcome, ProviderAnswer) {
        guard let platformToken = verified.token.flatMap({ state.tokens[$0] }),
            let text = request.form["x_reverse_auth_parameters"],
            let application = state.grants[text],
            request.form["x_reverse_auth_target"] == application
        else { throw .reverseAuthInvalid }
        state.grants[text] = nil
        let user = platformToken.user
        let token = AcceptedToken(
            credentials: TokenCredentials(
                token: "\(user.id)-\(RandomText.alphanumeric(count: 40))",
                secret: Secret(RandomText.alphanumeric(count: 45))
            ),
            consumerKey: application,
            user: user
        )
        state.tokens[token.credentials.token] = token
        let body = FormPairs.encode([
            ("oauth_token", token.credentials.token),
            // The one place where the client learns it.
            ("oauth_token_secret", token.credentials.secret.revealed()),
            ("user_id", user.id),
            ("screen_name", user.screenName),
        ])
        return (
            .accessTokenGranted(verified, token),
            ProviderAnswer(status: 200, contentType: ProviderAnswer.textType, body: body)
        )
    }

    private func resource(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        _ state: ProviderState
    ) -> (ProviderEvent.Outcome, ProviderAnswer) {
        let user = verified.token.flatMap { state.tokens[$0]?.user }
        let report = VerificationReport(request, verified, user: user)
        return (
            .resourceServed(verified, user: user),
            ProviderAnswer(status: 200, contentType: ProviderAnswer.jsonType, body: report.json)
        )
    }
}
