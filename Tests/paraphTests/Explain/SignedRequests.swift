import OAuthSigning

/// Requests that a command explains or verifies.
enum SignedRequests {
    static let url = "https://api.example.com/r?a=1&b=2%20q"

    static func request(_ change: (inout ExplainableRequest) -> Void = { _ in }) -> ExplainableRequest {
        var request = ExplainableRequest(
            method: "GET",
            url: url,
            credentials: ExplainableCredentials(
                consumerKey: "ck",
                consumerSecret: Secret("the consumer secret"),
                token: "tk",
                tokenSecret: Secret("the token secret")
            ),
            nonce: "n1",
            timestamp: "1700000000"
        )
        change(&request)
        return request
    }

    static func header(_ change: (inout ExplainableRequest) -> Void = { _ in }) throws -> String {
        try request(change).explain().authorization
    }
}
