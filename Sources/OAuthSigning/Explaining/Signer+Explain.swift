package import Bytes

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

    /// As the other, for what other signers did: any scheme, any text as timestamp.
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
