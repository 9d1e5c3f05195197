package import Bytes

/// Everything about one signature that a person wants to see.
package struct SigningExplanation: Sendable {
    /// The parameters that were signed, encoded, in the order of the base string.
    package let parameters: [ExplainedParameter]
    /// The base string URI (RFC 5849, section 3.4.1.2), not encoded.
    package let baseStringURI: String
    /// The base string (RFC 5849, section 3.4.1.1).
    package let baseString: String
    /// The signing key with all but the first two characters of each long secret blotted out.
    package let maskedKey: String
    /// `oauth_signature`, not percent-encoded. (PLAINTEXT's is the key itself.)
    package let signature: String
    /// The value of the `Authorization` field; empty when the parameters are placed elsewhere.
    package let authorization: String
    package let signed: SignedRequest
    /// Protocol parameters that the request already carries although they are added here: ``Signer/sign`` refuses
    /// such a request, because RFC 5849, section 3.1 lets no protocol parameter occur twice.
    package let repeatedParameters: [String]

    /// The normalized parameters (RFC 5849, section 3.4.1.3.2).
    package var normalizedParameters: String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

/// One signed parameter, encoded once, and where it came from.
package struct ExplainedParameter: Hashable, Sendable {
    package let name: String
    package let value: String
    package let origin: ParameterOrigin
}

/// A signing key for a person's eyes: enough to tell two keys apart by, and nothing of a secret that is short enough
/// to guess.
package enum MaskedKey {
    package static func text(clientSecret: Secret, tokenSecret: Secret?) -> String {
        mask(clientSecret) + "&" + (tokenSecret.map(mask) ?? "")
    }

    private static func mask(_ secret: Secret) -> String {
        if secret.isEmpty { return "" }
        return secret.withBytes { bytes in
            guard bytes.count >= 12 else { return "…" }
            let shown = bytes.extracting(first: 2).array
            return shown.allSatisfy(PercentEncoding.isUnreserved) ? String(decoding: shown, as: UTF8.self) + "…" : "…"
        }
    }
}

extension Signer {
    /// Signs one request and tells how. The parameters are those of ``sign``; a request that ``sign`` would refuse
    /// because a parameter is repeated is explained all the same.
    package func explain(
        method: Span<UInt8>,
        scheme: URIScheme,
        authority: Span<UInt8>,
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        nonce: Span<UInt8>,
        timestamp: UInt64,
        additionalParameters: [ProtocolParameter] = []
    ) throws(SigningError) -> SigningExplanation {
        let number = DecimalDigits(timestamp)
        return try explain(
            method: method,
            schemeName: scheme.bytes.span,
            authority: authority,
            target: target,
            contentType: contentType,
            body: body,
            nonce: nonce,
            timestampText: number.digits.span.extracting(number.start...),
            additionalParameters: additionalParameters
        )
    }

    /// Signs and tells how, as the other does, for what other signers did: any scheme, any text as timestamp.
    package func explain(
        method: Span<UInt8>,
        schemeName: Span<UInt8>,
        authority: Span<UInt8>,
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        nonce: Span<UInt8>,
        timestampText: Span<UInt8>,
        additionalParameters: [ProtocolParameter] = []
    ) throws(SigningError) -> SigningExplanation {
        let further = try further(additionalParameters, contentType: contentType, body: body)
        var scratch = SigningScratch()
        let base = baseString(
            method: method,
            scheme: schemeName,
            authority: authority,
            target: target,
            contentType: contentType,
            body: body,
            nonce: nonce,
            timestamp: timestampText,
            further: further,
            scratch: &scratch
        )
        let signature = try key.signature(of: base.bytes)
        let signed = try place(
            target: target,
            contentType: contentType,
            body: body,
            nonce: nonce,
            timestamp: timestampText,
            signature: signature.span,
            further: further
        )
        return SigningExplanation(
            parameters: base.explainedParameters,
            baseStringURI: base.uri,
            baseString: base.text,
            maskedKey: maskedKey,
            signature: String(decoding: signature, as: UTF8.self),
            authorization: signed.authorization.map { String(decoding: $0, as: UTF8.self) } ?? "",
            signed: signed,
            repeatedParameters: repeated(in: base, further: further)
        )
    }
}
