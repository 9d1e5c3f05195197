import SignatureComparison
import Testing

/// One thing that is seldom done, by signers whose base strings are put together here.
struct SeldomSigner: Sendable, CustomTestStringConvertible {
    let words: String
    let cause: ComparisonCause
    let parts: SignedParts

    init(_ words: String, _ cause: ComparisonCause, _ change: (inout SignedParts) -> Void) {
        self.words = words
        self.cause = cause
        var parts = SignedParts()
        change(&parts)
        self.parts = parts
    }

    var testDescription: String { words }
}

extension SeldomSigner {
    private static let places: [(String, ComparisonCause?, @Sendable (inout SignedParts, (String) -> String) -> Void)] =
        [
            ("the name Size", .nameSpelling, { parts, change in parts.change("Size") { (change($0), $1) } }),
            ("the value of Size", nil, { parts, change in parts.change("Size") { ($0, change($1)) } }),
            ("oauth_nonce", .parameterValue, { parts, change in parts.change("oauth_nonce") { ($0, change($1)) } }),
            ("the path", .path, { $0.path = $1($0.path) }), ("the host", .host, { $0.host = $1($0.host) }),
            ("the method", .method, { $0.method = $1($0.method) }),
        ]

    static let changes: [SeldomSigner] = places.flatMap { place, cause, put in
        let changes: [(String, ComparisonCause, (String) -> String)] = [
            ("with a zero byte (NUL", .characterSet, { $0 + "\0" }),
            ("with a line end of Windows", .valueLineEnds, { $0 + "\r\n" }),
            ("as Python's str() writes bytes", .valueQuoted, { "b'\($0)'" }),
            ("as a list (an array) of Python", .arrayAsText, { "['\($0)']" }),
            ("with a no-break space", .characterSet, { $0 + "\u{A0}" }),
        ]
        return changes.map { words, own, change in
            SeldomSigner("\(place)|\(words)", cause ?? own) { put(&$0, change) }
        }
    }

    static let parameters: [SeldomSigner] = [
        SeldomSigner("oauth_token twice", .signedTwice) { $0.parameters.append(("oauth_token", "tk")) },
        SeldomSigner("Size twice", .signedTwice) { $0.parameters.append(("Size", "Original")) },
        SeldomSigner("the consumer key|oauth_token", .parameterValue) {
            $0.change("oauth_token") { name, _ in (name, "ck") }
        },
        SeldomSigner("Size and File exchanged", .parameterValue) {
            $0.change("Size") { name, _ in (name, "vacation.jpg") }
            $0.change("File") { name, _ in (name, "Original") }
        },
        SeldomSigner("oauth_signature_method|Hmac_Sha-1", .parameterValue) {
            $0.change("oauth_signature_method") { name, _ in (name, "Hmac_Sha-1") }
        },
        SeldomSigner("microseconds", .parameterValue) { $0.change("oauth_timestamp") { ($0, $1 + "000000") } },
        SeldomSigner("oauth_nonce under the name nonce", .protocolNames) { $0.change("oauth_nonce") { ("nonce", $1) } },
        SeldomSigner("script=6", .parameterAdded) { $0.parameters.append(("script", "6")) },
        SeldomSigner("per_page=50", .parameterAdded) { $0.parameters.append(("per_page", "50")) },
        SeldomSigner("consumerSecret and tokenSecret", .secretSigned) {
            $0.parameters += [("consumerSecret", "cons/secret"), ("tokenSecret", "tok&secret")]
        },
    ]
}
