import OAuthSigning

/// All that changes while the provider runs.
struct ProviderState: Sendable {
    /// By token.
    var tokens: [String: AcceptedToken]
    /// The texts that step 1 gave out and no step 2 has used, with the application's consumer key.
    var grants: [String: String] = [:]
    var nonces = NonceHistory()
    /// Answers that are given instead of the right ones, first come first.
    var injected: [ExchangeStep: [ProviderAnswer]] = [:]

    init(tokens: [AcceptedToken]) {
        self.tokens = Dictionary(tokens.map { ($0.credentials.token, $0) }, uniquingKeysWith: { _, last in last })
    }

    mutating func takeInjected(_ step: ExchangeStep) -> ProviderAnswer? {
        guard let first = injected[step]?.first else { return nil }
        injected[step]?.removeFirst()
        return first
    }

    /// Signature first, then whose token it is, the clock, and the nonce.
    mutating func verify(
        _ request: ReceivedRequest,
        clients: [String: RegisteredClient],
        now: UInt64,
        tolerance: UInt64
    ) throws(ProviderRefusal) -> VerifiedRequest {
        let verified = try verifySignature(request, clients: clients)
        if let token = verified.token, tokens[token]?.consumerKey != verified.consumerKey { throw .tokenOfOtherClient }
        // Only PLAINTEXT may go without both (RFC 5849, section 3.1).
        guard let nonce = verified["oauth_nonce"], let timestamp = verified["oauth_timestamp"].flatMap(UInt64.init)
        else { return verified }
        let acceptable = (now > tolerance ? now - tolerance : 0)...(now + tolerance)
        guard acceptable.contains(timestamp) else { throw .timestampRefused(acceptable: acceptable) }
        nonces.forget(before: acceptable.lowerBound)
        let used = NonceHistory.Nonce(value: nonce, consumerKey: verified.consumerKey, token: verified.token)
        guard nonces.insert(used, timestamp: timestamp) else { throw .nonceUsed }
        return verified
    }

    private func verifySignature(
        _ request: ReceivedRequest,
        clients: [String: RegisteredClient]
    ) throws(ProviderRefusal) -> VerifiedRequest {
        let authorizations = request.values(of: "authorization")
        let contentTypes = request.values(of: "content-type")
        guard authorizations.count <= 1 else { throw .verification(.parameterRepeated(name: "Authorization")) }
        guard contentTypes.count <= 1 else { throw .verification(.parameterRepeated(name: "Content-Type")) }
        let method = Array(request.method.utf8)
        let authority = Array(request.authority.utf8)
        let target = Array(request.target.utf8)
        let contentType = contentTypes.first.map { Array($0.utf8) } ?? []
        let authorization = authorizations.first.map { Array($0.utf8) }
        let result = SignatureVerification.verify(
            method: method.span,
            scheme: .https,
            authority: authority.span,
            target: target.span,
            contentType: contentType.span,
            body: request.body.span,
            authorization: authorization?.span,
            clientSecret: { clients[$0]?.consumerSecret },
            tokenSecret: { tokens[$0]?.credentials.secret }
        )
        switch result {
        case .success(let verified): return verified
        case .failure(let failure): throw .verification(failure)
        }
    }
}
