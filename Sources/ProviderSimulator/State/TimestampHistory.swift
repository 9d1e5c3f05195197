/// The last timestamp of each client and token.
struct TimestampHistory: Sendable {
    private struct Signer: Hashable, Sendable {
        let consumerKey: String
        let token: String?
    }

    private var last: [Signer: UInt64] = [:]

    /// Nil when nobody has signed so before.
    func last(consumerKey: String, token: String?) -> UInt64? {
        last[Signer(consumerKey: consumerKey, token: token)]
    }

    mutating func record(_ timestamp: UInt64, consumerKey: String, token: String?) {
        last[Signer(consumerKey: consumerKey, token: token)] = timestamp
    }
}
