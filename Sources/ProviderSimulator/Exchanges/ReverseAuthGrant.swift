/// The text of step 1. It looks like an Authorization field, as Twitter's did, but means something to the provider
/// alone: step 2 must bring it back byte for byte.
enum ReverseAuthGrant {
    static func text(consumerKey: String, timestamp: UInt64) -> String {
        let parameters = [
            ("oauth_nonce", RandomText.alphanumeric(count: 42)),
            ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", String(timestamp)),
            ("oauth_consumer_key", consumerKey),
            ("oauth_signature", RandomText.alphanumeric(count: 27) + "%3D"),
            ("oauth_version", "1.0"),
        ]
        return "OAuth " + parameters.map { "\($0)=\"\($1)\"" }.joined(separator: ", ")
    }
}
