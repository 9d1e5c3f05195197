import OAuthSigning

/// Twitter's xAuth: one signed request with the user's name and password brings the token, form-encoded.
///
/// A value without I/O, clock or randomness: a request comes out, a response goes in, one exchange for each value.
package struct XAuthExchange: Sendable {
    private enum State: Sendable {
        case idle
        case sentRequest
    }

    private let settings: XAuthSettings
    private let oauth1: OAuth1Settings
    private var state = State.idle

    /// - Parameter oauth1: The application's credentials, and how it signs.
    package init(settings: XAuthSettings, oauth1: OAuth1Settings) {
        self.settings = settings
        self.oauth1 = oauth1
    }

    /// Begins the exchange.
    /// - Parameters:
    ///   - nonce: A nonce never used before, of unreserved characters (RFC 3986, section 2.3).
    ///   - timestamp: The whole seconds since 1970-01-01T00:00:00Z.
    package mutating func start(nonce: String, timestamp: UInt64) throws(ExchangeFailure) -> ExchangeRequest {
        state = .idle
        var form = FormBody()
        form.append("x_auth_mode", "client_auth")
        form.append("x_auth_username", settings.login.username)
        form.append("x_auth_password", settings.login.password)
        let request = try ExchangeRequest.signed(
            .xAuth,
            url: settings.accessTokenURL,
            form: form,
            ExchangeSigning(client: oauth1.client, options: oauth1.options, nonce: nonce, timestamp: timestamp),
            scrubber: Scrubber(secrets: secrets)
        )
        state = .sentRequest
        return request
    }

    /// Takes the answer.
    /// - Parameter timestamp: The time that the credential is dated with.
    package mutating func receive(_ response: ExchangeResponse, timestamp: UInt64) -> ExchangeOutcome {
        let answer = ProviderAnswer(response)
        let received = state
        state = .idle
        do throws(ExchangeFailure) {
            guard received == .sentRequest else {
                throw ExchangeFailure(.xAuth, answer, scrubber: Scrubber(secrets: secrets))
            }
            let issued = try answer.issuedToken(.xAuth, Scrubber(secrets: secrets))
            return .obtained(issued.credential(obtainedAt: timestamp, secrets: secrets))
        } catch {
            return .failed(error)
        }
    }

    private var secrets: [Secret] { [oauth1.client.sharedSecret, settings.login.password] }
}
