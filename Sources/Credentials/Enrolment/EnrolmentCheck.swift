import OAuthSigning

/// Asks the provider whether an ``EnrolmentClaim`` is true.
///
/// - `oauth1`: `verify_url` is asked, signed with the claimed token credentials; `bearer`: with the claimed access
///   token. The id in the answer must be the passkey.
/// - `password`: the password grant is run with the claimed name and password. Its success is the proof; where there is
///   a `verify_url`, it is asked as well, with the token that was granted.
///
/// A value without I/O, clock or randomness: requests come out, responses go in, one claim for each value. The requests
/// go to the target's API, under its TLS policy, and redirects are not followed.
package struct EnrolmentCheck: ProviderExchange {
    package typealias Outcome = EnrolmentOutcome

    private enum State: Sendable {
        case ready
        case granting(PasswordGrantExchange)
        case verifying(StoredCredential, url: String)
        case ended
    }

    let claim: EnrolmentClaim
    let target: EnrolmentSettings.Target
    let scheme: AuthorizationScheme
    private var state = State.ready

    /// - Parameters:
    ///   - target: The place where claims of this access type are verified.
    ///   - scheme: The scheme of the target's API.
    package init(claim: EnrolmentClaim, target: EnrolmentSettings.Target, scheme: AuthorizationScheme) {
        self.claim = claim
        self.target = target
        self.scheme = scheme
    }

    /// Begins the check. A claim that cannot be true is refused at once.
    package mutating func start(nonce: String, timestamp: UInt64) -> ExchangeProgress<EnrolmentOutcome> {
        state = .ended
        if let fault = claim.passkeyFault { return .ended(.refused(detail: fault)) }
        switch (claim.accessType, scheme) {
        case (.oauth1, .oauth1):
            guard let token = claim.tokenCredentials else {
                return .ended(
                    .refused(
                        detail: "passcode must be oauth_token:oauth_token_secret, divided by its first colon, and "
                            + "neither part may be empty."
                    )
                )
            }
            return verify(credential(.oauth1(token), timestamp), nonce: nonce, timestamp: timestamp)
        case (.bearer, .bearer), (.bearer, .oauth2):
            let token = AccessToken(claim.passcode)
            return verify(credential(.access(token), timestamp), nonce: nonce, timestamp: timestamp)
        case (.password, .oauth2(let settings)):
            return grant(settings)
        case (.password, .oauth1), (.password, .bearer), (.bearer, .oauth1), (.oauth1, .oauth2), (.oauth1, .bearer):
            return .ended(misconfigured("names an API whose requests are not authorized in the way of these claims."))
        }
    }

    package mutating func receive(
        _ response: ExchangeResponse,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<EnrolmentOutcome> {
        let state = state
        self.state = .ended
        switch state {
        case .granting(var exchange):
            switch exchange.receive(response, timestamp: timestamp) {
            case .send(let request):
                self.state = .granting(exchange)
                return .send(request)
            case .obtained(let credential):
                return granted(credential, nonce: nonce, timestamp: timestamp)
            case .failed(let failure):
                return .ended(Self.outcome(of: failure))
            }
        case .verifying(let credential, let url):
            let outcome = outcome(of: response, to: url, proving: credential)
            return Self.refusesTimestamp(response) ? .clockRefused(outcome) : .ended(outcome)
        case .ready, .ended:
            return .ended(.unavailable(detail: "The provider answered, though it was asked nothing."))
        }
    }

    // MARK: Steps

    private mutating func grant(_ settings: OAuth2Settings) -> ExchangeProgress<EnrolmentOutcome> {
        var exchange = PasswordGrantExchange(settings: settings, login: login, stored: nil)
        do throws(ExchangeFailure) {
            let request = try exchange.start()
            state = .granting(exchange)
            return .send(request)
        } catch {
            return .ended(.unavailable(detail: error.detail))
        }
    }

    private mutating func granted(
        _ credential: StoredCredential,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<EnrolmentOutcome> {
        var credential = credential
        credential.origin = .enrolment
        // What the grant is run with again, once the refresh token is refused.
        credential.login = login
        guard target.verifyURL != nil else { return .ended(sendable(credential)) }
        return verify(credential, nonce: nonce, timestamp: timestamp)
    }

    /// Returns the outcome without a `verify_url`, where nobody has looked yet whether a request can carry the token.
    private func sendable(_ credential: StoredCredential) -> EnrolmentOutcome {
        guard case .access(let token) = credential.token, case .oauth2(let settings) = scheme,
            settings.header.value(token: token.value) == nil
        else { return .verified(credential) }
        return .unavailable(detail: Self.unsendableGrant)
    }

    private mutating func verify(
        _ credential: StoredCredential,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<EnrolmentOutcome> {
        guard let url = target.verifyURL else { return .ended(misconfigured("has no verify_url.")) }
        let progress = verificationRequest(url, credential.token, nonce: nonce, timestamp: timestamp)
        if case .send = progress { state = .verifying(credential, url: url) }
        return progress
    }

    private var login: PasswordCredentials {
        PasswordCredentials(username: claim.passkey, password: claim.passcode)
    }

    private func credential(_ token: AccountToken, _ timestamp: UInt64) -> StoredCredential {
        StoredCredential(token: token, obtainedAt: timestamp, origin: .enrolment)
    }

    func misconfigured(_ fault: String) -> EnrolmentOutcome {
        .unavailable(detail: "The claim cannot be verified: \(setting) \(fault)")
    }
}

/// The result of checking a claim. To store a credential that was verified is up to the caller.
package enum EnrolmentOutcome: Sendable {
    /// The claim is true: to be stored, under the claim's passkey.
    case verified(StoredCredential)
    /// The claim is not true, or is none that could be. The detail is a sentence for a person, without a secret.
    case refused(detail: String)
    /// The provider did not say whether the claim is true. The detail is likewise.
    case unavailable(detail: String)
}

extension EnrolmentCheck {
    private static let step = "verification of a claim"
    private static let unsendableGrant = "The provider granted an access token that no field can carry."

    /// GET of `verify_url`, authorized with a token in the way of every request to the API.
    private func verificationRequest(
        _ url: String,
        _ token: AccountToken,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<EnrolmentOutcome> {
        guard let destination = ExchangeURL(url) else {
            return .ended(misconfigured("has a verify_url that is no URL."))
        }
        switch (token, scheme) {
        case (.oauth1(let token), .oauth1(let settings)):
            return signedRequest(url, destination, token, settings, nonce: nonce, timestamp: timestamp)
        case (.access(let token), .oauth2(let settings)):
            return request(url, destination, token, settings.header)
        case (.access(let token), .bearer(let header)):
            return request(url, destination, token, header)
        case (.oauth1, .oauth2), (.oauth1, .bearer), (.access, .oauth1):
            return .ended(
                misconfigured("names an API whose requests are not authorized in the way of these claims.")
            )
        }
    }

    private func signedRequest(
        _ url: String,
        _ destination: ExchangeURL,
        _ token: TokenCredentials,
        _ settings: OAuth1Settings,
        nonce: String,
        timestamp: UInt64
    ) -> ExchangeProgress<EnrolmentOutcome> {
        let signed: SignedRequest
        do throws(SigningError) {
            let signer = try Signer(client: settings.client, token: token, options: settings.options)
            var scratch = SigningScratch()
            signed = try signer.sign(
                method: Array("GET".utf8).span,
                scheme: destination.scheme,
                authority: Array(destination.authority.utf8).span,
                target: Array(destination.target.utf8).span,
                contentType: nil,
                body: nil,
                nonce: Array(nonce.utf8).span,
                timestamp: timestamp,
                scratch: &scratch
            )
        } catch {
            return .ended(misconfigured("has a verify_url that cannot be asked as the API is configured: \(error)"))
        }
        // With the placement in the query, another target goes out than the one that was signed.
        let destination = signed.target.map(destination.withTarget) ?? destination
        return .send(request(url, destination, authorization: signed.authorization))
    }

    private func request(
        _ url: String,
        _ destination: ExchangeURL,
        _ token: AccessToken,
        _ header: HeaderTemplate
    ) -> ExchangeProgress<EnrolmentOutcome> {
        guard let authorization = header.value(token: token.value) else {
            return .ended(
                claim.accessType == .bearer
                    ? .refused(detail: "passcode is no access token: it must be visible ASCII without blanks.")
                    : .unavailable(detail: Self.unsendableGrant)
            )
        }
        return .send(request(url, destination, authorization: authorization, in: header.fieldName))
    }

    private func request(
        _ url: String,
        _ destination: ExchangeURL,
        authorization: [UInt8]?,
        in field: String = "Authorization"
    ) -> ExchangeRequest {
        var fields = [("Accept", "application/json")]
        if let authorization { fields.append((field, String(decoding: authorization, as: UTF8.self))) }
        return ExchangeRequest(
            method: "GET",
            url: url,
            destination: destination,
            fields: fields,
            body: [],
            step: Self.step
        )
    }
}
