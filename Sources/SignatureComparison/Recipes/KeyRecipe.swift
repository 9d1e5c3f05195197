import Bytes
import OAuthSigning

/// The way in which some signer puts the secrets together to a key (RFC 5849, section 3.4.2).
struct KeyRecipe: Sendable {
    /// Consumer secret and token secret; one that is left out is nil.
    var secrets: (first: Secret?, second: Secret?)
    /// Indicates of each secret whether it is taken for the bytes of the key as it is.
    var isRaw = (first: false, second: false)
    /// The text between the two.
    var separator = Array("&".utf8)
    var escaping = Escaping()
    /// Indicates whether the finished key is encoded once more.
    var isEncodedAsWhole = false
    /// The change that is made to the finished key.
    var finish: (@Sendable ([UInt8]) -> [UInt8])?

    init(consumerSecret: Secret?, tokenSecret: Secret?) {
        secrets = (consumerSecret, tokenSecret)
    }

    var text: Secret {
        let text =
            part(secrets.first, isRaw: isRaw.first) + separator + part(secrets.second, isRaw: isRaw.second)
        let whole = isEncodedAsWhole ? Escaping().escape(text) : text
        return Secret(bytes: finish?(whole) ?? whole)
    }

    private func part(_ secret: Secret?, isRaw: Bool) -> [UInt8] {
        guard let secret else { return [] }
        return secret.withBytes { isRaw ? $0.array : escaping.escape($0.array) }
    }
}
