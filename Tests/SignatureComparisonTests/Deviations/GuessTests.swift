import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Guesses")
struct GuessTests {
    @Test(
        "What happened to one text is named, with its place",
        arguments: SeldomSigner.changes + SeldomSigner.parameters
    )
    func texts(_ guess: SeldomSigner) throws {
        let other = OtherSigner("", guess.cause, guess.parts.base) {
            $0.url = "https://api.example.com/v1/Albums?Size=Original&File=vacation.jpg"
        }
        let comparison = try other.compared()
        let proven = comparison.findings.filter { $0.certainty == .proven }
        #expect(proven.count == 1, "\(comparison.findings)")
        let finding = try #require(proven.first)
        #expect(finding.cause == guess.cause, "\(finding)")
        for words in guess.words.split(separator: "|") where guess.words.contains("|") {
            #expect(finding.sentence.contains(words), "\(finding.sentence)")
        }
        #expect(!finding.sentence.contains("secret/") && !finding.sentence.contains("cons/secret"))
    }

    private static let orders: [[String]] = [
        // Appended behind the sorted ones.
        [
            "File", "Size", "a", "b", "c", "oauth_consumer_key", "oauth_signature_method", "oauth_token",
            "oauth_version", "z", "oauth_nonce", "oauth_timestamp",
        ],
        // A template among the sorted ones.
        [
            "File", "Size", "a", "b", "c", "oauth_consumer_key", "oauth_token", "oauth_signature_method",
            "oauth_timestamp", "oauth_nonce", "oauth_version", "z",
        ],
    ]

    @Test("A block or a pair of parameters out of order is named", arguments: orders)
    func order(_ names: [String]) throws {
        var parts = SignedParts()
        parts.parameters += [("a", "1"), ("b", "2"), ("c", "3"), ("z", "4")]
        parts.parameters = names.flatMap { name in parts.parameters.filter { $0.0 == name } }
        parts.isSorted = false
        let other = OtherSigner("", .notSorted, parts.base) {
            $0.url = "https://api.example.com/v1/Albums?Size=Original&File=vacation.jpg&z=4&c=3&a=1&b=2"
        }
        let proven = try other.compared().findings.filter { $0.certainty == .proven }
        #expect(proven.map(\.cause) == [.notSorted])
    }

    private static let keys: [(String, ComparisonCause, String)] = [
        ("changeme&tok%26secret", .secretPlaceholder, "changeme"),
        ("%2A%2A%2A%2A&tok%26secret", .secretPlaceholder, "stars"),
        ("process.env.CONSUMER_SECRET&tok%26secret", .secretWithName, "process.env"),
        ("cons%C2%AD%2Fsecret&tok%26secret", .secretInvisible, "soft hyphen"),
        ("cons%2Fs&tok%26secret", .secretCut, "last 5"),
        ("cons%2Fsecret&tok%26secret%2F", .secretPunctuation, "slash"),
        ("cons/secret\n&tok%26secret", .secretWhitespace, "line feed"),
        ("cons%2Fsecret&n1", .identifierForSecret, "oauth_nonce"),
        ("ck%26cons%2Fsecret&tok%26secret", .identifierForSecret, "consumer key and consumer secret"),
        ("consumer_secret=cons%2Fsecret&token_secret=tok%26secret", .secretWithName, "names"),
        ("cons%2Fsecret^&tok%26secret", .keySeparator, "^&"),
    ]

    @Test("What stands in a key in place of a secret is named", arguments: keys)
    func key(_ key: String, _ cause: ComparisonCause, _ words: String) throws {
        let comparison = try OtherSigner("", cause, SignatureComparisonTests.right.base) { $0.key = key }.compared()
        let proven = comparison.findings.filter { $0.certainty == .proven }
        #expect(proven.map(\.cause) == [cause], "\(comparison.findings)")
        #expect(proven.first?.sentence.contains(words) ?? false, "\(proven)")
    }

    /// The one secret ends in a line feed, and the key in nothing else.
    @Test("A line end behind the only secret is no token secret, though it may be one")
    func lineEndWithoutAmpersand() throws {
        let sent = OtherSigner.usual.filter { $0.0 != "oauth_token" }
        let base = SignatureComparisonTests.right.base.replacing("oauth_token%3Dtk%26", with: "")
        let other = OtherSigner("", .secretWhitespace, base, sent: sent) {
            $0.tokenSecret = nil
            $0.key = "cons%2Fsecret%0A"
        }
        let proven = try other.compared().findings.filter { $0.certainty == .proven }
        #expect(Set(proven.map(\.cause)) == [.ampersandMissing, .secretWhitespace], "\(proven)")
        let secret = try #require(proven.first { $0.cause == .secretWhitespace })
        #expect(secret.sentence.contains("consumer secret ends in a line feed"))
        #expect(secret.alternatives.map(\.cause) == [.secretPlaceholder], "\(secret.alternatives)")
        let alternatives = proven.flatMap(\.alternatives).map(\.cause)
        #expect(!alternatives.contains(.secretCut), "\(proven)")
    }

    @Test("Each change of a text has words of its own")
    func words() throws {
        var tried: Set<String> = []
        for change in TextChange.all { #expect(tried.insert(change.words).inserted, "\(change.words)") }
    }
}
