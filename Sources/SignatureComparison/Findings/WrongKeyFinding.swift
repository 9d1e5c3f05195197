import OAuthSigning

/// The suspicion that is left by a signature which nothing else explains.
enum WrongKeyFinding {
    /// - Parameters:
    ///   - count: How many bytes the other side's signature has; nil for one that cannot be read.
    ///   - differences: Between the two sides' parameters of the protocol.
    /// - Returns: Nil where the other side signs for somebody else, or sent what is no signature of this method.
    static func finding(
        method: SignatureMethod,
        count: Int?,
        hasTokenSecret: Bool,
        differences: [ParameterDifference]
    ) -> ComparisonFinding? {
        let credentials = ["oauth_consumer_key", "oauth_token", "oauth_signature_method"]
        if differences.contains(where: { credentials.contains($0.name) }) { return nil }
        let secret = hasTokenSecret ? "consumer secret or token secret" : "consumer secret"
        let compare =
            "compare character by character with what the provider issued for this consumer key"
            + (hasTokenSecret ? " and this token" : "")
            + " (a line end or a blank too many, a secret that was renewed, a test account's)"
        switch method {
        case .plaintext:
            return ComparisonFinding(
                cause: .wrongKey,
                certainty: .seen,
                sentence: "Wrong key: the other side has a different \(secret); \(compare)."
            )
        case .hmacSHA1, .hmacSHA256, .hmacSHA512:
            guard count == method.byteCount else { return nil }
            return ComparisonFinding(
                cause: .wrongKey,
                certainty: .likely,
                sentence:
                    "Wrong key, most likely: the other side has a different \(secret); \(compare). Only then doubt the URL, "
                    + "the body and the Content-Type."
            )
        case .rsaSHA1, .rsaSHA256, .rsaSHA512:
            guard count != nil else { return nil }
            return ComparisonFinding(
                cause: .wrongKey,
                certainty: .likely,
                sentence:
                    "Wrong key, most likely: the other side's private key is not the one whose key or certificate is given "
                    + "here; compare with the one that is registered for this consumer key. Only then doubt the URL, the "
                    + "body and the Content-Type."
            )
        }
    }
}

extension SignatureMethod {
    /// The number of bytes of an HMAC method's signatures; nil for the others.
    fileprivate var byteCount: Int? {
        switch self {
        case .hmacSHA1: 20
        case .hmacSHA256: 32
        case .hmacSHA512: 64
        case .rsaSHA1, .rsaSHA256, .rsaSHA512, .plaintext: nil
        }
    }
}
