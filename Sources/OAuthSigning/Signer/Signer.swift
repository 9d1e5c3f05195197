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
