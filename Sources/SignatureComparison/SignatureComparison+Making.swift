package import OAuthSigning

extension SignatureComparison {
    /// Compares our signature of a request with another one.
    ///
    /// - Parameters:
    ///   - request: Without a nonce or a timestamp where they are nobody's choice. Its secrets, or its private key, are
    ///     what both sides should have signed with.
    ///   - comparesParameters: Whether the protocol parameters of `request` are what the other side should have sent;
    ///     otherwise it is judged by what it sent, as a provider does: without a token the token's secret takes no
    ///     part.
    ///   - publicKey: For the RSA methods, in place of the request's private key.
    ///   - now: Seconds since 1970.
    /// - Throws: ``ComparisonError/unexplainable(_:)`` for a request without a method or a URL.
    package init(
        of request: ExplainableRequest,
        with other: ComparedSigner,
        comparesParameters: Bool = true,
        publicKey: RSAVerificationKey? = nil,
        now: UInt64
    ) throws(ComparisonError) {
        let ground = try ComparisonGround(request, comparesParameters: comparesParameters)
        switch other {
        case .sent(let sent): try self.init(ground, sent, publicKey: publicKey, now: now)
        case .baseString(let stated): self.init(ground, stated)
        }
    }

    private init(
        _ ground: ComparisonGround,
        _ sent: SentSignature,
        publicKey: RSAVerificationKey?,
        now: UInt64
    ) throws(ComparisonError) {
        let claimed =
            sent.signatureMethod ?? ground.request.options.signatureMethod
        let text = SignatureText(sent, method: claimed)
        let method = claimed.ofLength(text.bytes?.count) ?? claimed
        let reference = ground.reference(sent.parameters, method: method)
        let differences = ground.differences(sent.parameters, realm: .some(sent.realm))
        var findings = ground.findings(sent, differences: differences, method: method, now: now) + text.findings

        let match = try ground.match(text, method: method, publicKey: publicKey)
        let catalogue = ground.catalogue(reference, realm: sent.realm)
        let isRight = match?.matches(reference) ?? false
        let search = isRight ? nil : match.map { DeviationSearch(reference: reference, match: $0) }
        let discovery = search?.search(catalogue)
        if method != claimed {
            findings.append(
                ComparisonFinding(
                    cause: .hash,
                    certainty: isRight || discovery != nil ? .proven : .seen,
                    sentence:
                        "The other side says \(claimed.rawValue), but its signature is \(method.rawValue)'s by its "
                        + "length."
                )
            )
        }
        findings = (discovery?.findings ?? []) + findings
        if search != nil, discovery == nil {
            let wrongKey = WrongKeyFinding.finding(
                method: method,
                count: text.bytes?.count,
                hasTokenSecret: reference.key.secrets.second != nil,
                differences: differences
            )
            if let wrongKey { findings.insert(wrongKey, at: 0) }
        }
        subject = method == .plaintext ? .key : .signature
        self.findings = findings
        self.differences = differences
        verdict = Self.verdict(isKnown: match != nil, isRight: isRight, findings: findings)
        baseString = String(decoding: reference.baseString, as: UTF8.self)
        // PLAINTEXT signs none.
        let theirs = isRight ? reference : discovery?.recipe
        theirBaseString = method == .plaintext ? nil : theirs.map { String(decoding: $0.baseString, as: UTF8.self) }
        signature = match.flatMap { $0.signature(of: reference) }
        theirSignature = method == .plaintext ? nil : String(decoding: text.canonical, as: UTF8.self)
        maskedKey = method.isRSA ? "" : ground.maskedKey(reference)
    }

    private init(_ ground: ComparisonGround, _ stated: StatedBaseString) {
        let parameters = ground.protocolParameters(in: stated)
        let reference = ground.reference(parameters, method: ground.request.options.signatureMethod)
        let differences = ground.differences(parameters, realm: nil)
        let match = RecipeMatch.baseString(Array(stated.text.utf8))
        let isRight = match.matches(reference)
        let search = DeviationSearch(reference: reference, match: match)
        var catalogue = ground.catalogue(reference, realm: nil)
        if let signed = stated.parameters.first(where: { $0.nameText == "oauth_signature" }) {
            catalogue.signedSignature = signed.value
        }
        let discovery = isRight ? nil : search.search(catalogue)

        subject = .baseString
        self.differences = differences
        baseString = String(decoding: reference.baseString, as: UTF8.self)
        theirBaseString = stated.text
        let stray =
            discovery == nil ? BaseStringDifference.findings(ours: baseString, theirs: stated.text) : []
        findings = (discovery?.findings ?? []) + stray + differences.map(\.finding)
        verdict = Self.verdict(isKnown: true, isRight: isRight, findings: findings)
        signature = nil
        theirSignature = nil
        maskedKey = ""
    }

    private static func verdict(isKnown: Bool, isRight: Bool, findings: [ComparisonFinding]) -> Verdict {
        if !isKnown { return .unknown }
        if findings.contains(where: { $0.certainty == .proven }) { return .explained }
        if !isRight { return .unexplained }
        return findings.allSatisfy { $0.certainty == .remark } ? .same : .otherParameters
    }
}

extension SignatureMethod {
    /// Of an HMAC method: the one whose signatures have so many bytes.
    fileprivate func ofLength(_ count: Int?) -> SignatureMethod? {
        switch self {
        case .hmacSHA1, .hmacSHA256, .hmacSHA512:
            switch count {
            case 20: .hmacSHA1
            case 32: .hmacSHA256
            case 64: .hmacSHA512
            default: nil
            }
        case .rsaSHA1, .rsaSHA256, .rsaSHA512, .plaintext: nil
        }
    }
}
