import Foundation
import TestSupport

/// The files with secrets that a command reads, for one test.
struct SecretFiles {
    private let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    /// A file with a secret, as an editor leaves it.
    func file(_ text: String) throws -> String {
        try directory.write(text + "\n", to: UUID().uuidString)
    }

    /// The options that name the secrets of ``SignedRequests``.
    func options() throws -> [String] {
        [
            "--consumer-secret-file", try file("the consumer secret"), "--token-secret-file",
            try file("the token secret"),
        ]
    }
}
