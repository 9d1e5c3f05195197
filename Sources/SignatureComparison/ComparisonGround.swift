import Bytes
import OAuthSigning

/// Our side of a comparison.
struct ComparisonGround: Sendable {
    let request: ExplainableRequest
    private let parts: ComparedRequest
    /// The protocol parameters that the other side should have sent; nil when nothing is said of them.
    private let own: [ProtocolParameter]?
    private let characterSets: [OtherCharacterSet]
    let effort: SearchEffort
    private let secretNames: [String]

    init(
        _ request: ExplainableRequest,
        comparesParameters: Bool,
        characterSets: [OtherCharacterSet],
        effort: SearchEffort,
        secretNames: [String]
    ) throws(ComparisonError) {
        self.request = request
        self.characterSets = characterSets
        self.effort = effort
        self.secretNames = secretNames
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
        let key = KeyRecipe(
            consumerSecret: request.credentials.consumerSecret,
            tokenSecret: request.credentials.tokenSecret
        )
        var recipe = SigningRecipe(parts, protocolParameters: parameters, key: key, signatureMethod: method)
        let hasToken = recipe.parameters.contains { $0.nameText == "oauth_token" && !$0.value.isEmpty }
        if own == nil, !hasToken { recipe.key.secrets.second = nil }
        return recipe
    }

