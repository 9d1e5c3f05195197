package import OAuthSigning

/// Twitter's reverse auth as published: a token for the user is had without the user, on the word of a platform
/// account.
///
/// 1. The application asks `request_token`, signed with its client credentials alone, with `x_auth_mode=reverse_auth`
///    in the form body. The answer is a text that begins `OAuth `. It is opaque: it goes on byte for byte.
/// 2. The platform account asks `access_token`, signed with its own client and token credentials, with that text and
///    the application's consumer key in the form body. The answer is the token, form-encoded.
///
/// A value without I/O, clock or randomness: requests come out, responses go in, one exchange for each value.
package struct ReverseAuthExchange: Sendable {
    private enum State: Sendable {
        case ready
        case sentRequestToken
        case sentAccessToken(parameters: [UInt8])
        case ended
    }

    private let settings: ReverseAuthSettings
    private let client: ClientCredentials
    private var state = State.ready

    /// - Parameter client: The application's credentials.
    package init(settings: ReverseAuthSettings, client: ClientCredentials) {
        self.settings = settings
        self.client = client
    }

    /// Begins the exchange, from the beginning whatever went before.
    /// - Parameters:
    ///   - nonce: A nonce never used before, of unreserved characters (RFC 3986, section 2.3).
    ///   - timestamp: The whole seconds since 1970-01-01T00:00:00Z.
    package mutating func start(nonce: String, timestamp: UInt64) throws(ExchangeFailure) -> ExchangeRequest {
        state = .ended
        var form = FormBody()
        form.append("x_auth_mode", "reverse_auth")
        let request = try ExchangeRequest.signed(
            .reverseAuthRequest,
            url: settings.requestTokenURL,
            form: form,
            ExchangeSigning(client: client, nonce: nonce, timestamp: timestamp),
            scrubber: Scrubber(secrets: secrets)
        )
        state = .sentRequestToken
        return request
    }

    /// Takes the answer to the request that is out.
    /// - Parameters:
    ///   - nonce: The nonce of the next request, should there be one; otherwise as in ``start(nonce:timestamp:)``.
    ///   - timestamp: The time now, which a credential is dated with, too.
    package mutating func receive(_ response: ExchangeResponse, nonce: String, timestamp: UInt64) -> ExchangeOutcome {
        let answer = ProviderAnswer(response)
        let received = state
        state = .ended
        do throws(ExchangeFailure) {
            switch received {
            case .sentRequestToken:
                guard answer.isSuccess, answer.isSignedParameters else {
                    throw ExchangeFailure(.reverseAuthRequest, answer, scrubber: Scrubber(secrets: secrets))
                }
                let request = try accessTokenRequest(parameters: response.body, nonce: nonce, timestamp: timestamp)
                state = .sentAccessToken(parameters: response.body)
                return .send(request)
            case .sentAccessToken(let parameters):
                let issued = try answer.issuedToken(
                    .reverseAuthAccess,
                    Scrubber(secrets: secrets, texts: [Secret(bytes: parameters)])
                )
                return .obtained(issued.credential(obtainedAt: timestamp, secrets: secrets))
            case .ready, .ended:
                throw ExchangeFailure(.reverseAuth, answer, scrubber: Scrubber(secrets: secrets))
            }
        } catch {
            return .failed(error)
        }
    }

    private func accessTokenRequest(
        parameters: [UInt8],
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeRequest {
        var form = FormBody()
        form.append("x_reverse_auth_target", client.identifier)
        form.append("x_reverse_auth_parameters", bytes: parameters)
        return try ExchangeRequest.signed(
            .reverseAuthAccess,
            url: settings.accessTokenURL,
            form: form,
            ExchangeSigning(
                client: settings.signedAs.client,
                token: settings.signedAs.token,
                nonce: nonce,
                timestamp: timestamp
            ),
            scrubber: Scrubber(secrets: secrets)
        )
    }

    private var secrets: [Secret] {
        [client.sharedSecret, settings.signedAs.client.sharedSecret] + settings.signedAs.token.secrets
    }
}
