import Bytes
import OAuthSigning

/// The password grant (RFC 6749, section 4.3), and the refreshing of what it brought (section 6).
///
/// 1. With a refresh token at hand, that is what is asked with. The token endpoint's answer may have another refresh
///    token, which replaces the old one; otherwise the old one is kept.
///    A provider that keeps it lets it be used again; any other one it is sent once at most, whatever comes of that.
/// 2. Without one, or when the provider refuses it, the grant is run with the user's name and password. A provider that
///    cannot be reached, is busy or does not know the client is not sent the password in answer to that.
///
/// A value without I/O or clock: requests come out, responses go in, one exchange for each value.
package struct PasswordGrantExchange: Sendable {
    private let settings: OAuth2Settings
    private let login: PasswordCredentials
    private let stored: StoredCredential?
    private var sent: ExchangeStep?
    /// The kind of the request that was made last; of the first, where none was.
    private(set) var kind: ExchangeKind

    /// - Parameter stored: The account's credential in the vault. All that it says besides its token is kept.
    package init(settings: OAuth2Settings, login: PasswordCredentials, stored: StoredCredential?) {
        self.settings = settings
        self.login = login
        self.stored = stored
        kind = .password
        if refreshToken != nil { kind = .refresh }
    }

    /// Begins the exchange, from the beginning whatever went before.
    package mutating func start() throws(ExchangeFailure) -> ExchangeRequest {
        guard let refreshToken else { return try grant() }
        var form = FormBody()
        if settings.sendsGrantType { form.append("grant_type", "refresh_token") }
        form.append("refresh_token", refreshToken)
        var request = try request(.refresh, form)
        request.isRepeatable = storedAccess?.refreshTokenUse == .repeatable
        return request
    }

    /// Takes the answer to the request that is out.
    /// - Parameter timestamp: Now, in whole seconds since 1970-01-01T00:00:00Z: what a token's age is counted from.
    package mutating func receive(_ response: ExchangeResponse, timestamp: UInt64) -> ExchangeOutcome {
        let answer = ProviderAnswer(response)
        let step = sent
        sent = nil
        do throws(ExchangeFailure) {
            guard let step else { throw failure(.passwordGrant, answer) }
            guard answer.isSuccess, let issued = IssuedAccessToken(response.body) else {
                let failure = failure(step, answer)
                guard step == .refresh, Self.refusesRefreshToken(failure) else { throw failure }
                return .send(try grant())
            }
            guard issued.isBearer else { throw ExchangeFailure(step, .tokenTypeUnusable) }
            return .obtained(credential(step, issued, obtainedAt: timestamp))
        } catch {
            return .failed(error)
        }
    }

    // MARK: Requests

    private mutating func grant() throws(ExchangeFailure) -> ExchangeRequest {
        var form = FormBody()
        if settings.sendsGrantType { form.append("grant_type", "password") }
        form.append("username", login.username)
        form.append("password", login.password)
        if let scope = settings.scope { form.append("scope", scope) }
        return try request(.passwordGrant, form)
    }

    private mutating func request(_ step: ExchangeStep, _ form: FormBody) throws(ExchangeFailure) -> ExchangeRequest {
        sent = nil
        kind = step == .refresh ? .refresh : .password
        guard let destination = ExchangeURL(settings.tokenURL) else { throw ExchangeFailure(step, .settings) }
        var form = form
        var fields = [("Accept", "application/json, */*;q=0.1"), ("Content-Type", FormBody.mediaType)]
        switch settings.clientAuthentication {
        case .body:
            form.append("client_id", settings.clientID)
            form.append("client_secret", settings.clientSecret)
        case .basic:
            fields.append(("Authorization", "Basic " + basicCredentials.revealed()))
        }
        sent = step
        return ExchangeRequest(
            method: "POST",
            url: settings.tokenURL,
            destination: destination,
            fields: fields,
            body: form.bytes,
            step: step.rawValue
        )
    }

    /// Identifier and secret, each encoded as in a form (RFC 6749, section 2.3.1).
    private var basicCredentials: Secret {
        let identifier = PercentEncoding.encode(settings.clientID.utf8)
        let secret = settings.clientSecret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let pair = identifier + [UInt8(ascii: ":")] + PercentEncoding.encode(secret)
        return Secret(bytes: Base64.encode(pair.span))
    }

    // MARK: Answers

    private var refreshToken: Secret? {
        storedAccess?.refreshToken
    }

    private var storedAccess: AccessToken? {
        guard case .access(let token) = stored?.token else { return nil }
        return token
    }

    /// Returns whether it is the refresh token that the provider does not want, and not the client, or anybody for now.
    /// Providers have more words and statuses for that than RFC 6749.
    private static func refusesRefreshToken(_ failure: ExchangeFailure) -> Bool {
        switch failure.cause {
        case .tokenRefused, .loginRefused, .notPermitted: true
        case .refused: [400, 401, 403, 422].contains(failure.status)
        default: false
        }
    }

    private func credential(
        _ step: ExchangeStep,
        _ issued: IssuedAccessToken,
        obtainedAt: UInt64
    ) -> StoredCredential {
        let keptToken = step == .refresh ? refreshToken : nil
        let isKept = keptToken != nil && (issued.refreshToken ?? keptToken) == keptToken
        let token = AccessToken(
            issued.value,
            expiresAt: issued.expiresIn.map { obtainedAt + $0 },
            refreshToken: issued.refreshToken ?? keptToken,
            refreshTokenUse: isKept ? .repeatable : .once
        )
        let attributes = issued.attributes(secrets: secrets)
        return StoredCredential(
            token: .access(token),
            attributes: (step == .refresh ? stored?.attributes ?? [:] : [:]).merging(attributes) { $1 },
            obtainedAt: obtainedAt,
            origin: stored?.origin ?? .exchange,
            login: stored?.login
        )
    }

    private func failure(_ step: ExchangeStep, _ answer: ProviderAnswer) -> ExchangeFailure {
        ExchangeFailure(step, answer, scrubber: Scrubber(secrets: secrets))
    }

    private var secrets: [Secret] {
        var secrets = [settings.clientSecret, basicCredentials, login.password]
        if case .access(let token) = stored?.token { secrets.append(token.value) }
        return secrets + (refreshToken.map { [$0] } ?? [])
    }
}

