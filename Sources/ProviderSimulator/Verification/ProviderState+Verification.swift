import Bytes
import OAuthSigning

extension ProviderState {
    /// Signature first, then how it was made and whose token it is, the clock, and the nonce.
    ///
    /// - Parameter now: The provider's time.
    mutating func verify(
        _ request: ReceivedRequest,
        at endpoint: ProviderEndpoint,
        rules: OAuth1Rules,
        realm: String,
        now: UInt64
    ) throws(ProviderRefusal) -> VerifiedRequest {
        let verified = try verifySignature(request, at: endpoint)
        guard rules.signatureMethods.contains(verified.signatureMethod) else {
            throw .verification(.signatureMethodRejected)
        }
        if rules.requiresRealm, verified.realm != realm { throw .realmRejected(expected: realm) }
        try checkToken(of: verified, at: endpoint, now: now)
        // Only PLAINTEXT may go without both (RFC 5849, section 3.1).
        guard let nonce = verified["oauth_nonce"], let timestamp = verified["oauth_timestamp"].flatMap(UInt64.init)
        else { return verified }
        guard nonce.utf8.count >= rules.minimumNonceLength else {
            throw .verification(.parameterRejected(name: "oauth_nonce"))
        }
        try check(timestamp, of: verified, rules: rules, now: now)
        let used = NonceHistory.Nonce(value: nonce, consumerKey: verified.consumerKey, token: verified.token)
        guard nonces.insert(used, timestamp: timestamp) else { throw .nonceUsed }
        timestamps.record(timestamp, consumerKey: verified.consumerKey, token: verified.token)
        return verified
    }

    private mutating func check(
        _ timestamp: UInt64,
        of verified: VerifiedRequest,
        rules: OAuth1Rules,
        now: UInt64
    ) throws(ProviderRefusal) {
        let tolerance = rules.timestampTolerance
        let acceptable = (now - min(now, tolerance))...(now + tolerance)
        guard acceptable.contains(timestamp) else { throw .timestampRefused(acceptable: acceptable) }
        nonces.forget(before: acceptable.lowerBound)
        switch rules.timestamps {
        case .window: break
        case .neverBeforeTheLast:
            let last = timestamps.last(consumerKey: verified.consumerKey, token: verified.token)
            guard let last, timestamp < last else { return }
            throw .timestampRefused(acceptable: last...max(last, acceptable.upperBound))
        }
    }

    /// Temporary credentials are good at one endpoint only.
    private func checkToken(
        of verified: VerifiedRequest,
        at endpoint: ProviderEndpoint,
        now: UInt64
    ) throws(ProviderRefusal) {
        guard let token = verified.token else { return }
        if endpoint == .accessToken, let temporary = temporaryCredentials[token] {
            guard temporary.consumerKey == verified.consumerKey else { throw .tokenOfOtherClient }
            if temporary.stage == .used { throw .tokenUsed }
            guard now < temporary.expiresAt else { throw .tokenExpired }
            return
        }
        guard let issued = tokens[token], issued.token.consumerKey == verified.consumerKey else {
            throw .tokenOfOtherClient
        }
        switch issued.status {
        case .active: break
        case .expired: throw .tokenExpired
        case .revoked: throw .tokenRevoked
        case .used: throw .tokenUsed
        }
    }

    private func verifySignature(
        _ request: ReceivedRequest,
        at endpoint: ProviderEndpoint
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
            tokenSecret: { token in
                let temporary = endpoint == .accessToken ? temporaryCredentials[token]?.credentials : nil
                return (temporary ?? tokens[token]?.token.credentials)?.secret
            },
            clientKey: { clients[$0]?.publicKey }
        )
        switch result {
        case .success(let verified): return verified
        case .failure(let failure): throw .verification(failure)
        }
    }
}

/// The last timestamp of each client and token.
struct TimestampHistory: Sendable {
    private struct Credentials: Hashable, Sendable {
        let consumerKey: String
        let token: String?
    }

    private var last: [Credentials: UInt64] = [:]

    /// Returns the last timestamp; nil when nobody has signed so before.
    func last(consumerKey: String, token: String?) -> UInt64? {
        last[Credentials(consumerKey: consumerKey, token: token)]
    }

    mutating func record(_ timestamp: UInt64, consumerKey: String, token: String?) {
        last[Credentials(consumerKey: consumerKey, token: token)] = timestamp
    }
}

/// Nonces that were used, for as long as their timestamps would be accepted again (RFC 5849, section 3.3).
struct NonceHistory: Sendable {
    struct Nonce: Hashable, Sendable {
        let value: String
        let consumerKey: String
        let token: String?
    }

    private var nonces: [UInt64: Set<Nonce>] = [:]

    /// Notes a nonce as used, and returns whether it was not used before with this timestamp.
    mutating func insert(_ nonce: Nonce, timestamp: UInt64) -> Bool {
        nonces[timestamp, default: []].insert(nonce).inserted
    }

    mutating func forget(before timestamp: UInt64) {
        nonces = nonces.filter { $0.key >= timestamp }
    }
}
