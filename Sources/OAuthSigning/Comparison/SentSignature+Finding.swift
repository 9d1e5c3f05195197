extension SentSignature {
    /// What is wrong with the parameters whatever the request is.
    ///
    /// - Parameters:
    ///   - method: That the signature is made with.
    ///   - absent: Names of parameters that are known to be absent.
    func findings(method: SignatureMethod, exceptAbsent absent: [String]) -> [ComparisonFinding] {
        var findings: [ComparisonFinding] = []
        var names: Set<String> = []
        for name in parameters.map(\.nameText) where !names.insert(name).inserted {
            findings.append(
                ComparisonFinding(
                    cause: .parameterRepeated,
                    certainty: .seen,
                    sentence: "The other side sends \(name) more than once; RFC 5849, section 3.1 allows it once."
                )
            )
        }
        let required =
            ["oauth_consumer_key", "oauth_signature_method"]
            + (method == .plaintext ? [] : ["oauth_nonce", "oauth_timestamp"])
        for name in required where !names.contains(name) && !absent.contains(name) {
            findings.append(
                ComparisonFinding(
                    cause: .parameterAbsent,
                    certainty: .seen,
                    sentence: "The other side has no \(name), which RFC 5849, section 3.1 demands."
                )
            )
        }
        for name in unescapedNames {
            findings.append(
                ComparisonFinding(
                    cause: .parameterNotEncoded,
                    certainty: .seen,
                    sentence:
                        "The other side sends \(name) without percent-encoding it; a strict provider refuses that."
                )
            )
        }
        return findings
    }
}
