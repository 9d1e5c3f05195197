import Bytes
package import OAuthSigning

/// The protocol parameters that the other side sent, as they were written.
package struct SentSignature: Sendable {
    /// The parameters in the order in which they were sent, decoded, without `oauth_signature`.
    let parameters: [RecipeParameter]
    let realm: String?
    /// `oauth_signature` as it was written.
    let writtenSignature: [UInt8]
    /// The parameters with a reserved character that was sent as it is; never `oauth_signature`.
    let unescapedNames: [String]
    private let isForm: Bool

    /// - Parameter bytes: The value of the field, with or without its name.
    /// - Returns: Nil for what is no field of the scheme `OAuth`.
    /// - Throws: ``ComparisonError/signatureAbsent`` and ``ComparisonError/fieldMalformed(_:)``.
    package init?(authorization bytes: [UInt8]) throws(ComparisonError) {
        let bytes = Self.fieldValue(bytes)
        guard bytes.prefix(6).map(\.lowercasedASCII).elementsEqual("oauth ".utf8) else { return nil }
        let field: AuthorizationField?
        do {
            field = try AuthorizationField(bytes.span)
        } catch {
            throw .fieldMalformed(error)
        }
        guard let field else { return nil }
        try self.init(field.written, realm: field.realm.map { String(decoding: $0, as: UTF8.self) }, isForm: false)
    }

    /// - Parameter isForm: Whether the pairs stood in a query or a form, where `+` is a space.
    init(_ written: [WrittenPair], realm: String?, isForm: Bool) throws(ComparisonError) {
        var parameters: [RecipeParameter] = []
        var signature: [UInt8]?
        var unescaped: [String] = []
        for pair in written {
            let (name, value) = pair.decoded(plusIsSpace: isForm)
            if name.elementsEqual("oauth_signature".utf8) {
                signature = pair.value
                continue
            }
            parameters.append(RecipeParameter(protocolName: name, value: value))
            if Self.hasUnescaped(pair.value) { unescaped.append(String(decoding: name, as: UTF8.self)) }
        }
        guard let signature else { throw .signatureAbsent }
        self.parameters = parameters
        self.realm = realm
        writtenSignature = signature
        unescapedNames = unescaped
        self.isForm = isForm
    }

    /// `oauth_signature`, decoded once.
    var signature: [UInt8] { PercentEncoding.decodeLeniently(writtenSignature.span, plusIsSpace: isForm) }

    /// Indicates whether `oauth_signature` was sent as it is although it has reserved characters.
    var isSignatureUnescaped: Bool { Self.hasUnescaped(writtenSignature) }

    package var signatureMethod: SignatureMethod? {
        self["oauth_signature_method"].flatMap(SignatureMethod.init)
    }

    /// The HMAC method whose signatures are as long as this one, where those of RSA never are.
    package var methodByLength: SignatureMethod? {
        switch (signature.count, signature.last) {
        case (28, UInt8(ascii: "=")): .hmacSHA1
        case (44, UInt8(ascii: "=")): .hmacSHA256
        default: nil
        }
    }

    package var consumerKey: String? { self["oauth_consumer_key"] }

    /// The token that is sent; nil without one, or with an empty one.
    package var token: String? {
        self["oauth_token"].flatMap { $0.isEmpty ? nil : $0 }
    }

    subscript(name: String) -> String? {
        parameters.first { $0.nameText == name }?.valueText
    }

    /// The value of an `Authorization` field that is given as a line of a request may be: with its name, and with
    /// blanks or a line end around it.
    package static func fieldValue(_ text: [UInt8]) -> [UInt8] {
        var value = text[...].drop(while: \.isWhitespace)
        while value.last?.isWhitespace ?? false { value.removeLast() }
        let name = Array("authorization:".utf8)
        guard value.prefix(name.count).map(\.lowercasedASCII) == name else { return Array(value) }
        return Array(value.dropFirst(name.count).drop(while: \.isWhitespace))
    }

    private static func hasUnescaped(_ written: [UInt8]) -> Bool {
        written.contains { $0 != UInt8(ascii: "%") && !PercentEncoding.isUnreserved($0) }
    }
}

extension UInt8 {
    /// A blank, a tab or a line end.
    fileprivate var isWhitespace: Bool {
        isOptionalWhitespace || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
    }
}

extension SentSignature {
    /// Returns what is wrong with the parameters whatever the request is.
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

extension SentSignature {
    /// Findings on what no provider takes by RFC 5849, sections 3.1 and 3.3.
    var protocolFindings: [ComparisonFinding] {
        var findings: [ComparisonFinding] = []
        func note(_ cause: ComparisonCause, _ sentence: String) {
            findings.append(ComparisonFinding(cause: cause, certainty: .seen, sentence: sentence))
        }
        if let method = self["oauth_signature_method"], SignatureMethod(rawValue: method) == nil {
            let known = SignatureMethod.allCases.map(\.rawValue).joined(separator: ", ")
            note(
                .signatureMethod,
                "The other side's oauth_signature_method is \"\(method)\", which is none of \(known); they are written just so."
            )
        }
        if let version = self["oauth_version"], version != "1.0" {
            note(.version, "The other side's oauth_version is \"\(version)\"; it is 1.0, or left out.")
        }
        if self["oauth_nonce"]?.isEmpty == true { note(.nonce, "The other side's oauth_nonce is empty.") }
        return findings
    }
}

extension SentSignature {
    /// Takes the protocol parameters from where a received request has them: the field, else the query and the form, of
    /// which the request then keeps the rest.
    ///
    /// - Parameter authorization: The value of the Authorization field, nil when there is none.
    /// - Throws: ``ComparisonError/signatureAbsent`` and ``ComparisonError/fieldMalformed(_:)``.
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
