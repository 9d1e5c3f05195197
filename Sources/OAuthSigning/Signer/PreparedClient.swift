/// The parts that the signatures of all accounts have in common that share client credentials and options, prepared
/// once.
package final class PreparedClient: Sendable {
    let options: SigningOptions
    let credentials: ClientCredentials
    /// The parameters that are signed of every request alike, but for the token.
    let constants: ParameterList
    /// `OAuth ` and the realm.
    let headerOpening: [UInt8]
    private let withToken: SentParameters
    private let withoutToken: SentParameters

    /// - Throws: When the options contradict each other.
    package init(_ credentials: ClientCredentials, options: SigningOptions) throws(SigningError) {
        self.credentials = credentials
        self.options = options
        headerOpening = try Self.headerOpening(options)
        if options.placement == .body, options.bodyHash == .always { throw .bodyHashInBody }
        var constants = ParameterList(capacity: 256)
        var sent: [SentParameter] = []
        for parameter in Self.constants(consumerKey: credentials.identifier, options: options) {
            let encoded = EncodedParameter(parameter)
            constants.append(encoded)
            sent.append(SentParameter(encoded))
        }
        constants.sort()
        self.constants = constants
        if !options.omitted.contains(.nonce) { sent.append(SentParameter(name: "oauth_nonce", variable: .nonce)) }
        if !options.omitted.contains(.timestamp) {
            sent.append(SentParameter(name: "oauth_timestamp", variable: .timestamp))
        }
        sent.append(SentParameter(name: "oauth_signature", variable: .signature))
        withoutToken = SentParameters(sent, options, opening: headerOpening)
        sent.append(SentParameter(name: Signer.tokenName, variable: .token))
        withToken = SentParameters(sent, options, opening: headerOpening)
    }

    /// - Parameter hasToken: Whether `oauth_token` is among them.
    func sent(hasToken: Bool) -> SentParameters { hasToken ? withToken : withoutToken }

    private static func headerOpening(_ options: SigningOptions) throws(SigningError) -> [UInt8] {
        let scheme = Array("OAuth ".utf8)
        guard let realm = options.realm else { return scheme }
        guard options.placement == .header else { throw .realmNeedsHeader }
        guard let quoted = QuotedString.quote(realm) else { throw .realmNotSendable }
        return scheme + Array("realm=".utf8) + quoted + Array(", ".utf8)
    }

    /// The protocol parameters that every request of every account carries alike.
    static func constants(consumerKey: String, options: SigningOptions) -> [ProtocolParameter] {
        var constants: [ProtocolParameter] = []
        if !options.omitted.contains(.consumerKey) {
            constants.append(ProtocolParameter(name: "oauth_consumer_key", value: consumerKey))
        }
        if !options.omitted.contains(.signatureMethod) {
            constants.append(ProtocolParameter(name: "oauth_signature_method", value: options.signatureMethod.rawValue))
        }
        if options.includesVersion {
            constants.append(ProtocolParameter(name: "oauth_version", value: "1.0"))
        }
        return constants
    }
}

/// RFC 9110, section 5.6.4.
private enum QuotedString {
    /// `text` between quotes, with `"` and `\` escaped.
    /// - Returns: Nil for text with a control character, which no quoted-string can carry.
    static func quote(_ text: String) -> [UInt8]? {
        var quoted = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\t"), 0x20...0x7e, 0x80...: quoted.append(byte)
            default: return nil
            }
        }
        return quoted + [UInt8(ascii: "\"")]
    }
}
