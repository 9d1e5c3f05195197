import Bytes
package import OAuthSigning

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
        /// No deviation that was tried yields the other side's signature.
        case unexplained
        /// A signature cannot be made or verified, for want of a secret or a key.
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
    /// The other side's base string; nil unless it is known.
    package let theirBaseString: String?
    /// Our signature with the other side's protocol parameters: nil for the RSA methods, without a secret, and unless
    /// signatures are compared.
    package let signature: String?
    /// The other side's signature; nil unless signatures are compared.
    package let theirSignature: String?
    /// The key as ``SigningExplanation/maskedKey`` has it; empty for the RSA methods and for base strings.
    package let maskedKey: String

    /// Returns whether a body is a JSON object or array, whatever its type is said to be.
    package static func isJSONDocument(_ body: [UInt8]) -> Bool {
        let first = body.first { !$0.isOptionalWhitespace && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
        return JSONValue(body) != nil
    }

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

extension SignatureComparison {
    /// Compares our signature of a request with another one.
    ///
    /// - Parameters:
    ///   - request: The request, without a nonce or a timestamp where they are nobody's choice. Its secrets, or its
    ///     private key, are what both sides should have signed with.
    ///   - comparesParameters: Whether the protocol parameters of `request` are what the other side should have sent;
    ///     otherwise it is judged by what it sent, as a provider does: without a token the token's secret takes no
    ///     part.
    ///   - publicKey: The key for the RSA methods, in place of the request's private key.
    ///   - characterSets: Those that the other side may have used besides the ones that are known here.
    ///   - effort: The limits of what is tried.
    ///   - secretNames: Names of variables that the secrets may be in, where those are known.
    ///   - now: Seconds since 1970.
    /// - Throws: ``ComparisonError/unexplainable(_:)`` for a request without a method or a URL.
    package init(
        of request: ExplainableRequest,
        with other: ComparedSigner,
        comparesParameters: Bool = true,
        publicKey: RSAVerificationKey? = nil,
        characterSets: [OtherCharacterSet] = [],
        effort: SearchEffort = .full,
        secretNames: [String] = [],
        now: UInt64
    ) throws(ComparisonError) {
        let ground = try ComparisonGround(
            request,
            comparesParameters: comparesParameters,
            characterSets: characterSets,
            effort: effort,
            secretNames: secretNames
        )
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
        var method = claimed.ofLength(text.bytes?.count) ?? claimed
        // Where no key of RSA is known, no signature by one was awaited.
        if claimed.isRSA, publicKey == nil, ground.request.credentials.signingKey == nil {
            method = sent.methodByLength ?? method
        }
        let reference = ground.reference(sent.parameters, method: method)
        let differences = ground.differences(sent.parameters, realm: .some(sent.realm))
        var findings = ground.findings(sent, differences: differences, method: method, now: now) + text.findings

        var match = try ground.match(text, text.bytes ?? [], method: method, publicKey: publicKey)
        if case .rsa(let message) = match, !(message?.isOfKey ?? false) {
            for spelling in RSASpelling.allCases {
                guard let bytes = text.bytes.flatMap(spelling.undone),
                    case .rsa(let message?) = try ground.match(text, bytes, method: method, publicKey: publicKey),
                    message.isOfKey
                else { continue }
                match = .rsa(message)
                findings.append(spelling.finding)
                break
            }
        }
        let ours = match.flatMap { $0.signature(of: reference) }
        let isSame = match?.matches(reference) ?? false
        let spelling = isSame ? nil : ours.flatMap { SignatureSpelling.finding(of: sent.signature, right: $0) }
        let isRight = isSame || spelling != nil
        let search = isRight ? nil : match.map { ground.search(reference, $0, text, claimed: claimed) }
        let discovery = search?.search(ground.catalogue(reference, realm: sent.realm, text))
        if let spelling { findings = findings.filter { $0.cause != .signatureFormat } + [spelling] }
        if method != claimed, discovery?.hasOtherCode != true {
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
        if let match, !isRight, discovery == nil {
            let suspicions = ground.suspicions(match, text, method, differences, reference)
            // Where it is proven what was sent in place of a signature, its form says nothing more.
            if suspicions.contains(where: { $0.certainty == .proven }) {
                findings.removeAll { $0.cause == .signatureFormat }
            }
            findings.insert(contentsOf: suspicions, at: 0)
        }
        subject = method == .plaintext ? .key : .signature
        self.findings = findings
        self.differences = differences
        verdict = Self.verdict(isKnown: match != nil, isRight: isRight, findings: findings)
        baseString = String(decoding: reference.baseString, as: UTF8.self)
        let theirs = isRight ? reference : discovery?.recipe
        // PLAINTEXT signs none, and one that a secret or a password was put into is not shown.
        let isShown =
            method != .plaintext && !findings.contains { $0.cause == .secretSigned || $0.cause == .userInformation }
        theirBaseString = isShown ? theirs.map { String(decoding: $0.baseString, as: UTF8.self) } : nil
        signature = ours
        // What is no signature may be the key.
        theirSignature = text.bytes == nil ? nil : String(decoding: text.canonical, as: UTF8.self)
        maskedKey = method.isRSA ? "" : ground.maskedKey(reference)
    }

    private init(_ ground: ComparisonGround, _ stated: StatedBaseString) {
        let parameters = ground.protocolParameters(in: stated)
        let reference = ground.reference(parameters, method: ground.request.options.signatureMethod)
        let differences = ground.differences(parameters, realm: nil)
        let match = RecipeMatch.baseString(Array(stated.text.utf8))
        let isRight = match.matches(reference)
        let search = DeviationSearch(reference: reference, match: match, effort: ground.effort)
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
    /// Returns, for an HMAC method, the one whose signatures have so many bytes.
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

/// The reason why nothing can be compared.
package enum ComparisonError: Error, Equatable, Sendable {
    /// Neither an `OAuth` field nor a base string.
    case neitherHeaderNorBaseString
    /// An `OAuth` field that cannot be read.
    case fieldMalformed(AuthorizationFieldFault)
    /// No `oauth_signature`.
    case signatureAbsent
    case unexplainable(ExplainError)
}

extension ComparisonError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .neitherHeaderNorBaseString:
            "What is compared with is neither an Authorization field (OAuth oauth_consumer_key=\"…\", …) nor a base string "
                + "(METHOD&URI&parameters); give one of them."
        case .fieldMalformed(let fault): fault.description
        case .signatureAbsent: "There is no oauth_signature; give the field, or the request, as it was sent."
        case .unexplainable(let error): error.description
        }
    }
}
