import OAuthSigning

extension EnrolmentCheck {
    private static let step = "verification of a claim"
    static let unsendableGrant = "The provider granted an access token that no Authorization field can carry."

    /// GET of `verify_url`, authorized with a token in the way of every request to the API.
    func verificationRequest(
        _ url: String,
        _ token: AccountToken,
        nonce: String,
        timestamp: UInt64
    ) -> EnrolmentOutcome {
        guard let destination = ExchangeURL(url) else { return misconfigured("has a verify_url that is no URL.") }
        switch (token, scheme) {
        case (.oauth1(let token), .oauth1(let settings)):
            return signedRequest(url, destination, token, settings, nonce: nonce, timestamp: timestamp)
        case (.access(let token), .oauth2(let settings)):
            return request(url, destination, token, settings.header)
        case (.access(let token), .bearer):
            return request(url, destination, token, .bearer)
        case (.oauth1, .oauth2), (.oauth1, .bearer), (.access, .oauth1):
            return misconfigured("names an API whose requests are not authorized in the way of these claims.")
        }
    }

    private func signedRequest(
        _ url: String,
        _ destination: ExchangeURL,
        _ token: TokenCredentials,
        _ settings: OAuth1Settings,
        nonce: String,
        timestamp: UInt64
    ) -> EnrolmentOutcome {
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
            return misconfigured("has a verify_url that cannot be asked as the API is configured: \(error)")
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
    ) -> EnrolmentOutcome {
        guard let authorization = header.value(token: token.value) else {
            return claim.accessType == .bearer
                ? .refused(detail: "passcode is no access token: it must be visible ASCII without blanks.")
                : .unavailable(detail: Self.unsendableGrant)
        }
        return .send(request(url, destination, authorization: authorization))
    }

    private func request(
        _ url: String,
        _ destination: ExchangeURL,
        authorization: [UInt8]?
    ) -> ExchangeRequest {
        var fields = [("Accept", "application/json")]
        if let authorization { fields.append(("Authorization", String(decoding: authorization, as: UTF8.self))) }
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
