import OAuthSigning

/// The way in which some signer puts the secrets together to a key (RFC 5849, section 3.4.2).
struct KeyRecipe: Sendable {
    /// Consumer secret and token secret; one that is left out is nil.
    var secrets: (first: Secret?, second: Secret?)
    var hasAmpersand = true
    var escaping = Escaping()
    /// Indicates whether the finished key is encoded once more.
    var isEncodedAsWhole = false

    init(consumerSecret: Secret?, tokenSecret: Secret?) {
        secrets = (consumerSecret, tokenSecret)
    }

    var text: Secret {
        var text = secrets.first.map(escaped) ?? []
        if hasAmpersand { text.append(UInt8(ascii: "&")) }
        text += secrets.second.map(escaped) ?? []
        return Secret(bytes: isEncodedAsWhole ? Escaping().escape(text) : text)
    }

    private func escaped(_ secret: Secret) -> [UInt8] {
        secret.withBytes { escaping.escape($0.array) }
    }
}
