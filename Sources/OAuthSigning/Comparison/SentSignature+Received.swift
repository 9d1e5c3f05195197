extension SentSignature {
    /// Takes the protocol parameters from where a received request has them: the field, else the query and the form, of
    /// which the request then keeps the rest.
    ///
    /// - Parameter authorization: The value of the Authorization field, nil when there is none.
    /// - Throws: ``ComparisonError/signatureAbsent`` and ``ComparisonError/headerMalformed``.
    package static func take(
        from request: inout ExplainableRequest,
        authorization: [UInt8]?
    ) throws(ComparisonError) -> SentSignature {
        if let authorization {
            if let sent = try SentSignature(authorization: authorization) { return sent }
            throw .signatureAbsent
        }
        var taken: [WrittenPair] = []
        if let uri = AbsoluteURI(Array(request.url.utf8).span) {
            let pathCount = uri.target.span.pathCount
            let rest = remainder(of: Array(uri.target.dropFirst(pathCount + 1)), taken: &taken)
            let query = rest.isEmpty ? [] : [UInt8(ascii: "?")] + rest
            let bytes = uri.scheme + Array("://".utf8) + uri.authority + uri.target[..<pathCount] + query
            request.url = String(decoding: bytes, as: UTF8.self)
        }
        if let body = request.body, let contentType = request.contentType, isFormMediaType(Array(contentType.utf8).span)
        {
            request.body = remainder(of: body, taken: &taken)
        }
        return try SentSignature(taken, realm: nil, isForm: true)
    }

    /// The pairs that are none of the protocol's, as they are written; the others are appended to `taken`.
    private static func remainder(of form: [UInt8], taken: inout [WrittenPair]) -> [UInt8] {
        let pairs = form.split(separator: UInt8(ascii: "&"))
        var kept: [[UInt8]] = []
        for (bytes, pair) in zip(pairs, WrittenPair.pairs(of: form)) {
            if pair.decoded(plusIsSpace: true).name.starts(with: "oauth_".utf8) {
                taken.append(pair)
            } else {
                kept.append(Array(bytes))
            }
        }
        return Array(kept.joined(separator: [UInt8(ascii: "&")]))
    }
}
