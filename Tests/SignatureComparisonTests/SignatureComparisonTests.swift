import Foundation
import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Comparison")
struct SignatureComparisonTests {
    @Test(
        "What another signer did is named, and proven",
        arguments: OtherSigner.addresses + OtherSigner.parameters + OtherSigner.encodings + OtherSigner.orders
            + OtherSigner.keys + OtherSigner.secrets + OtherSigner.codes + OtherSigner.uris + OtherSigner.lists
            + OtherSigner.characters + OtherSigner.bodies
    )
    func deviations(_ other: OtherSigner) throws {
        let comparison = try other.compared()
        #expect(comparison.verdict == .explained)
        let proven = comparison.findings.filter { $0.certainty == .proven }
        #expect(proven.map(\.cause) == [other.cause], "\(comparison.findings)")
        if other.signatureMethod == "PLAINTEXT" || [.secretSigned, .userInformation].contains(other.cause) {
            #expect(comparison.theirBaseString == nil)
            #expect((comparison.theirSignature == nil) == (other.signatureMethod == "PLAINTEXT"))
        } else {
            #expect(comparison.theirBaseString == other.base)
            #expect((comparison.parting == nil) == (comparison.baseString == other.base))
        }
        for finding in comparison.findings {
            #expect(!finding.sentence.contains("secret/") && !finding.sentence.isEmpty)
        }
    }

    @Test(
        "What another signer did is told from its base string too",
        arguments: OtherSigner.addresses + OtherSigner.encodings + OtherSigner.orders
    )
    func baseStrings(_ other: OtherSigner) throws {
        let comparison = try SignatureComparison(of: other.request, with: ComparedSigner(other.base + "\n"), now: 0)
        #expect(comparison.verdict == .explained)
        let proven = comparison.findings.filter { $0.certainty == .proven }
        #expect(proven.map(\.cause) == [other.cause], "\(comparison.findings)")
        #expect(comparison.subject == .baseString && comparison.signature == nil)
    }

    @Test("A right signature that is written wrong is told from a wrong one", arguments: OtherSigner.spellings)
    func spellings(_ other: OtherSigner) throws {
        let comparison = try other.compared()
        #expect(comparison.verdict == .otherParameters)
        #expect(comparison.findings.contains { $0.cause == other.cause && $0.certainty == .seen })
        #expect(comparison.parting == nil)
    }

    /// GET https://api.example.com/r?a=1, signed as it should be.
    static let right = OtherSigner(
        "right",
        .method,
        "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + OtherSigner.ours
    )

    @Test("A right signature is the same, whatever nonce and timestamp it has")
    func same() throws {
        let comparison = try Self.right.compared()
        #expect(comparison.verdict == .same)
        #expect(comparison.findings.isEmpty && comparison.differences.isEmpty)
        #expect(comparison.baseString == Self.right.base && comparison.theirBaseString == Self.right.base)
        #expect(comparison.signature == comparison.theirSignature)

        var request = Self.right.request
        (request.nonce, request.timestamp) = ("other", "1700000001")
        let chosen = try SignatureComparison(of: request, with: ComparedSigner(Self.right.header), now: 0)
        #expect(chosen.verdict == .same && chosen.signature == comparison.signature)
        #expect(chosen.findings.map(\.cause) == [.nonce, .timestamp])
        #expect(chosen.findings.allSatisfy { $0.certainty == .remark })
    }

    @Test("The same base string leaves only the key to differ")
    func sameBaseString() throws {
        let comparison = try SignatureComparison(of: Self.right.request, with: ComparedSigner(Self.right.base), now: 0)
        #expect(comparison.verdict == .same && comparison.summary.contains("compare the secrets"))
        let escaped = Self.right.base.replacing("&", with: "&amp;")
        #expect(try SignatureComparison(of: Self.right.request, with: ComparedSigner(escaped), now: 0).verdict == .same)
    }

