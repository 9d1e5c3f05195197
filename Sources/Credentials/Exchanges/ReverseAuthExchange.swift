package import OAuthSigning

/// Twitter's reverse auth as published: a token for the user is had without the user, on the word of a platform account.
///
/// 1. The application asks `request_token`, signed with its client credentials alone, with `x_auth_mode=reverse_auth` in
///    the form body. The answer is a text that begins `OAuth `. It is opaque: it goes on octet for octet.
/// 2. The platform account asks `access_token`, signed with its own client and token credentials, with that text and the
///    application's consumer key in the form body. The answer is the token, form-encoded.
///
/// A value without I/O, clock or randomness: requests come out, responses go in, one exchange for each value.
package struct ReverseAuthExchange: Sendable {
    private enum State: Sendable {
        case ready
        case sentRequestToken
        case sentAccessToken(parameters: [UInt8])
        case ended
    }

    private static let formMediaType = "application/x-www-form-urlencoded"

    private let settings: ReverseAuthSettings
    private let client: ClientCredentials
    private var state = State.ready

    /// - Parameter client: the application's credentials.
    package init(settings: ReverseAuthSettings, client: ClientCredentials) {
        self.settings = settings
        self.client = client
    }

    /// Begins the exchange, from the beginning whatever went before.
    /// - Parameters:
    ///   - nonce: never used before, of unreserved characters (RFC 3986, section 2.3).
    ///   - timestamp: whole seconds since 1970-01-01T00:00:00Z.
    package mutating func start(nonce: String, timestamp: UInt64) throws(ExchangeFailure) -> ExchangeRequest {
        state = .ended
        let request = try request(
            Step.requestToken,
            url: settings.requestTokenURL,
            body: Array("x_auth_mode=reverse_auth".utf8),
            signedBy: client,
            token: nil,
            nonce: nonce,
            timestamp: timestamp
        )
        state = .sentRequestToken
        return request
    }

    /// Takes the answer to the request that is out.
    /// - Parameters:
    ///   - nonce: for the next request, should there be one; otherwise as in ``start(nonce:timestamp:)``.
    ///   - timestamp: now; also what a credential is dated with.
    package mutating func receive(_ response: ExchangeResponse, nonce: String, timestamp: UInt64) -> ExchangeOutcome {
        let answer = ProviderAnswer(response)
        defer { if case .sentAccessToken = state {} else { state = .ended } }
        switch state {
        case .sentRequestToken:
            guard answer.isSuccess, answer.isSignedParameters else {
                return .failed(failure(of: Step.requestToken, answer, parameters: nil))
            }
            do throws(ExchangeFailure) {
                let request = try accessTokenRequest(parameters: response.body, nonce: nonce, timestamp: timestamp)
                state = .sentAccessToken(parameters: response.body)
                return .send(request)
            } catch {
                return .failed(error)
            }
        case .sentAccessToken(let parameters):
            state = .ended
            guard answer.isSuccess, let issued = IssuedToken(formEncoded: response.body) else {
                return .failed(failure(of: Step.accessToken, answer, parameters: parameters))
            }
            return .obtained(
                StoredCredential(token: .oauth1(issued.token), attributes: issued.attributes, obtainedAt: timestamp)
            )
        case .ready, .ended:
            return .failed(failure(of: Step.none, answer, parameters: nil))
        }
    }

    /// Ends the exchange because the request that is out got no answer.
    /// - Parameter reason: a sentence for a person.
    package mutating func transportFailed(_ reason: String) -> ExchangeFailure {
        defer { state = .ended }
        let (step, parameters): (String, [UInt8]?) =
            switch state {
            case .sentRequestToken: (Step.requestToken, nil)
            case .sentAccessToken(let parameters): (Step.accessToken, parameters)
            case .ready, .ended: (Step.none, nil)
            }
        let words = scrubber(parameters: parameters).words(of: Array(reason.utf8))
        return ExchangeFailure(step: step, status: nil, words: words, cause: .unreachable)
    }
}

// MARK: - Steps

extension ReverseAuthExchange {
    private enum Step {
        static let requestToken = "reverse auth step 1"
        static let accessToken = "reverse auth step 2"
        static let none = "reverse auth"
    }

    private func accessTokenRequest(
        parameters: [UInt8],
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeRequest {
        var body = Array("x_reverse_auth_target=".utf8)
        body += PercentEncoding.encode(client.identifier.utf8)
        body += "&x_reverse_auth_parameters=".utf8
        body += PercentEncoding.encode(parameters)
        return try request(
            Step.accessToken,
            url: settings.accessTokenURL,
            body: body,
            signedBy: settings.signedAs.client,
            token: settings.signedAs.token,
            nonce: nonce,
            timestamp: timestamp
        )
    }

    private func request(
        _ step: String,
        url: String,
        body: [UInt8],
        signedBy client: ClientCredentials,
        token: TokenCredentials?,
        nonce: String,
        timestamp: UInt64
    ) throws(ExchangeFailure) -> ExchangeRequest {
        guard let destination = ExchangeURL(url) else {
            throw ExchangeFailure(step: step, status: nil, words: "", cause: .settings)
        }
        let authorization: [UInt8]?
        do throws(SigningError) {
            let signer = try Signer(client: client, token: token, options: SigningOptions())
            authorization = try signer.sign(
                method: Array("POST".utf8).span,
                scheme: destination.scheme,
                authority: Array(destination.authority.utf8).span,
                target: Array(destination.target.utf8).span,
                contentType: Array(Self.formMediaType.utf8).span,
                body: body.span,
                nonce: Array(nonce.utf8).span,
                timestamp: timestamp
            ).authorization
        } catch {
            let words = scrubber(parameters: nil).words(of: Array(error.description.utf8))
            throw ExchangeFailure(step: step, status: nil, words: words, cause: .settings)
        }
        return ExchangeRequest(
            method: "POST",
            url: url,
            destination: destination,
            fields: [
                ("Accept", "*/*"),
                ("Authorization", String(decoding: authorization ?? [], as: UTF8.self)),
                ("Content-Type", Self.formMediaType),
            ],
            body: body,
            step: step
        )
    }

    private func failure(of step: String, _ answer: ProviderAnswer, parameters: [UInt8]?) -> ExchangeFailure {
        ExchangeFailure(
            step: step,
            status: answer.status,
            words: answer.isOversized ? "" : scrubber(parameters: parameters).words(of: answer.words),
            cause: answer.failureCause
        )
    }

    private func scrubber(parameters: [UInt8]?) -> Scrubber {
        Scrubber(
            secrets: [client.sharedSecret, settings.signedAs.client.sharedSecret, settings.signedAs.token.secret]
                + (parameters.map { [Secret(octets: $0)] } ?? [])
        )
    }
}
