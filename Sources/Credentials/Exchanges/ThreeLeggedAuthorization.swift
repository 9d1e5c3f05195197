package import OAuthSigning

/// Redirection-based authorization (RFC 5849, section 2), step by step:
///
/// 1. Temporary credentials are asked for, with the callback as a signed protocol parameter.
/// 2. The person is sent to the authorization address, and comes back to the callback, or with a verifier to type.
/// 3. The temporary credentials and the verifier are exchanged for token credentials.
///
/// A provider of OAuth Core 1.0, which confirms no callback and sends no verifier, is taken for one only when the
/// settings say so: anyone who got a person to follow a link could otherwise have that person's token.
///
/// A value without I/O, clock or randomness: requests come out, responses go in, one authorization for each value.
package struct ThreeLeggedAuthorization: Sendable {
    private enum State: Sendable {
        case ready
        case askedTemporary(callback: String)
        case authorizing(TokenCredentials)
        case askedToken(secrets: [Secret])
        case ended
    }

    private let settings: ThreeLeggedSettings
    private let oauth1: OAuth1Settings
    private var state = State.ready

    /// - Parameter oauth1: The application's credentials, and how it signs.
    package init(settings: ThreeLeggedSettings, oauth1: OAuth1Settings) {
        self.settings = settings
        self.oauth1 = oauth1
    }

    /// `oauth_token` of the temporary credentials, while a person is to authorize them.
    package var temporaryToken: String? {
        guard case .authorizing(let credentials) = state else { return nil }
        return credentials.token
    }

    /// Asks for temporary credentials, from the beginning whatever went before.
    /// - Parameters:
    ///   - callback: `oob`, or the absolute URL that the person comes back to.
    ///   - nonce: A nonce never used before, of unreserved characters (RFC 3986, section 2.3).
    ///   - timestamp: The whole seconds since 1970-01-01T00:00:00Z.
    package mutating func start(
        callback: String,
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeRequest {
        state = .ended
        let request = try request(
            .temporaryCredentials,
            url: settings.requestTokenURL,
            token: nil,
            parameters: [ProtocolParameter(name: "oauth_callback", value: callback)],
            nonce: nonce,
            timestamp: timestamp
        )
        state = .askedTemporary(callback: callback)
        return request
    }

    /// Takes the temporary credentials.
    /// - Returns: The authorization address, for the person's browser.
    package mutating func receiveTemporaryCredentials(_ response: ExchangeResponse) throws(ExchangeFailure) -> String {
        let answer = ProviderAnswer(response)
        let received = state
        state = .ended
        guard case .askedTemporary(let callback) = received else {
            throw ExchangeFailure(.temporaryCredentials, answer, scrubber: Scrubber(secrets: secrets))
        }
        let issued = try answer.issuedToken(.temporaryCredentials, Scrubber(secrets: secrets))
        guard issued.confirmsCallback || settings.acceptsVersion10 else {
            throw ExchangeFailure(.temporaryCredentials, .callbackUnconfirmed)
        }
        // OAuth Core 1.0, section 6.2.1: there the callback is a parameter of this address.
        let callbackHere = issued.confirmsCallback || callback == "oob" ? nil : callback
        let address = try authorizationAddress(token: issued.token.token, callback: callbackHere)
        state = .authorizing(issued.token)
        return address
    }

    /// Asks for token credentials. When what came back is of no use, the authorization goes on: what is right may come
    /// yet.
    /// - Parameters:
    ///   - token: `oauth_token` as it came back to the callback; nil when there was none, with a verifier that was
    ///     typed.
    ///   - verifier: Nil only where the settings accept OAuth Core 1.0.
    package mutating func finish(
        token: String?,
        verifier: Secret?,
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeRequest {
        guard case .authorizing(let temporary) = state else { throw ExchangeFailure(.tokenCredentials, .tokenMismatch) }
        if let token, !sameBytes(token, temporary.token) {
            throw ExchangeFailure(.tokenCredentials, .tokenMismatch)
        }
        let verifier = verifier.flatMap { $0.isEmpty ? nil : $0 }
        guard verifier != nil || settings.acceptsVersion10 else {
            throw ExchangeFailure(.tokenCredentials, .verifierMissing)
        }
        let request = try request(
            .tokenCredentials,
            url: settings.accessTokenURL,
            token: temporary,
            parameters: verifier.map { [ProtocolParameter(name: "oauth_verifier", value: $0.revealed())] } ?? [],
            nonce: nonce,
            timestamp: timestamp
        )
        state = .askedToken(secrets: [temporary.secret] + (verifier.map { [$0] } ?? []))
        return request
    }

    /// Takes the token credentials.
    /// - Parameter timestamp: The time that the credential is dated with.
    package mutating func receiveToken(
        _ response: ExchangeResponse,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> StoredCredential {
        let answer = ProviderAnswer(response)
        let received = state
        state = .ended
        guard case .askedToken(let further) = received else {
            throw ExchangeFailure(.tokenCredentials, answer, scrubber: Scrubber(secrets: secrets))
        }
        let issued = try answer.issuedToken(.tokenCredentials, Scrubber(secrets: secrets + further))
        var credential = issued.credential(obtainedAt: timestamp, secrets: secrets + further)
        credential.origin = .login
        return credential
    }

    // MARK: Requests

    private func request(
        _ step: ExchangeStep,
        url: String,
        token: TokenCredentials?,
        parameters: [ProtocolParameter],
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeRequest {
        try ExchangeRequest.signed(
            step,
            url: url,
            ExchangeSigning(
                client: oauth1.client,
                token: token,
                options: oauth1.options,
                parameters: parameters,
                nonce: nonce,
                timestamp: timestamp
            ),
            scrubber: Scrubber(secrets: secrets)
        )
    }

    private func authorizationAddress(token: String, callback: String?) throws(ExchangeFailure) -> String {
        guard ExchangeURL(settings.authorizeURL) != nil else {
            throw ExchangeFailure(.temporaryCredentials, .settings)
        }
        var query = FormBody()
        query.append("oauth_token", token)
        for (name, value) in settings.authorizeParameters { query.append(name, value) }
        if let callback { query.append("oauth_callback", callback) }
        var address = settings.authorizeURL
        if !address.contains("?") {
            address += "?"
        } else if !address.hasSuffix("?"), !address.hasSuffix("&") {
            address += "&"
        }
        return address + String(decoding: query.bytes, as: UTF8.self)
    }

    private var secrets: [Secret] { [oauth1.client.sharedSecret] }
}