/// An access token, as a provider issues it (RFC 6749, section 5.1).
private struct IssuedAccessToken {
    let value: Secret
    let refreshToken: Secret?
    /// The time until it expires, in seconds; nil when it is not known, as with the zero by which some providers mean
    /// never.
    let expiresIn: UInt64?
    /// Indicates whether it can be sent as it is, and needs no proof of possession that only other software could give.
    let isBearer: Bool
    private let members: AnswerMembers

    private static let provenTypes = ["mac", "pop", "dpop", "hawk"]
    private static let longestLife = 100.0 * 365 * 86_400

    /// Reads the body of an answer; nil unless there is exactly one access token, not empty.
    init?(_ body: [UInt8]) {
        let members = AnswerMembers(body)
        guard let value = members.bytes("access_token") else { return nil }
        self.members = members
        self.value = Secret(bytes: value)
        refreshToken = members.bytes("refresh_token").map { Secret(bytes: $0) }
        expiresIn = members.text("expires_in").flatMap(Self.seconds)
        let type = members.text("token_type")?.lowercased()
        isBearer = type.map { !Self.provenTypes.contains($0) } ?? true
    }

    /// - Parameter secrets: The secrets that the provider was sent; none may come back as an attribute.
    func attributes(secrets: [Secret]) -> [String: String] {
        let scrubber = Scrubber(secrets: secrets + [value] + (refreshToken.map { [$0] } ?? []))
        return members.attributes(scrubber: scrubber)
    }

    /// A number, be it written as a text or with a fraction.
    private static func seconds(_ text: String) -> UInt64? {
        guard let number = Double(text), number >= 1, number <= longestLife else { return nil }
        return UInt64(number)
    }
}
