import OAuthSigning

/// The suspicion that is left by a signature which nothing else explains.
enum WrongKeyFinding {
    /// - Parameters:
    ///   - bytes: The other side's signature; nil for one that cannot be read.
    ///   - differences: The differences between the two sides' parameters of the protocol.
    /// - Returns: Nil where the other side signs for somebody else, or sent what is no signature of this method.
    static func finding(
        method: SignatureMethod,
        bytes: [UInt8]?,
        match: RecipeMatch,
        hasTokenSecret: Bool,
        differences: [ParameterDifference]
    ) -> ComparisonFinding? {
        let credentials = ["oauth_consumer_key", "oauth_token", "oauth_signature_method"]
        if differences.contains(where: { credentials.contains($0.name) }) { return nil }
        let secret = hasTokenSecret ? "consumer secret or token secret" : "consumer secret"
        let compare =
            "compare character by character with what the provider issued for this consumer key"
            + (hasTokenSecret ? " and this token" : "")
            + " (a secret that was renewed, a test account's, that of a different application)"
        switch method {
        case .plaintext:
            return ComparisonFinding(
                cause: .wrongKey,
                certainty: .seen,
                sentence: "Wrong key: the other side has a different \(secret); \(compare)."
            )
        case .hmacSHA1, .hmacSHA256, .hmacSHA512:
            guard let bytes, !bytes.isEmpty else { return nil }
            let right = method.hashAlgorithm.function.byteCount
            guard bytes.count == right else {
                return ComparisonFinding(
                    cause: .signatureFormat,
                    certainty: .seen,
                    sentence:
                        "The other side's signature has \(bytes.count) bytes, and one of \(method.rawValue) has \(right): it is made "
                        + "by another method, or written otherwise than as Base64 of its bytes."
                )
            }
            return ComparisonFinding(
                cause: .unconfirmed,
                certainty: .likely,
                sentence:
                    "Neither the other side's key nor its base string could be confirmed: it has a different \(secret), or it "
                    + "signed another text. Check in this order: 1. the secrets; \(compare); 2. the method, the URL, the query "
                    + "and the body, byte for byte as they were sent; 3. the Content-Type; 4. the other side's base string, which "
                    + "--against takes too."
            )
        case .rsaSHA1, .rsaSHA256, .rsaSHA512:
            guard let bytes, !bytes.isEmpty else { return nil }
            // With RSA it can be seen whether the key is the right one.
            let isKeyRight = if case .rsa(let message?) = match { message.isOfKey } else { false }
            return ComparisonFinding(
                cause: isKeyRight ? .otherText : .wrongKey,
                certainty: isKeyRight ? .seen : .likely,
                sentence: sentence(bytes.count, match)
            )
        }
    }

    private static func sentence(_ count: Int, _ match: RecipeMatch) -> String {
        let compare = "compare with the one that is registered for this consumer key"
        guard case .rsa(let message?) = match else {
            return
                "Wrong key: the other side's signature, of \(count) bytes, is none that this RSA key can make: it was made with "
                + "another key, was cut, or is no RSA signature; \(compare)."
        }
        if message.isOfKey {
            return
                "The other side's private key is the right one, but it signed another text: check the method, the URL, the "
                + "query and the body, byte for byte as they were sent, then the Content-Type, then its base string, which "
                + "--against takes too."
        }
        return
            "Wrong key: the other side's private key is not the one whose key or certificate is given here; \(compare)."
    }
}
