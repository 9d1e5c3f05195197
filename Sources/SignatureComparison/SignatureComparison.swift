import OAuthSigning

/// Two signatures of one request side by side: ours, and what another signer sent or says it signed.
///
/// Ours is made with the other side's protocol parameters, its nonce and timestamp above all, so that only what is
/// done differently remains. Of the other side only the signature is known, not the base string: so single deviations
/// and pairs of them are tried until its signature comes out, which proves what it did.
package struct SignatureComparison: Sendable {
    package enum Verdict: String, Sendable {
        /// The same signature, and no difference but nonce and timestamp.
        case same
        /// The other side's signature is right for what it sent, and what it sent differs.
        case otherParameters = "other_parameters"
        /// The findings with ``ComparisonFinding/Certainty/proven`` yield the other side's signature.
        case explained
        /// Nothing that was tried yields the other side's signature.
        case unexplained
        /// There is no secret, or no key, to make or verify a signature with.
        case unknown
    }

    /// The part of the two sides that is compared.
    package enum Subject: String, Sendable {
        case signature
        /// The key that PLAINTEXT sends in place of a signature; it is never shown.
        case key
        case baseString = "base_string"
    }

    package let subject: Subject
    package let verdict: Verdict
    package let findings: [ComparisonFinding]
    /// Parameters of the protocol that the two do not send alike.
    package let differences: [ParameterDifference]
    /// The base string of our request with the other side's protocol parameters.
    package let baseString: String
    /// Nil unless it is known.
    package let theirBaseString: String?
    /// Our signature with the other side's protocol parameters: nil for the RSA methods, without a secret, and unless
    /// signatures are compared.
    package let signature: String?
    /// Nil unless signatures are compared.
    package let theirSignature: String?
    /// As ``SigningExplanation/maskedKey``; empty for the RSA methods and for base strings.
    package let maskedKey: String

    package var parting: BaseStringParting? {
        theirBaseString.flatMap { BaseStringParting(ours: baseString, theirs: $0) }
    }
}

extension SignatureComparison {
    /// The outcome in a sentence or two; the findings are told apart from it.
    package var summary: String {
        switch (verdict, subject) {
        case (.same, .signature):
            "The same signature: ours with the other side's nonce and timestamp is the one that it sent."
        case (.same, .key): "The same key, which PLAINTEXT sends in place of a signature."
        case (.same, .baseString):
            "The same base string. Where the signatures differ all the same, the keys do: compare the secrets."
        case (.otherParameters, .baseString):
            "The other side's base string is right for its parameters of the protocol, but these differ from ours."
        case (.otherParameters, _):
            "The other side's signature is right for what it sent, but what it sent is not what it should be."
        case (.explained, .signature): "The signatures part. The other side's comes out when this is done:"
        case (.explained, .key): "The keys part. The other side's comes out when this is done:"
        case (.explained, .baseString): "The base strings part. The other side's comes out when this is done:"
        case (.unexplained, .signature):
            "The signatures part, and no deviation that was tried yields the other side's: it has "
                + "other secrets, or another URL, body or Content-Type than given here, or does what is not known here."
        case (.unexplained, .key):
            "The keys part, and no deviation that was tried yields the other side's: it has other secrets."
        case (.unexplained, .baseString):
            "The base strings part, and no deviation that was tried yields the other side's."
        case (.unknown, _):
            "Without the secrets (for RSA: without a key) no signature can be made or verified; only what was sent is "
                + "compared."
        }
    }
}

/// The facts known of the other side: what it sent, or the base string it had.
package enum ComparedSigner: Sendable {
    case sent(SentSignature)
    case baseString(StatedBaseString)

    /// - Parameter text: The value of an `Authorization` field, with or without the field's name, or a base string.
    package init(_ text: String) throws(ComparisonError) {
        let bytes = Array(text.utf8)
        if let sent = try SentSignature(authorization: bytes) {
            self = .sent(sent)
        } else if let stated = StatedBaseString(bytes) {
            self = .baseString(stated)
        } else {
            throw .neitherHeaderNorBaseString
        }
    }
}
