import OAuthSigning

/// A provider's form-encoded answer with token credentials (RFC 5849, section 2.3).
struct IssuedToken {
    var token: TokenCredentials
    /// The members that are not OAuth's own, decoded; a bounded number of them.
    var attributes: [String: String]

    private static let attributeLimit = 32
    private static let attributeOctetLimit = 1_024

    /// Each pair is split at its first `=` and percent-decoded. A `+` stays one in the token and its secret: providers
    /// that forget to encode them issue base64, and none issues spaces.
    ///
    /// Nil unless there is exactly one token and one secret, neither of them empty.
    init?(formEncoded body: [UInt8]) {
        let isSpace = { (octet: UInt8) in octet == 0x20 || 0x09...0x0D ~= octet }
        guard let start = body.firstIndex(where: { !isSpace($0) }),
            let end = body.lastIndex(where: { !isSpace($0) })
        else { return nil }
        var token: String?
        var secret: Secret?
        var attributes: [String: String] = [:]
        for pair in body[start...end].split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair.dropFirst(name.count + 1)
            switch PercentEncoding.decode(name).map({ String(decoding: $0, as: UTF8.self) }) {
            case "oauth_token":
                guard token == nil, let decoded = PercentEncoding.decode(value), !decoded.isEmpty,
                    let text = String(validating: decoded, as: UTF8.self)
                else { return nil }
                token = text
            case "oauth_token_secret":
                guard secret == nil, let decoded = PercentEncoding.decode(value), !decoded.isEmpty else { return nil }
                secret = Secret(octets: decoded)
            case let name?:
                guard attributes.count < Self.attributeLimit else { continue }
                attributes[name] = Self.attribute(name, value)
            case nil:
                continue
            }
        }
        guard let token, let secret else { return nil }
        self.token = TokenCredentials(token: token, secret: secret)
        self.attributes = attributes
    }

    /// What begins with `oauth_` is the protocol's, and may be a secret (`oauth_session_handle`).
    private static func attribute(_ name: String, _ value: ArraySlice<UInt8>) -> String? {
        guard !name.isEmpty, !name.hasPrefix("oauth_"), name.utf8.count + value.count <= attributeOctetLimit,
            let decoded = PercentEncoding.decode(value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
        else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }
}