    @Test("A dropped duplicate is called by its name")
    func duplicate() throws {
        let base = "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26b%3D3%26" + OtherSigner.ours
        let other = OtherSigner("", .duplicateDropped, base) { $0.url = "https://api.example.com/r?b=2&a=1&b=3" }
        let comparison = try other.compared()
        #expect(
            comparison.findings.map(\.sentence) == [
                "The other side kept only the last of several parameters named b."
            ]
        )
        #expect(comparison.parting?.ours == "b=2" && comparison.parting?.theirs == "b=3")
    }

    @Test("Two deviations at once are found")
    func pair() throws {
        let other = OtherSigner(
            "a port kept and a token secret missing",
            .portKept,
            "GET&https%3A%2F%2Fapi.example.com%3A443%2Fr&a%3D1%26" + OtherSigner.ours
        ) { $0.key = "cons%2Fsecret&" }
        let comparison = try other.compared()
        #expect(comparison.findings.map(\.cause) == [.portKept, .tokenSecretMissing])
        #expect(comparison.theirBaseString == other.base)
    }

    @Test("Two mistakes with the secrets at once are found", arguments: OtherSigner.secretPairs)
    func secretPair(_ causes: [ComparisonCause], _ key: String) throws {
        let comparison = try OtherSigner("", .wrongKey, Self.right.base) { $0.key = key }.compared()
        #expect(comparison.findings.filter { $0.certainty == .proven }.map(\.cause) == causes, "\(comparison.findings)")
    }

    @Test("A line with the name of a variable is told from the secret in it", arguments: OtherSigner.namedSecrets)
    func namedSecret(_ shown: String, _ key: String) throws {
        let comparison = try OtherSigner("", .secretWithName, Self.right.base) { $0.key = key }
            .compared(secretNames: ["CK", "SHOP_CONSUMER_SECRET", "SHOP_TOKEN"])
        let proven = comparison.findings.filter { $0.certainty == .proven }
        #expect(proven.map(\.cause) == [.secretWithName], "\(comparison.findings)")
        #expect(proven.first?.sentence.contains(shown) == true, "\(proven)")
    }

    @Test(
        "What happened to both secrets alike is one finding, in the singular",
        arguments: [
            ("null&null", "secrets is the word null, which Java, JavaScript and C++ put where"),
            ("undefined&undefined", "secrets is the word undefined, which JavaScript puts where"),
            ("None&None", "secrets is the word None, which Python puts where"),
            ("cons%2Fsecret%0A&tok%26secret%0A", "secrets ends in a line feed"),
        ]
    )
    func bothSecrets(_ key: String, _ start: String) throws {
        let comparison = try OtherSigner("", .secretPlaceholder, Self.right.base) { $0.key = key }.compared()
        #expect(comparison.verdict == .explained && comparison.findings.count == 1, "\(comparison.findings)")
        let sentence = comparison.findings.first?.sentence ?? ""
        #expect(sentence.hasPrefix("Each of the other side's \(start)"), "\(sentence)")
    }

    @Test("PLAINTEXT shows the name of a variable that nobody knows")
    func namedPlaintext() throws {
        let other = OtherSigner(
            "",
            .secretWithName,
            Self.right.base,
            sent: Self.right.sent.map { $0.0 == "oauth_signature_method" ? ($0.0, "PLAINTEXT") : $0 }
        ) {
            $0.signatureMethod = "PLAINTEXT"
            $0.key = "export%20Zebra_7%3Dcons%2Fsecret&tok%26secret"
        }
        let comparison = try other.compared()
        #expect(comparison.verdict == .explained && comparison.findings.map(\.cause) == [.secretWithName])
        #expect(comparison.findings.first?.sentence.contains("export Zebra_7=…,") == true)
    }

    @Test("A right signature that something happened to is told from a wrong one", arguments: OtherSigner.alterations)
    func alterations(_ other: OtherSigner, _ words: String) throws {
        let comparison = try other.compared()
        #expect(comparison.verdict == .otherParameters)
        let finding = try #require(comparison.findings.first { $0.cause == .signatureFormat })
        #expect(finding.sentence.contains(words) && finding.certainty == .seen, "\(finding.sentence)")
    }

    @Test("The key in place of a signature is told, and not shown")
    func keyForSignature() throws {
        let other = OtherSigner("", .hash, Self.right.base) {
            $0.write = { _ in OtherSigner.encoded("cons%2Fsecret&tok%26secret") }
        }
        let comparison = try other.compared()
        #expect(comparison.findings.map(\.cause) == [.hash] && comparison.theirSignature == nil)
        #expect(comparison.verdict == .explained && !comparison.summary.contains("other secrets"))
        #expect(!comparison.findings.contains { $0.sentence.contains("secret&") || $0.sentence.contains("%2Fsecret") })
    }

    @Test("A host that only a server behind a gateway knows is remarked on")
    func innerHost() throws {
        for host in ["localhost", "10.0.0.7", "backend", "api.svc.cluster.local"] {
            let other = OtherSigner("", .wrongKey, "GET&https%3A%2F%2Fpublic.example%2Fr&a%3D1%26" + OtherSigner.ours) {
                $0.url = "https://\(host):8080/r?a=1"
            }
            let finding = try other.compared().findings.first { $0.cause == .host }
            #expect(finding?.certainty == .likely)
        }
        let other = try OtherSigner("", .wrongKey, Self.right.base) { $0.key = "x&" }.compared()
        #expect(!other.findings.contains { $0.cause == .host })
    }

    @Test("A base string without a host is read", arguments: ["/r", "api.example.com/r", "//api.example.com/r"])
    func partialURI(_ uri: String) throws {
        let base = Self.right.base.replacing("https%3A%2F%2Fapi.example.com%2Fr", with: OtherSigner.encoded(uri))
        let comparison = try SignatureComparison(of: Self.right.request, with: ComparedSigner(base), now: 0)
        #expect(comparison.verdict == .explained && comparison.theirBaseString == base)
        #expect([.pathOnly, .schemeMissing].contains(comparison.findings.first?.cause))
    }

    @Test("A difference that cannot be told from another is told with it")
    func alternatives() throws {
        let other = OtherSigner(
            "/ not encoded",
            .reservedNotEncoded,
            "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%2F2%26" + OtherSigner.ours
        ) { $0.url = "https://api.example.com/r?a=1%2F2" }
        let finding = try #require(try other.compared().findings.first)
        #expect(finding.cause == .reservedNotEncoded && finding.alternatives.map(\.cause) == [.missingEncoding])
    }

    @Test("A signature that nothing explains is said to be one, and how ours is made")
    func unexplained() throws {
        let other = OtherSigner("other secrets", .method, Self.right.base) { $0.key = "quite&other" }
        let comparison = try other.compared()
        #expect(comparison.verdict == .unexplained && comparison.findings.map(\.cause) == [.unconfirmed])
        #expect(comparison.findings.first?.certainty == .likely)
        #expect(comparison.baseString == Self.right.base && comparison.theirBaseString == nil)
        #expect(comparison.parting == nil && comparison.summary.contains("other secrets"))
    }

    @Test("A secret that differs is suspected where nothing else differs", arguments: ["cons%2Fsecret&other", "x&"])
    func wrongKey(_ key: String) throws {
        let other = OtherSigner("", .wrongKey, Self.right.base) { $0.key = key }
        let sentence = try #require(try other.compared().findings.first?.sentence)
        #expect(sentence.contains("consumer secret or token secret, or it signed another text"))
        let foreign = OtherSigner("", .token, Self.right.base, sent: Self.right.sent.map { ($0.0, $0.1 + "x") }) {
            $0.key = key
        }
        #expect(try !foreign.compared().findings.contains { $0.cause == .unconfirmed || $0.cause == .wrongKey })
        let long = OtherSigner("", .signatureFormat, Self.right.base) {
            $0.write = { OtherSigner.encoded(Data($0 + $0).base64EncodedString()) }
        }
        #expect(try !long.compared().findings.contains { $0.cause == .unconfirmed || $0.cause == .wrongKey })
    }

    @Test("A time farther off than a search can try is not found")
    func farTimestamp() throws {
        func other(_ time: Int) -> OtherSigner {
            OtherSigner("", .timestamp, Self.right.base.replacing("1700000000", with: "\(time)"))
        }
        #expect(try other(1_700_000_030).compared().findings.map(\.cause) == [.timestamp])
        #expect(try other(1_700_000_121).compared().findings.map(\.cause) == [.unconfirmed])
    }

    @Test("Stray bits behind the last byte are told")
    func strayBits() throws {
        // The last of the 27 digits of 20 bytes has two bits more than they need.
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let other = OtherSigner("", .signatureFormat, Self.right.base) {
            $0.write = { bytes in
                var text = Array(bytes.base64EncodedString())
                guard let index = digits.firstIndex(of: text[26]) else { return "" }
                text[26] = digits[index + 1]
                return OtherSigner.encoded(String(text))
            }
        }
        let comparison = try other.compared()
        #expect(comparison.verdict == .otherParameters)
        #expect(comparison.findings.map(\.cause) == [.signatureFormat])
        #expect(try #require(comparison.findings.first).sentence.contains("compares text"))
    }

    @Test("Without a secret or a key nothing is claimed")
    func unknown() throws {
        var request = Self.right.request
        (request.credentials.consumerSecret, request.credentials.tokenSecret) = (nil, nil)
        let comparison = try SignatureComparison(
            of: request,
            with: ComparedSigner(Self.right.header),
            now: 1_700_000_000
        )
        #expect(comparison.verdict == .unknown && comparison.signature == nil)
        let signature = String(repeating: "A", count: 344)
        let rsa = Self.right.header.replacing("HMAC-SHA1", with: "RSA-SHA1")
            .replacing(/oauth_signature="[^"]*"/, with: "oauth_signature=\"\(signature)\"")
        #expect(try SignatureComparison(of: Self.right.request, with: ComparedSigner(rsa), now: 0).verdict == .unknown)
    }

    @Test("A signature that says RSA, of which no key is known, is looked at as the HMAC that it is as long as")
    func notRSA() throws {
        var request = Self.right.request
        request.options.signatureMethod = .hmacSHA1
        let header = Self.right.header.replacing("HMAC-SHA1", with: "RSA-SHA1")
        let comparison = try SignatureComparison(of: request, with: ComparedSigner(header), now: 0)
        #expect(comparison.verdict == .explained)
        let sentence = "The other side says RSA-SHA1, but its signature is HMAC-SHA1's by its length."
        #expect(comparison.findings.contains { $0.sentence == sentence })
    }

    @Test("A request that is none, and a text to compare with that is neither field nor base string, are refused")
    func refusals() throws {
        var request = Self.right.request
        request.url = "/r"
        let signer = try ComparedSigner("Authorization:  " + Self.right.header + " \r\n")
        #expect(throws: ComparisonError.unexplainable(.noAbsoluteURL)) {
            try SignatureComparison(of: request, with: signer, now: 0)
        }
        for text in ["", "Bearer x", "a&b", "GET&r&a", "OAuth", "a=1&http://h&b=2"] {
            #expect(throws: ComparisonError.neitherHeaderNorBaseString) { try ComparedSigner(text) }
        }
        let unquoted = AuthorizationFieldFault(kind: .valueUnquoted(.other), position: 19, parameter: "oauth_token")
        #expect(throws: ComparisonError.fieldMalformed(unquoted)) { try ComparedSigner("OAuth oauth_token=tk") }
        #expect(throws: ComparisonError.signatureAbsent) { try ComparedSigner(#"OAuth oauth_token="tk""#) }
    }
}
