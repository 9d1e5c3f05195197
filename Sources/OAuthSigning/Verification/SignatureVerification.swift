package import Bytes

/// The provider's side: whether a request was signed with the secrets it claims (RFC 5849, section 3.2).
///
/// Nonces that were seen before, and the age of timestamps, are the caller's to judge.
package enum SignatureVerification {
    /// Recomputes the signature from the bytes as they were received.
    ///
    /// - Parameters:
    ///   - authorization: The value of the Authorization field, nil when the parameters are in the query or the form.
    ///   - clientSecret: The secret of a consumer key, nil for one that is not known.
    ///   - tokenSecret: The secret of a token, nil for one that is not known; not asked for an empty one.
    ///   - clientKey: The public key of a consumer key, for the RSA methods.
    ///
    /// The others are those of ``Signer/sign``.
    package static func verify(
        method: Span<UInt8>,
        scheme: URIScheme,
        authority: Span<UInt8>,
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        authorization: Span<UInt8>?,
        clientSecret: (_ consumerKey: String) -> Secret?,
        tokenSecret: (_ token: String) -> Secret?,
        clientKey: (_ consumerKey: String) -> RSAVerificationKey? = { _ in nil }
    ) -> Result<VerifiedRequest, VerificationFailure> {
        do throws(VerificationFailure) {
            let pathCount = target.pathCount
            let query = pathCount < target.count ? target.extracting((pathCount + 1)...).array : []
            let form = Self.form(contentType: contentType, body: body)
            let received = try ReceivedParameters(authorization: authorization, query: query, form: form)
            let claim = try Claim(received)
            try check(received, body: body, method: claim.method)

            var list = ParameterList()
            received.addFieldParameters(to: &list)
            list.append(form: query.span, origin: .query)
            // A hash of a form covers it as a whole.
            if received[BodyHash.parameterName] == nil { list.append(form: form.span, origin: .form) }
            let base = BaseString(
                method: method,
                scheme: scheme.bytes.span,
                authority: authority,
                target: target,
                list: list
            )

            guard let secret = clientSecret(claim.consumerKey) else { throw .consumerKeyUnknown }
            let secretOfToken = claim.token.map(tokenSecret)
            if let secretOfToken, secretOfToken == nil { throw .tokenRejected }
            let isValid =
                claim.method.isRSA
                ? try isValid(claim, of: base, key: clientKey(claim.consumerKey))
                : isValid(claim, of: base, clientSecret: secret, tokenSecret: secretOfToken ?? nil)
            guard isValid else { throw .signatureInvalid(baseString: base.text) }
            return .success(
                VerifiedRequest(
                    consumerKey: claim.consumerKey,
                    token: claim.token,
                    signatureMethod: claim.method,
                    realm: received.realm,
                    protocolParameters: received.ofProtocol,
                    baseString: base.text
                )
            )
        } catch {
            return .failure(error)
        }
    }

    private static func form(contentType: Span<UInt8>?, body: Span<UInt8>?) -> [UInt8] {
        guard let contentType, let body, isFormMediaType(contentType) else { return [] }
        return body.array
    }

    /// The statements of the request about its signature.
    private struct Claim {
        let consumerKey: String
        let token: String?
        let method: SignatureMethod
        let signature: String

        init(_ received: ReceivedParameters) throws(VerificationFailure) {
            consumerKey = try received.required("oauth_consumer_key")
            signature = try received.required("oauth_signature")
            guard let method = SignatureMethod(rawValue: try received.required("oauth_signature_method")) else {
                throw .signatureMethodRejected
            }
            self.method = method
            token = received["oauth_token"].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    private static func check(
        _ received: ReceivedParameters,
        body: Span<UInt8>?,
        method: SignatureMethod
    ) throws(VerificationFailure) {
        if let version = received["oauth_version"], version != "1.0" { throw .versionRejected }
        if method != .plaintext {
            if try received.required("oauth_nonce").isEmpty { throw .parameterRejected(name: "oauth_nonce") }
            let timestamp = try received.required("oauth_timestamp")
            guard timestamp.utf8.allSatisfy(\.isDigit), UInt64(timestamp) != nil else {
                throw .parameterRejected(name: "oauth_timestamp")
            }
        }
        if let hash = received[BodyHash.parameterName] {
            let expected = BodyHash.text(of: body, for: method)
            guard Secret(hash) == Secret(expected) else { throw .bodyHashInvalid }
        }
    }

    private static func isValid(
        _ claim: Claim,
        of base: BaseString,
        clientSecret: Secret,
        tokenSecret: Secret?
    ) -> Bool {
        guard
            let key = try? SigningKey(
                method: claim.method,
                clientSecret: clientSecret,
                tokenSecret: tokenSecret,
                privateKey: nil
            ),
            let expected = try? key.signature(of: base.bytes)
        else { return false }
        // Secrets are compared in constant time.
        return Secret(bytes: expected) == Secret(claim.signature)
    }

    private static func isValid(
        _ claim: Claim,
        of base: BaseString,
        key: RSAVerificationKey?
    ) throws(VerificationFailure) -> Bool {
        guard let key else { throw .signatureMethodRejected }
        // A provider's decoder usually allows them, and a signature is none the less that one.
        guard let signature = Base64.decode(claim.signature.utf8Span.span, allowsSpareBits: true) else { return false }
        return key.isValid(signature: signature, of: base.bytes, digest: claim.method.hashAlgorithm)
    }
}

/// The parameters of a received request, sorted out: those of the protocol, wherever they came, and what must be
/// signed.
struct ReceivedParameters: Sendable {
    /// The parameters of the `Authorization` field, and the `oauth_` ones of query and form, decoded.
    private(set) var ofProtocol: [ProtocolParameter] = []
    private(set) var realm: String?
    private let fromField: [(name: [UInt8], value: [UInt8])]

    init(
        authorization: Span<UInt8>?,
        query: [UInt8],
        form: [UInt8]
    ) throws(VerificationFailure) {
        var fromField: [(name: [UInt8], value: [UInt8])] = []
        if let authorization {
            guard let field = try? AuthorizationField(authorization) else { throw .notSigned }
            fromField = field.parameters
            realm = field.realm.map { String(decoding: $0, as: UTF8.self) }
        }
        self.fromField = fromField
        for (name, value) in fromField { append(name: name, value: value) }
        for pairs in [query, form] {
            for pair in WrittenPair.pairs(of: pairs) {
                let (name, value) = pair.decoded(plusIsSpace: true)
                if name.starts(with: "oauth_".utf8) { append(name: name, value: value) }
            }
        }
        var names: Set<String> = []
        for parameter in ofProtocol where parameter.name.hasPrefix("oauth_") {
            guard names.insert(parameter.name).inserted else { throw .parameterRepeated(name: parameter.name) }
        }
    }

    /// Adds what the `Authorization` field contributes to the base string.
    func addFieldParameters(to list: inout ParameterList) {
        for (name, value) in fromField where !name.elementsEqual("oauth_signature".utf8) {
            list.append(EncodedParameter(name: name, value: value))
        }
    }

    subscript(name: String) -> String? {
        ofProtocol.first { $0.name == name }?.value
    }

    func required(_ name: String) throws(VerificationFailure) -> String {
        guard let value = self[name] else { throw .parameterAbsent(name: name) }
        return value
    }

    private mutating func append(name: [UInt8], value: [UInt8]) {
        let parameter = ProtocolParameter(
            name: String(decoding: name, as: UTF8.self),
            value: String(decoding: value, as: UTF8.self)
        )
        ofProtocol.append(parameter)
    }
}
