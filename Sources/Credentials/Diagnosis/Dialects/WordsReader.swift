import Bytes

/// Reads what is said in words alone, as plain text or in whatever member of a JSON object.
enum WordsReader {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        for message in answer.messages {
            if let finding = read(Array(message.utf8), isRefusal: answer.isRefusal) { return finding }
        }
        return nil
    }

    /// - Parameter message: The words in UTF-8.
    static func read(_ message: [UInt8], isRefusal: Bool) -> ProviderFinding? {
        let lowered = ByteSearch.lowercased(message.drop { $0 <= 0x20 })
        guard let phrase = Phrase.first(in: lowered, isRefusal: isRefusal) else { return nil }
        // What comes after the mark is a base string, or secrets.
        let words = ExpectedBaseString.mark(in: message).map { message[..<$0.lowerBound] } ?? message[...]
        let isBracketed = phrase.words.starts(with: "oauth_signature".utf8)
        return ProviderFinding(
            cause: phrase.cause,
            dialect: phrase.dialect,
            words: isBracketed ? withoutBrackets(words) : String(decoding: words, as: UTF8.self),
            missingParameters: phrase.cause == .parameterAbsent ? parameterNames(in: lowered) : [],
            // The only parameter that phrases refuse.
            rejectedParameters: phrase.cause == .parameterRejected ? ["oauth_callback"] : [],
            acceptableTimestamps: phrase.cause == .timestampRefused ? time(in: lowered).map { $0...$0 } : nil,
            expectedBaseString: ExpectedBaseString.find(in: message)
        )
    }

    /// The names in a text that are of the protocol (RFC 5849, section 3.1), at most 16.
    static func parameterNames(in lowered: [UInt8]) -> [String] {
        let words = lowered.split { !($0.isLowercase || $0 == UInt8(ascii: "_")) }
        return Array(words.filter { $0.starts(with: "oauth_".utf8) && 7...64 ~= $0.count }.prefix(16))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a text without what stands in brackets, which is a signature.
    private static func withoutBrackets(_ text: ArraySlice<UInt8>) -> String {
        text.split(separator: UInt8(ascii: "]"), omittingEmptySubsequences: false).map { part in
            let start = part.firstIndex(of: UInt8(ascii: "["))
            return String(decoding: part[..<(start ?? part.endIndex)], as: UTF8.self) + (start == nil ? "" : "[...]")
        }
        .joined()
    }

    /// The provider's own time, in seconds, which libraries tell beside the one they refuse: "given 1 and now 2",
    /// "yours 1, ours 2", "we believe it is now 2, you sent 1".
    private static func time(in lowered: [UInt8]) -> UInt64? {
        for mark in [" and now ", ", ours ", "we believe it is now "] {
            guard let start = ByteSearch.index(of: mark.utf8, in: lowered) else { continue }
            let digits = lowered[(start + mark.utf8.count)...].prefix(while: \.isDigit)
            if let time = UInt64(String(decoding: digits, as: UTF8.self)) { return time }
        }
        return nil
    }
}

/// Words that a provider, or the OAuth library it is built with, is known to refuse a request with.
struct Phrase {
    enum Kind {
        /// A text that means only this: read wherever it begins a message, and anywhere in a 401.
        case unmistakable
        /// Read only at the beginning of a short message in a 401.
        case common
    }

    /// The words in lower case.
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
    ///   - message: The words in lower case.
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
    /// The phrases; of two that begin alike, the longer one first.
    static let all: [Phrase] = x + magento + wooCommerce + wordPress + tumblr + libraries + common

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

    /// The plugin OAuth1 of WordPress.
    private static let wordPress = [
        Phrase("oauth signature does not match", .signatureInvalid),
        Phrase("signature method is invalid", .signatureMethodRejected, .plain, .common),
        Phrase("missing oauth parameter", .parameterAbsent),
        Phrase("no oauth parameters supplied", .credentialsMissing),
        Phrase("token is not registered for the given consumer", .tokenRefused),
        Phrase("access token does not exist", .tokenRefused, .plain, .common),
        Phrase("oauth request token has expired", .tokenRefused),
        Phrase("oauth token has not been authorized", .tokenRefused),
        Phrase("oauth verifier does not match", .verifierRefused),
        Phrase("callback url is invalid", .parameterRejected, .plain, .common),
        Phrase("invalid timestamp", .timestampRefused, .plain, .common),
    ]

    private static let tumblr = [
        Phrase("oauth_timestamp is too far away", .timestampRefused),
        Phrase("oauth_signature does not match expected value", .signatureInvalid),
        // It tells both signatures.
        Phrase("oauth_signature [", .signatureInvalid),
    ]

    /// OAuth libraries for Python and PHP; providers that have words of their own.
    private static let libraries = [
        Phrase("invalid signature. expected signature base string", .signatureInvalid),
        Phrase("oauth signatures did not match", .signatureInvalid, .mastercard),
        Phrase("oauth signature parameter failed verification", .signatureInvalid, .mastercard),
        Phrase("expired timestamp: given ", .timestampRefused),
        Phrase("expired timestamp, yours ", .timestampRefused),
        Phrase("nonce already used: ", .nonceUsed, .plain, .common),
        Phrase("duplicate timestamp/nonce combination", .nonceUsed),
        Phrase("parameter not found: oauth_", .parameterAbsent),
        Phrase("authorization error: invalid api key", .consumerKeyUnknown),
        Phrase("unable to read oauth header", .credentialsMissing),
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
