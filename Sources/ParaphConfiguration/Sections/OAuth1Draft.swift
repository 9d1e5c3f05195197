import Credentials
import OAuthSigning

/// The fields of an `oauth1` block as far as they are known: those of its preset, and over them the API's, and over
/// them the account's.
struct OAuth1Draft {
    var consumerKey: String?
    var consumerSecret: Secret?
    var privateKey: RSASigningKey?
    var options: SigningOptions
    var timestamps: TimestampMode
    var correctsClock = true

    init(_ preset: Preset?) {
        options = preset?.options ?? SigningOptions()
        timestamps = preset?.timestamps ?? .wall
    }

    /// The settings; nil while a field is missing that the signature method needs.
    var settings: OAuth1Settings? {
        let usesKey = options.signatureMethod.isRSA
        guard let consumerKey, usesKey ? privateKey != nil : consumerSecret != nil else { return nil }
        return OAuth1Settings(
            client: ClientCredentials(
                identifier: consumerKey,
                sharedSecret: consumerSecret ?? Secret(""),
                privateKey: usesKey ? privateKey : nil
            ),
            options: options,
            timestamps: timestamps,
            correctsClock: correctsClock
        )
    }
}