    /// - Parameter text: The other side's signature, nil where a base string is compared.
    func catalogue(_ reference: SigningRecipe, realm: String?, _ text: SignatureText? = nil) -> DeviationCatalogue {
        DeviationCatalogue(
            request: parts,
            reference: reference,
            own: own ?? [],
            unusedTokenSecret: reference.key.secrets.second == nil ? request.credentials.tokenSecret : nil,
            realms: [realm, request.options.realm].compactMap(\.self),
            characterSets: characterSets,
            secretNames: secretNames + (reference.signatureMethod == .plaintext ? text?.namesInKey ?? [] : [])
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
        if own == nil { findings += sent.protocolFindings }
        if let hash = sent[BodyHash.parameterName] {
            let expected = BodyHash.text(of: parts.body.span, for: method)
            let cause = BodyHashCause(
                of: hash,
                body: parts.body,
                contentType: parts.contentType,
                method: method,
                others: otherHashed,
                keys: hashKeys
            )
            if hash != expected, let finding = cause?.finding {
                // The two values alone say less.
                findings.removeAll { $0.cause == .bodyHash }
                findings.append(finding)
            } else if hash != expected, !findings.contains(where: { $0.cause == .bodyHash }) {
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

    /// The other parts of the request that signers hash in place of its body.
    private var otherHashed: [(words: String, bytes: [UInt8])] {
        let uri = RecipeURI(scheme: parts.scheme, authority: parts.authority, target: parts.target).bytes
        let query = parts.query
        let texts: [(words: String, bytes: [UInt8])] = [
            ("the query in place of the body", query), ("the URI (URL) in place of the body", uri),
            ("the URI (URL) with its query in place of the body", uri + "?".bytes + query),
            ("the Content-Type in place of the body", parts.contentType ?? []),
            ("the method in place of the body", parts.method), ("the URI (URL) and the body", uri + parts.body),
        ]
        return texts.filter { !$0.bytes.isEmpty }
    }

    /// The secrets, and the key that they make.
    private var hashKeys: [[UInt8]] {
        let (first, second) = (request.credentials.consumerSecret, request.credentials.tokenSecret)
        let key = KeyRecipe(consumerSecret: first, tokenSecret: second).text
        return [first, second, key].compactMap { $0?.withBytes { $0.array } }.filter { !$0.isEmpty }
    }

    /// - Parameter bytes: Those of an RSA signature.
    /// - Returns: Nil when there is nothing to make or verify a signature with.
    func match(
        _ text: SignatureText,
        _ bytes: [UInt8],
        method: SignatureMethod,
        publicKey: RSAVerificationKey?
    ) throws(ComparisonError) -> RecipeMatch? {
        if method.isRSA {
            let own = publicKey == nil ? try verificationKey() : nil
            guard let key = publicKey ?? own else { return nil }
            return .rsa(RSAEncodedMessage(signature: bytes, key: key))
        }
        return request.credentials.consumerSecret == nil && request.credentials.tokenSecret == nil
            ? nil : .shared(text.canonical)
    }

    /// Returns a search for what the other side did.
    /// - Parameter claimed: The method that the other side names, which its signature need not be of.
    func search(
        _ reference: SigningRecipe,
        _ match: RecipeMatch,
        _ text: SignatureText,
        claimed: SignatureMethod
    ) -> DeviationSearch {
        var search = DeviationSearch(reference: reference, match: match, effort: effort)
        guard let bytes = text.bytes, reference.signatureMethod != .plaintext else { return search }
        search.codeBytes = bytes
        switch match {
        case .baseString: break
        case .shared:
            search.codes = SignatureCode.shared(
                reference.signatureMethod,
                byteCount: bytes.count,
                named: claimed
            )
        case .rsa(let message?):
            search.codes = SignatureCode.rsa(reference.signatureMethod, message)
            // PSS has no bytes to compare.
            search.codeBytes = message.payload ?? [1]
        case .rsa(nil):
            search.codes = SignatureCode.shared(reference.signatureMethod, byteCount: bytes.count, named: claimed)
            if let key = request.credentials.privateKey {
                search.codes += SignatureCode.keyed(by: key, byteCount: bytes.count)
            }
        }
        return search
    }

    /// Returns what is left to suspect where nothing explains the other side's signature.
    func suspicions(
        _ match: RecipeMatch,
        _ text: SignatureText,
        _ method: SignatureMethod,
        _ differences: [ParameterDifference],
        _ reference: SigningRecipe
    ) -> [ComparisonFinding] {
        var findings: [ComparisonFinding] = []
        if case .shared = match, method != .plaintext, let key = text.key, key == reference.key.text {
            return [
                ComparisonFinding(
                    cause: .hash,
                    certainty: .proven,
                    sentence:
                        "The other side says \(method.rawValue), but sent the key itself, as PLAINTEXT has it: nothing is signed, "
                        + "and the secrets are given away."
                )
            ]
        }
        if case .rsa(nil) = match, let count = text.bytes?.count,
            let function = DigestFunction.allCases.first(where: { $0.byteCount == count })
        {
            return [
                ComparisonFinding(
                    cause: .hash,
                    certainty: .seen,
                    sentence:
                        "The other side says \(method.rawValue), but its signature has \(count) bytes, as an HMAC-\(function.name) "
                        + "has, and is no RSA signature: it must sign with the private key."
                )
            ]
        }
        if let bytes = text.bytes, let words = Self.foreignSignature(bytes, method) {
            return [
                ComparisonFinding(
                    cause: .hash,
                    certainty: .seen,
                    sentence: "The other side says \(method.rawValue), but its signature has \(words)."
                )
            ]
        }
        let wrongKey = WrongKeyFinding.finding(
            method: method,
            bytes: text.bytes,
            match: match,
            hasTokenSecret: reference.key.secrets.second != nil,
            differences: differences
        )
        if let wrongKey { findings.append(wrongKey) }
        if method != .plaintext, let host = InnerHost.finding(host: reference.uri.host.text) { findings.append(host) }
        return findings
    }

    /// Returns what a signature looks like that is not of its method; nil where nothing can be seen.
    private static func foreignSignature(_ bytes: [UInt8], _ method: SignatureMethod) -> String? {
        if method == .plaintext { return nil }
        // The sequence of two numbers that ECDSA yields (RFC 3279, section 2.2.3).
        if bytes.count > 60, bytes.count < 140, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2, bytes[2] == 2 {
            return "the form of an ECDSA signature, made with a key on an elliptic curve"
        }
        guard !method.isRSA, [128, 256, 384, 512].contains(bytes.count) else { return nil }
        return "\(bytes.count) bytes, as an RSA signature has: it was made with a private key, not with the secrets"
    }

    private func verificationKey() throws(ComparisonError) -> RSAVerificationKey? {
        guard let pem = request.credentials.privateKey else { return nil }
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
