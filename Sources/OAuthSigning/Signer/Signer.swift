/// Signs requests for one account (RFC 5849 §3.4, §3.5).
///
/// Prepared once: the key is hashed, what never changes of the parameters is encoded. A request then costs one pass
/// over its target and its form. Nothing is decoded into text on the way, so that any octets a client sends are signed
/// as they are.
package struct Signer: Sendable {
    package let options: SigningOptions
    let key: SigningKey
    let maskedKey: String
    /// What is signed of every request alike.
    let constants: ParameterList
    /// What is sent with every request.
    let sent: [SentParameter]
    /// All that is sent with a request that has no further parameters.
    let template: SentTemplate
    /// `OAuth ` and the realm.
    let headerOpening: [UInt8]

    /// - Throws: when the options contradict each other, or an RSA method has no key.
    package init(
        client: ClientCredentials,
        token: TokenCredentials?,
        options: SigningOptions
    ) throws(SigningError) {
        self.options = options
        let tokenSecret = token?.secret
        key = try SigningKey(
            method: options.signatureMethod,
            clientSecret: client.sharedSecret,
            tokenSecret: tokenSecret,
            privateKey: client.privateKey
        )
        maskedKey =
            options.signatureMethod.isRSA
            ? client.privateKey.map(String.init(describing:)) ?? ""
            : MaskedKey.text(clientSecret: client.sharedSecret, tokenSecret: tokenSecret)
        headerOpening = try Self.headerOpening(options)
        if options.placement == .body, options.bodyHash == .always { throw .bodyHashInBody }

        var constants = ParameterList()
        var sent: [SentParameter] = []
        for parameter in Self.constants(
            consumerKey: client.identifier,
            token: token?.token,
            options: options
        ) {
            let encoded = EncodedParameter(parameter)
            constants.append(encoded)
            sent.append(SentParameter(encoded))
        }
        constants.sort()
        if !options.omitted.contains(.nonce) { sent.append(SentParameter(name: "oauth_nonce", variable: .nonce)) }
        if !options.omitted.contains(.timestamp) {
            sent.append(SentParameter(name: "oauth_timestamp", variable: .timestamp))
        }
        sent.append(SentParameter(name: "oauth_signature", variable: .signature))
        self.constants = constants
        self.sent = sent
        template = Self.template(options, opening: headerOpening, parameters: sent)
    }

    static func template(
        _ options: SigningOptions,
        opening: [UInt8],
        parameters: [SentParameter]
    ) -> SentTemplate {
        switch options.placement {
        case .header: SentTemplate(.header, opening: opening, parameters: parameters)
        case .query, .body: SentTemplate(.form, parameters: parameters)
        }
    }

    private static func headerOpening(_ options: SigningOptions) throws(SigningError) -> [UInt8] {
        let scheme = Array("OAuth ".utf8)
        guard let realm = options.realm else { return scheme }
        guard options.placement == .header else { throw .realmNeedsHeader }
        guard let quoted = QuotedString.quote(realm) else { throw .realmNotSendable }
        return scheme + Array("realm=".utf8) + quoted + Array(", ".utf8)
    }

    /// The protocol parameters that every request carries alike.
    static func constants(
        consumerKey: String,
        token: String?,
        options: SigningOptions
    ) -> [ProtocolParameter] {
        var constants: [ProtocolParameter] = []
        if !options.omitted.contains(.consumerKey) {
            constants.append(ProtocolParameter(name: "oauth_consumer_key", value: consumerKey))
        }
        if !options.omitted.contains(.signatureMethod) {
            constants.append(ProtocolParameter(name: "oauth_signature_method", value: options.signatureMethod.rawValue))
        }
        if let token, !options.omitted.contains(.token) {
            constants.append(ProtocolParameter(name: "oauth_token", value: token))
        } else if token == nil, options.sendsEmptyToken {
            constants.append(ProtocolParameter(name: "oauth_token", value: ""))
        }
        if options.includesVersion {
            constants.append(ProtocolParameter(name: "oauth_version", value: "1.0"))
        }
        return constants
    }

    /// Whether the body takes part (as a form, or because a hash of it is due), so that it must be collected before the
    /// head can be sent. A body that takes no part may stream, and ``sign`` be given nil.
    package func needsBody(contentType: Span<UInt8>?, hasBody: Bool) -> Bool {
        options.needsBody(contentType: contentType, hasBody: hasBody)
    }

    func isForm(_ contentType: Span<UInt8>?) -> Bool {
        guard let contentType else { return false }
        return isFormMediaType(contentType)
    }
}
