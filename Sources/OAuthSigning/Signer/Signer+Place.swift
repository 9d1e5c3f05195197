extension Signer {
    /// Puts the signed protocol parameters where they are sent (RFC 5849, section 3.5).
    func place(
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        nonce: Span<UInt8>,
        timestamp: Span<UInt8>,
        signature: Span<UInt8>,
        further: [EncodedParameter]
    ) throws(SigningError) -> SignedRequest {
        guard further.isEmpty else {
            let all = sent.parameters + further.map(SentParameter.init)
            let template = SentParameters(all, options, opening: client.headerOpening).template
            return try place(template, target, contentType, body, nonce, timestamp, signature)
        }
        return try place(template, target, contentType, body, nonce, timestamp, signature)
    }

    private func place(
        _ template: borrowing SentTemplate,
        _ target: Span<UInt8>,
        _ contentType: Span<UInt8>?,
        _ body: Span<UInt8>?,
        _ nonce: Span<UInt8>,
        _ timestamp: Span<UInt8>,
        _ signature: Span<UInt8>
    ) throws(SigningError) -> SignedRequest {
        let count = template.byteCount + 3 * ((token?.count ?? 0) + nonce.count + timestamp.count + signature.count)
        switch options.placement {
        case .header:
            var field = WordBuffer(capacity: count)
            template.write(to: &field, token: token, nonce: nonce, timestamp: timestamp, signature: signature)
            return SignedRequest(authorization: field.takeBytes())
        case .query:
            var extended = try extensible(target: target, by: count)
            template.write(to: &extended, token: token, nonce: nonce, timestamp: timestamp, signature: signature)
            return SignedRequest(target: extended.takeBytes())
        case .body:
            guard isForm(contentType) else { throw .formBodyRequired }
            var form = WordBuffer(capacity: (body?.count ?? 0) + count)
            if let body {
                form.append(body)
                form.separatePairs(after: 0)
            }
            template.write(to: &form, token: token, nonce: nonce, timestamp: timestamp, signature: signature)
            return SignedRequest(body: form.takeBytes())
        }
    }

    /// `target` as it is, ready for more parameters in its query.
    private func extensible(target: Span<UInt8>, by count: Int) throws(SigningError) -> WordBuffer {
        if target.count == 1, target[0] == UInt8(ascii: "*") { throw .targetTakesNoQuery }
        var extended = WordBuffer(capacity: target.count + count)
        let pathCount = target.pathCount
        if pathCount == 0 { extended.append(UInt8(ascii: "/")) }
        extended.append(target)
        if pathCount == target.count {
            extended.append(UInt8(ascii: "?"))
        } else {
            extended.separatePairs(after: extended.count - (target.count - pathCount - 1))
        }
        return extended
    }
}

extension WordBuffer {
    /// Appends `&` unless there is nothing after `start`, or a `&` at the end already.
    fileprivate mutating func separatePairs(after start: Int) {
        guard count > start, storage[count - 1] != UInt8(ascii: "&") else { return }
        append(UInt8(ascii: "&"))
    }
}
