/// A request, and what another signer may make of its parts.
struct SignedParts: Sendable {
    var method = "GET"
    var host = "api.example.com"
    var path = "/v1/Albums"
    var parameters = [
        ("File", "vacation.jpg"), ("Size", "Original"), ("oauth_consumer_key", "ck"), ("oauth_nonce", "n1"),
        ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "1700000000"), ("oauth_token", "tk"),
        ("oauth_version", "1.0"),
    ]
    var isSorted = true

    var base: String {
        let pairs = parameters.map { (OtherSigner.encoded($0.0), OtherSigner.encoded($0.1)) }
        let list = (isSorted ? pairs.sorted { $0 < $1 } : pairs).map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return [method, "https://\(host)\(path)", list].map(OtherSigner.encoded).joined(separator: "&")
    }

    mutating func change(_ name: String, _ change: (String, String) -> (String, String)) {
        parameters = parameters.map { $0.0 == name ? change($0.0, $0.1) : $0 }
    }
}
