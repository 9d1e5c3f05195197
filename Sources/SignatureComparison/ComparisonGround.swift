import OAuthSigning

/// Our side of a comparison.
struct ComparisonGround: Sendable {
    let request: ExplainableRequest
    private let parts: ComparedRequest
    /// The protocol parameters that the other side should have sent; nil when nothing is said of them.
    private let own: [ProtocolParameter]?

    init(_ request: ExplainableRequest, comparesParameters: Bool) throws(ComparisonError) {
        self.request = request
        do throws(ExplainError) {
            parts = try ComparedRequest(request)
        } catch {
            throw .unexplainable(error)
        }
        own = comparesParameters ? request.protocolParameters : nil
    }

    func maskedKey(_ reference: SigningRecipe) -> String {
        let (consumerSecret, tokenSecret) = reference.key.secrets
        return MaskedKey.text(clientSecret: consumerSecret ?? Secret(""), tokenSecret: tokenSecret)
    }

    /// The right way to sign with the other side's parameters.
    ///
    /// A provider takes no token's secret where it is told no token (RFC 5849, section 3.4.2); a signer of ours may be
    /// told to leave out the token alone.
    func reference(_ parameters: [RecipeParameter], method: SignatureMethod) -> SigningRecipe {
        let key = KeyRecipe(consumerSecret: request.consumerSecret, tokenSecret: request.tokenSecret)
        var recipe = SigningRecipe(parts, protocolParameters: parameters, key: key, signatureMethod: method)
        let hasToken = recipe.parameters.contains { $0.nameText == "oauth_token" && !$0.value.isEmpty }
        if own == nil, !hasToken { recipe.key.secrets.second = nil }
        return recipe
    }

    func catalogue(_ reference: SigningRecipe, realm: String?) -> DeviationCatalogue {
        DeviationCatalogue(
            request: parts,
            reference: reference,
            own: own ?? [],
            unusedTokenSecret: reference.key.secrets.second == nil ? request.tokenSecret : nil,
            realms: [realm, request.options.realm].compactMap(\.self)
        )
    }

    /// - Parameter realm: The other side's; nil where it cannot be known.
    func differences(_ parameters: [RecipeParameter], realm: String??) -> [ParameterDifference] {
        guard var own else { return [] }
        var theirs = parameters.map { ProtocolParameter(name: $0.nameText, value: $0.valueText) }
        // What we have not chosen is not compared.
        if request.nonce == nil { theirs.removeAll { $0.name == "oauth_nonce" } }
        if request.timestamp == nil { theirs.removeAll { $0.name == "oauth_timestamp" } }
        if let realm {
            if let realm { theirs.insert(ProtocolParameter(name: "realm", value: realm), at: 0) }
            if let realm = request.options.realm { own.append(ProtocolParameter(name: "realm", value: realm)) }
        }
        return ParameterDifference.all(ours: own, theirs: theirs)
    }

    /// Returns what can be seen in what the other side sent.
    func findings(
        _ sent: SentSignature,
        differences: [ParameterDifference],
        method: SignatureMethod,
        now: UInt64
    ) -> [ComparisonFinding] {
        let absent = differences.filter { $0.theirs == nil }.map(\.name)
        var findings = differences.map(\.finding)
        findings += sent.findings(method: method, exceptAbsent: absent)
        if let hash = sent[BodyHash.parameterName] {
            let expected = BodyHash.text(of: parts.body.span, for: method)
            if hash != expected, !findings.contains(where: { $0.cause == .bodyHash }) {
                findings.append(
                    ComparisonFinding(
                        cause: .bodyHash,
                        certainty: .seen,
                        sentence: "The other side's oauth_body_hash is not that of this body, which is \"\(expected)\"."
                    )
                )
            }
        }
        if let timestamp = sent["oauth_timestamp"] {
            let ours = request.timestamp.flatMap { UInt64($0) }
            let finding = TimestampFinding.finding(
                for: timestamp,
                now: ours ?? now,
                clock: ours == nil ? "this machine's clock" : "ours"
            )
            if let finding { findings.append(finding) }
        }
        return findings
    }

    /// - Returns: Nil when there is nothing to make or verify a signature with.
    func match(
        _ text: SignatureText,
        method: SignatureMethod,
        publicKey: RSAVerificationKey?
    ) throws(ComparisonError) -> RecipeMatch? {
        if method.isRSA {
            if let publicKey { return .verified(text.bytes ?? [], publicKey) }
            return try verificationKey().map { .verified(text.bytes ?? [], $0) }
        }
        return request.consumerSecret == nil && request.tokenSecret == nil ? nil : .shared(text.canonical)
    }

    private func verificationKey() throws(ComparisonError) -> RSAVerificationKey? {
        guard let pem = request.privateKey else { return nil }
        do throws(SigningError) {
            return try RSASigningKey(pem: pem).verificationKey
        } catch {
            throw .unexplainable(.unsignable(error))
        }
    }

    /// Returns those of a base string's parameters that are the protocol's: that say so, or that we would send.
    func protocolParameters(in stated: StatedBaseString) -> [RecipeParameter] {
        let names = Set((own ?? []).map(\.name))
        return stated.parameters.filter { parameter in
            let name = parameter.nameText
            return name != "oauth_signature" && (name.hasPrefix("oauth_") || names.contains(name))
        }
    }
}

/// The findings on the other side's `oauth_timestamp` (RFC 5849, section 3.3).
enum TimestampFinding {
    /// Providers commonly accept five minutes to either side.
    private static let window: UInt64 = 300

    /// - Parameters:
    ///   - now: Seconds since 1970 that it is compared with.
    ///   - clock: Whose they are, in words.
    static func finding(for timestamp: String, now: UInt64, clock: String) -> ComparisonFinding? {
        guard timestamp.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let time = UInt64(timestamp) else {
            return ComparisonFinding(
                cause: .timestampMalformed,
                certainty: .seen,
                sentence: "oauth_timestamp \"\(timestamp)\" is no number; it must be the seconds since 1970."
            )
        }
        if time / 500 > now {
            return ComparisonFinding(
                cause: .timestampMalformed,
                certainty: .seen,
                sentence:
                    "oauth_timestamp \(time) is not in seconds (in milliseconds?); it must be the seconds since 1970."
            )
        }
        let distance = time > now ? time - now : now - time
        guard distance > window else { return nil }
        return ComparisonFinding(
            cause: .timestampFar,
            certainty: .remark,
            sentence:
                "oauth_timestamp is \(distance) s \(time > now ? "ahead of" : "behind") \(clock); providers commonly "
                + "accept \(window) s."
        )
    }
}
