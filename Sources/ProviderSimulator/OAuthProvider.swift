import OAuthSigning
import Synchronization

/// A provider without its transport: requests in, answers out, everything in the ledger.
///
/// What it offers and insists on is in its ``ProviderSettings``. With the defaults it looks like X: the three legs of
/// RFC 5849, xAuth and reverse auth at `/oauth/request_token`, `/oauth/authorize` and `/oauth/access_token`, whose
/// token it is at `/1.1/account/verify_credentials.json`; everything else is a protected resource, which tells what was
/// verified, or refuses with 401.
package final class OAuthProvider: Sendable {
    package let settings: ProviderSettings
    package let ledger: ProviderLedger
    let state: Mutex<ProviderState>

    package init(settings: ProviderSettings, ledger: ProviderLedger = ProviderLedger()) {
        self.settings = settings
        self.ledger = ledger
        state = Mutex(ProviderState(settings))
    }

    package func endpoint(of request: ReceivedRequest) -> ProviderEndpoint {
        settings.paths.endpoint(of: request)
    }

    /// - Parameter now: Seconds since 1970, before ``ProviderSettings/clockOffset``.
    package func answer(_ request: ReceivedRequest, now: UInt64) -> SimulatedAnswer {
        let endpoint = endpoint(of: request)
        let (result, now) = state.withLock { state -> (EndpointResult, UInt64) in
            let now = state.providerTime(at: now)
            if case .answer(let answer)? = state.disturbances[endpoint]?.first {
                _ = state.takeDisturbance(endpoint)
                return (EndpointResult(outcome: .failureInjected, answer: answer), now)
            }
            return (self.result(of: request, at: endpoint, now: now, &state), now)
        }
        var answer = result.answer
        if !answer.fields.contains(where: { $0.name.lowercased() == "date" }) {
            answer.fields.append(("Date", DateText.text(now)))
        }
        ledger.record(request, endpoint: endpoint, outcome: result.outcome, answer: answer)
        return answer
    }

    private func result(
        of request: ReceivedRequest,
        at endpoint: ProviderEndpoint,
        now: UInt64,
        _ state: inout ProviderState
    ) -> EndpointResult {
        do throws(ProviderRefusal) {
            if settings.requiresUserAgent, (request.values(of: "user-agent").first ?? "").isEmpty {
                throw .userAgentMissing
            }
            switch endpoint {
            case .authorize:
                return try AuthorizePage(settings: settings).answer(request, now: now, &state)
            case .token:
                guard let rules = settings.passwordGrant else { throw .grant(.unsupportedGrantType) }
                return try PasswordGrantEndpoint(rules: rules, settings: settings).answer(request, now: now, &state)
            case .requestToken:
                let verified = try verify(request, at: endpoint, now: now, &state)
                return try RequestTokenEndpoint(settings: settings).answer(request, verified, now: now, &state)
            case .accessToken:
                let verified = try verify(request, at: endpoint, now: now, &state)
                return try AccessTokenEndpoint(settings: settings).answer(request, verified, &state)
            case .identity, .resource:
                switch settings.protection {
                case .oauth1:
                    let verified = try verify(request, at: endpoint, now: now, &state)
                    return SignedResource(endpoint: endpoint).answer(request, verified, state)
                case .bearer, .tokenParameter:
                    return try AccessTokenResource(endpoint: endpoint, protection: settings.protection)
                        .answer(request, now: now, state)
                }
            }
        } catch {
            return EndpointResult(outcome: .refused(error), answer: answer(to: error, at: endpoint, request))
        }
    }

    private func verify(
        _ request: ReceivedRequest,
        at endpoint: ProviderEndpoint,
        now: UInt64,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> VerifiedRequest {
        try state.verify(request, at: endpoint, rules: settings.oauth1, realm: settings.realm, now: now)
    }

    private func answer(
        to refusal: ProviderRefusal,
        at endpoint: ProviderEndpoint,
        _ request: ReceivedRequest
    ) -> SimulatedAnswer {
        switch refusal {
        case .grant(let refusal):
            GrantWording(style: settings.passwordGrant?.style ?? .rfc6749, realm: settings.realm)
                .answer(to: refusal, request)
        case .accessToken(let refusal):
            AccessTokenWording(protection: settings.protection, realm: settings.realm).answer(to: refusal)
        default:
            endpoint == .authorize
                ? AuthorizePage.refusal(refusal)
                : settings.dialect.wording.answer(to: refusal, at: endpoint, realm: settings.realm)
        }
    }
}

extension OAuthProvider {
    /// Refuses the token, a signed one's or an access token, from now on, as one that its user has revoked.
    package func revoke(token: String) {
        set(.revoked, of: token)
    }

    /// Refuses the token from now on, as one whose time is over.
    package func expire(token: String) {
        set(.expired, of: token)
    }

    /// Refuses every access token that was issued so far, as expired, from now on.
    package func expireAccessTokens() {
        state.withLock { state in
            for token in state.accessTokens.keys { state.accessTokens[token]?.status = .expired }
        }
    }

    /// Refuses every refresh token that was issued so far, from now on.
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

    private func set(_ status: ProviderState.TokenStatus, of token: String) {
        state.withLock { state in
            state.tokens[token]?.status = status
            state.accessTokens[token]?.status = status
            state.refreshTokens[token]?.status = status
        }
    }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum DateText {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter time: Seconds since 1970.
    static func text(_ time: UInt64) -> String {
        let day = Int(time / 86_400)
        let second = Int(time % 86_400)
        let date = civil(day)
        let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(days[day % 7]), \(twoDigits(date.day)) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }

    /// The proleptic Gregorian date of a number of days since 1970. The years it counts in begin in March, so that
    /// the leap day is the last of its year; 400 of them, an era, have 146,097 days.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let sinceEraZero = days + 719_468
        let era = sinceEraZero / 146_097
        let dayOfEra = sinceEraZero % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
