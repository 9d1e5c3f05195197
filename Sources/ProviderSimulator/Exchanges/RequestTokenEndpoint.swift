import OAuthSigning

/// Temporary credentials (RFC 5849, section 2.1), and step 1 of reverse auth: signed by the application alone.
struct RequestTokenEndpoint {
    let settings: ProviderSettings

    func answer(
        _ request: ReceivedRequest,
        _ verified: VerifiedRequest,
        now: UInt64,
        _ state: inout ProviderState
    ) throws(ProviderRefusal) -> EndpointResult {
        if let mode = request.form["x_auth_mode"] ?? verified["x_auth_mode"] {
            guard mode == "reverse_auth", verified["oauth_token"] == nil else { throw .notReverseAuth }
            let text = ReverseAuthGrant.text(consumerKey: verified.consumerKey, timestamp: now)
            state.reverseAuthTexts[text] = verified.consumerKey
            return EndpointResult(outcome: .requestTokenGranted(verified), answer: .text(text, status: 200))
        }
        guard verified.token == nil else { throw .verification(.parameterRejected(name: "oauth_token")) }
        let callback = try callback(of: verified)
        let temporary = TemporaryCredentials(
            credentials: TokenCredentials(
                token: RandomText.alphanumeric(count: 27),
                secret: Secret(RandomText.alphanumeric(count: 32))
            ),
            consumerKey: verified.consumerKey,
            callback: callback,
            expiresAt: now + settings.threeLegged.temporaryCredentialsLifetime
        )
        state.temporaryCredentials[temporary.credentials.token] = temporary
        var pairs = [
            ("oauth_token", temporary.credentials.token),
            // The one place where the client learns it.
            ("oauth_token_secret", temporary.credentials.secret.revealed()),
        ]
        if settings.threeLegged.version == .oauth1_0a { pairs.append(("oauth_callback_confirmed", "true")) }
        return EndpointResult(
            outcome: .temporaryCredentialsGranted(verified),
            answer: .form(pairs, contentType: settings.threeLegged.contentType)
        )
    }

    /// Returns the callback; nil for OAuth 1.0, where it goes to the page where the user approves.
    private func callback(of verified: VerifiedRequest) throws(ProviderRefusal) -> String? {
        switch settings.threeLegged.version {
        case .oauth1_0: return nil
        case .oauth1_0a:
            guard let callback = verified["oauth_callback"] else {
                throw .verification(.parameterAbsent(name: "oauth_callback"))
            }
            let isOutOfBand = callback == "oob" && settings.threeLegged.allowsOutOfBand
            guard isOutOfBand || CallbackAddress.isAbsolute(callback) else { throw .callbackRejected }
            return callback
        }
    }
}

/// The text of step 1. It looks like an Authorization field, as Twitter's did, but means something to the provider
/// alone: step 2 must bring it back byte for byte.
private enum ReverseAuthGrant {
    static func text(consumerKey: String, timestamp: UInt64) -> String {
        let parameters = [
            ("oauth_nonce", RandomText.alphanumeric(count: 42)),
            ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", String(timestamp)),
            ("oauth_consumer_key", consumerKey),
            ("oauth_signature", RandomText.alphanumeric(count: 27) + "%3D"),
            ("oauth_version", "1.0"),
        ]
        return "OAuth " + parameters.map { "\($0)=\"\($1)\"" }.joined(separator: ", ")
    }
}
