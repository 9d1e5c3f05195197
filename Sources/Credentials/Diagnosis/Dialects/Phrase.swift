/// Words that a provider, or the OAuth library it is built with, is known to refuse a request with.
struct Phrase {
    enum Kind {
        /// Nothing else is called that: read wherever it begins a message, and anywhere in a 401.
        case unmistakable
        /// Read only at the beginning of a short message in a 401.
        case common
    }

    /// In lower case.
    let words: [UInt8]
    let cause: ProviderDiagnosis.Cause
    let dialect: ProviderDiagnosis.Dialect
    let kind: Kind

    private static let shortMessage = 300

    init(
        _ words: String,
        _ cause: ProviderDiagnosis.Cause,
        _ dialect: ProviderDiagnosis.Dialect = .plain,
        _ kind: Kind = .unmistakable
    ) {
        self.words = Array(words.utf8)
        self.cause = cause
        self.dialect = dialect
        self.kind = kind
    }

    /// The first that fits.
    /// - Parameters:
    ///   - message: In lower case.
    ///   - isRefusal: Whether the answer refuses authorization whatever it says.
    static func first(in message: [UInt8], isRefusal: Bool) -> Phrase? {
        all.first { phrase in
            switch phrase.kind {
            case .unmistakable where isRefusal: ByteSearch.index(of: phrase.words, in: message) != nil
            case .unmistakable: message.starts(with: phrase.words)
            case .common: isRefusal && message.count <= shortMessage && message.starts(with: phrase.words)
            }
        }
    }
}

extension Phrase {
    /// Those that begin alike: the longer one first.
    static let all: [Phrase] = x + magento + wooCommerce + libraries + common

    private static let x = [
        Phrase("failed to validate oauth signature", .signatureInvalid, .x),
        Phrase("could not authenticate you", .signatureInvalid, .x),
        Phrase("could not authenticate with oauth", .tokenRefused, .x, .common),
        Phrase("timestamp out of bounds", .timestampRefused, .x, .common),
        Phrase("invalid or expired token", .tokenRefused, .x, .common),
        Phrase("invalid / expired token", .tokenRefused, .x, .common),
        Phrase("bad authentication data", .credentialsMissing, .x, .common),
    ]

    private static let magento = [
        Phrase("the signature is invalid", .signatureInvalid, .magento, .common),
        Phrase("the signatire is invalid", .signatureInvalid, .magento, .common),
        Phrase("incorrect timestamp value in the oauth_timestamp", .timestampRefused, .magento),
        Phrase("the nonce is already being used by the consumer", .nonceUsed, .magento),
        Phrase("a consumer having the specified key does not exist", .consumerKeyUnknown, .magento),
        Phrase("consumer key is not the correct length", .consumerKeyUnknown, .magento),
        Phrase("consumer key has expired", .consumerKeyRefused, .magento),
        Phrase("specified token does not exist", .tokenRefused, .magento, .common),
        Phrase("token is not associated with the specified consumer", .tokenRefused, .magento, .common),
        Phrase("token is not an access token", .tokenRefused, .magento, .common),
        Phrase("token is not the correct length", .tokenRefused, .magento, .common),
        Phrase("the token length is invalid", .tokenRefused, .magento),
        Phrase("token is already being used", .tokenRefused, .magento, .common),
        Phrase("access token has been revoked", .tokenRefused, .magento, .common),
        Phrase("verifier is not the correct length", .verifierRefused, .magento, .common),
        Phrase("token verifier and verifier token do not match", .verifierRefused, .magento),
        Phrase("consumer is not authorized to access %resources", .permissionDenied, .magento),
        Phrase("the consumer isn't authorized to access %resources", .permissionDenied, .magento),
    ]

    private static let wooCommerce = [
        Phrase("invalid signature - signature method is invalid", .signatureMethodRejected, .woocommerce, .common),
        Phrase("invalid signature - ", .signatureInvalid, .woocommerce, .common),
        Phrase("invalid nonce - nonce has already been used", .nonceUsed, .woocommerce),
    ]

    /// OAuth libraries for Python and PHP; providers that have words of their own.
    private static let libraries = [
        Phrase("invalid signature. expected signature base string", .signatureInvalid),
        Phrase("oauth signatures did not match", .signatureInvalid, .mastercard),
        Phrase("oauth signature parameter failed verification", .signatureInvalid, .mastercard),
        Phrase("oauth_signature does not match expected value", .signatureInvalid),
        Phrase("expired timestamp: given ", .timestampRefused),
        Phrase("expired timestamp, yours ", .timestampRefused),
        Phrase("nonce already used: ", .nonceUsed, .plain, .common),
        Phrase("duplicate timestamp/nonce combination", .nonceUsed),
        Phrase("parameter not found: oauth_", .parameterAbsent),
        Phrase("authorization error: invalid api key", .consumerKeyUnknown),
    ]

    private static let common = [
        Phrase("invalid signature", .signatureInvalid, .plain, .common),
        Phrase("invalid consumer", .consumerKeyUnknown, .plain, .common),
        Phrase("invalid key", .consumerKeyUnknown, .plain, .common),
        Phrase("invalid app token", .tokenRefused, .plain, .common),
        Phrase("invalid access token", .tokenRefused, .plain, .common),
        Phrase("invalid token", .tokenRefused, .plain, .common),
        Phrase("expired token", .tokenRefused, .plain, .common),
        Phrase("missing signature", .parameterAbsent, .plain, .common),
        Phrase("missing timestamp parameter", .parameterAbsent, .plain, .common),
        Phrase("missing nonce parameter", .parameterAbsent, .plain, .common),
        Phrase("unauthorized permission requested", .permissionDenied, .plain, .common),
        Phrase("you must authenticate to access this resource", .credentialsMissing, .plain, .common),
    ]
}
