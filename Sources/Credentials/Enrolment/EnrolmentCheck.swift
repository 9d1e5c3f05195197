import OAuthSigning

/// Asks the provider whether an ``EnrolmentClaim`` is true.
///
/// - `oauth1`: `verify_url` is asked, signed with the claimed token credentials; `bearer`: with the claimed access token.
///   The id in the answer must be the passkey.
/// - `password`: the password grant is run with the claimed name and password. Its success is the proof; where there is
///   a `verify_url`, it is asked as well, with the token that was granted.
///
/// A value without I/O, clock or randomness: requests come out, responses go in, one claim for each value. The requests
/// go to the target's API, under its TLS policy, and redirects are not followed.
package struct EnrolmentCheck: Sendable {
    private enum State: Sendable {
        case ready
        case verifying(StoredCredential, url: String)
        case ended
    }

    let claim: EnrolmentClaim
    let target: EnrolmentSettings.Target
    let scheme: AuthorizationScheme
    private var state = State.ready

    /// - Parameters:
    ///   - target: where claims of this access type are verified.
    ///   - scheme: of the target's API.
    package init(claim: EnrolmentClaim, target: EnrolmentSettings.Target, scheme: AuthorizationScheme) {
        self.claim = claim
        self.target = target
        self.scheme = scheme
    }

    /// Begins. A claim that cannot be true is refused at once.
    /// - Parameters:
    ///   - nonce: never used before, of unreserved characters (RFC 3986, section 2.3).
    ///   - timestamp: whole seconds since 1970-01-01T00:00:00Z.
    package mutating func start(nonce: String, timestamp: UInt64) -> EnrolmentOutcome {
        state = .ended
        if let fault = claim.passkeyFault { return .refused(detail: fault) }
        switch (claim.accessType, scheme) {
        case (.oauth1, .oauth1):
            guard let token = claim.tokenCredentials else {
                return .refused(
                    detail: "passcode must be oauth_token:oauth_token_secret, divided by its first colon, and neither "
                        + "part may be empty."
                )
            }
            return verify(.oauth1(token), nonce: nonce, timestamp: timestamp)
        case (.bearer, .bearer), (.bearer, .oauth2):
            return verify(.access(AccessToken(claim.passcode)), nonce: nonce, timestamp: timestamp)
        case (.password, _), (.bearer, .oauth1), (.oauth1, .oauth2), (.oauth1, .bearer):
            return misconfigured("names an API whose requests are not authorized in the way of these claims.")
        }
    }

    /// Takes the answer to the request that is out.
    /// - Parameters:
    ///   - nonce: for the next request, should there be one; otherwise as in ``start(nonce:timestamp:)``.
    ///   - timestamp: now; also what a credential is dated with.
    package mutating func receive(
        _ response: ExchangeResponse,
        nonce: String,
        timestamp: UInt64
    ) -> EnrolmentOutcome {
        defer { state = .ended }
        switch state {
        case .verifying(let credential, let url):
            return outcome(of: response, to: url, proving: credential)
        case .ready, .ended:
            return .unavailable(detail: "The provider answered, though it was asked nothing.")
        }
    }

    // MARK: Steps

    private mutating func verify(
        _ token: AccountToken,
        nonce: String,
        timestamp: UInt64
    ) -> EnrolmentOutcome {
        guard let url = target.verifyURL else { return misconfigured("has no verify_url.") }
        let credential = StoredCredential(token: token, obtainedAt: timestamp, origin: .enrolment)
        let outcome = verificationRequest(url, token, nonce: nonce, timestamp: timestamp)
        if case .send = outcome { state = .verifying(credential, url: url) }
        return outcome
    }

    func misconfigured(_ fault: String) -> EnrolmentOutcome {
        .unavailable(detail: "The claim cannot be verified: \(setting) \(fault)")
    }

    /// What is not repeated of what the provider says.
    var secrets: [Secret] {
        var secrets = [claim.passcode]
        if let token = claim.tokenCredentials, claim.accessType == .oauth1 {
            secrets += [Secret(token.token), token.secret]
        }
        switch scheme {
        case .oauth1(let settings): secrets.append(settings.client.sharedSecret)
        case .oauth2(let settings): secrets.append(settings.clientSecret)
        case .bearer: break
        }
        return secrets
    }
}
