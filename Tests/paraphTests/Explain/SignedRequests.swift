import Foundation
import OAuthSigning

/// Signed requests and the files that a command reads, for one test.
struct SignedRequests {
    static let url = "https://api.example.com/r?a=1&b=2%20q"
    private static let folder = FileManager.default.temporaryDirectory.appending(path: "paraph-\(UUID().uuidString)")

    /// A file with a secret, as an editor leaves it.
    static func file(_ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: UUID().uuidString)
        try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
        return file.path(percentEncoded: false)
    }

    static func request(_ change: (inout ExplainableRequest) -> Void = { _ in }) -> ExplainableRequest {
        var request = ExplainableRequest(
            method: "GET",
            url: url,
            consumerKey: "ck",
            consumerSecret: Secret("the consumer secret"),
            token: "tk",
            tokenSecret: Secret("the token secret"),
            nonce: "n1",
            timestamp: "1700000000"
        )
        change(&request)
        return request
    }

    static func header(_ change: (inout ExplainableRequest) -> Void = { _ in }) throws -> String {
        try request(change).explain().authorization
    }

    /// The options that name the secrets.
    static func secrets() throws -> [String] {
        [
            "--consumer-secret-file", try file("the consumer secret"), "--token-secret-file",
            try file("the token secret"),
        ]
    }
}
