/// Signs requests for one account (RFC 5849, sections 3.4 and 3.5).
///
/// Prepared once: the key is hashed, what never changes of the parameters is encoded. A request then costs one pass
/// over its target and its form. Nothing is decoded into text on the way, so that any bytes a client sends are signed
/// as they are.
package final class Signer: Sendable {
    static let tokenName = "oauth_token"

    let client: PreparedClient
    let key: SigningKey
    /// The value of `oauth_token`, not encoded; nil when the parameter is not sent.
    let token: [UInt8]?
    private let tokenSecret: Secret?
    /// As ``sent`` has it: at hand here, it is not copied for each request.
    let template: SentTemplate

    package var options: SigningOptions { client.options }

    /// - Throws: When an RSA method has no key.
    package init(client: PreparedClient, token credentials: TokenCredentials?) throws(SigningError) {
        self.client = client
        tokenSecret = credentials?.secret
        key = try SigningKey(
            method: client.options.signatureMethod,
            clientSecret: client.credentials.sharedSecret,
            tokenSecret: tokenSecret,
            privateKey: client.credentials.privateKey
        )
        token = Self.sentToken(credentials?.token, client.options).map { Array($0.utf8) }
        template = client.sent(hasToken: token != nil).template
    }

    /// - Throws: When the options contradict each other, or an RSA method has no key.
    package convenience init(
        client: ClientCredentials,
        token: TokenCredentials?,
        options: SigningOptions
    ) throws(SigningError) {
        try self.init(client: PreparedClient(client, options: options), token: token)
    }

    /// The parameters that are sent with every request.
    var sent: SentParameters { client.sent(hasToken: token != nil) }

    var maskedKey: String {
        options.signatureMethod.isRSA
            ? client.credentials.privateKey.map(String.init(describing:)) ?? ""
            : MaskedKey.text(clientSecret: client.credentials.sharedSecret, tokenSecret: tokenSecret)
    }

    /// The protocol parameters that every request of an account carries alike.
    static func constants(
        consumerKey: String,
        token: String?,
        options: SigningOptions
    ) -> [ProtocolParameter] {
        let constants = PreparedClient.constants(consumerKey: consumerKey, options: options)
        guard let token = sentToken(token, options) else { return constants }
        return constants + [ProtocolParameter(name: tokenName, value: token)]
    }

    /// Nil when the parameter is not sent.
    private static func sentToken(_ token: String?, _ options: SigningOptions) -> String? {
        guard let token else { return options.sendsEmptyToken ? "" : nil }
        return options.omitted.contains(.token) ? nil : token
    }

    /// Returns whether the body takes part (as a form, or because a hash of it is due), so that it must be collected
    /// before the head can be sent. A body that takes no part may stream, and ``sign`` be given nil.
    package func needsBody(contentType: Span<UInt8>?, hasBody: Bool) -> Bool {
        options.needsBody(contentType: contentType, hasBody: hasBody)
    }

    func isForm(_ contentType: Span<UInt8>?) -> Bool {
        guard let contentType else { return false }
        return isFormMediaType(contentType)
    }
}

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
