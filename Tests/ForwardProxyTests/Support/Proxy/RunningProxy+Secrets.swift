import Foundation
import Testing

extension RunningProxy {
    /// The beginning of all secrets of these tests.
    private static let mark = "hidden"

    /// Records an issue for each log that tells a secret, as it is or in Base64, or a signature.
    ///
    /// - Parameter requests: The number of lines of the access log that are waited for.
    func expectNoSecrets(
        requests: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let access = try await accessLogText(lines: requests)
        for (name, text) in [("access log", access), ("log", log.text)] {
            for trace in Self.traces + ["oauth_signature="] {
                #expect(!text.contains(trace), "The \(name) has \(trace): \(text)", sourceLocation: sourceLocation)
            }
        }
    }

    /// The mark, and what is always in its Base64, wherever among three bytes it begins.
    private static let traces: [String] =
        [mark]
        + (0..<3).map { lead in
            let bytes = Data(repeating: 0, count: lead) + Data(mark.utf8)
            let digits = bytes.base64EncodedString().filter { $0 != "=" }
            // The digits at both ends have bits of the neighbours in them.
            return String(digits.dropFirst((lead * 4 + 2) / 3).dropLast(bytes.count % 3 == 0 ? 0 : 1))
        }
}
