/// Reads in a 401 whether it is the token that the provider refuses.
enum TokenRefusal {
    /// What providers say of a token that is expired, revoked or unknown: OAuth Problem Reporting's tokens, and X's
    /// code 89.
    ///
    /// - Parameters:
    ///   - challenge: the value of WWW-Authenticate, or empty.
    ///   - body: the body, or its beginning.
    static func isTokenProblem(challenge: String, body: String) -> Bool {
        problems.contains { challenge.contains($0) || body.contains($0) } || hasCode89(body)
    }

    private static let problems = [
        "token_expired", "token_revoked", "token_rejected", "token_used",
        "Invalid or expired token", "Invalid / expired Token",
    ]

    /// `"code":89` as a whole number, whatever the spaces; `code="89"` in XML.
    private static func hasCode89(_ body: String) -> Bool {
        if body.contains("code=\"89\"") { return true }
        var rest = body.utf8[...]
        while let quote = rest.firstRange(of: "\"code\"".utf8) {
            rest = rest[quote.upperBound...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
            if rest.starts(with: "89".utf8), let next = rest.dropFirst(2).first, !(0x30...0x39 ~= next) { return true }
        }
        return false
    }
}
