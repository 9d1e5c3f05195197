import ArgumentParser
import Bytes
import Foundation
import OAuthSigning
import SignatureComparison
import Testing

@testable import paraph

@Suite("paraph explain --against")
struct ExplainAgainstTests {
    private let files: SecretFiles

    init() throws { files = try SecretFiles() }

    private func explain(_ against: String, _ more: [String] = []) throws -> Explain {
        try Explain.parse(
            ["GET", SignedRequests.url, "--consumer-key", "ck", "--token", "tk", "--against", against] + more
                + files.options()
        )
    }

    @Test("The exit code is 0 for the same signature and 1 for another")
    func exitCodes() async throws {
        try await explain(SignedRequests.header()).run()
        try await explain("Authorization: " + SignedRequests.header() + "\n", ["--json"]).run()
        try await explain(SignedRequests.request().explain().baseString).run()
        await #expect(throws: ExitCode(1)) { try await explain(SignedRequests.header { $0.url += "&c=3" }).run() }
        await #expect(throws: ExitCode(1)) {
            try await explain(SignedRequests.header { $0.credentials.token = nil }).run()
        }
    }

    @Test(
        "What was wrapped on its way is taken as it was",
        arguments: [
            ("OAuth a=\"b\",\n    c=\"d\"\n", "OAuth a=\"b\", c=\"d\""),
            ("OAuth a=\"b\", \\\r\n  c=\"d\"", "OAuth a=\"b\", c=\"d\""),
            ("GET&http%3A%2F%2Fa\n%2F&b%3D\n1\n", "GET&http%3A%2F%2Fa%2F&b%3D1"),
            ("OAuth a=\"b\" \n", "OAuth a=\"b\" \n"),
        ]
    )
    func unfolded(wrapped: String, whole: String) {
        #expect(ExplainAgainst.unfolded(wrapped) == whole)
    }

    @Test(
        "The base string that a provider expected is found in its answer",
        arguments: [
            "Invalid signature. Expected signature base string: BASE", "oauth_problem=signature_invalid&debug_sbs=BASE",
            #"{"error": "bad", "base_string": "BASE", "more": 1}"#, "<p>It was BASE</p>",
        ],
        ["&", #"\u0026"#]
    )
    func answers(answer: String, ampersand: String) async throws {
        let baseString = try SignedRequests.request().explain().baseString.replacing("&", with: ampersand)
        try await explain(answer.replacing("BASE", with: baseString)).run()
    }

    @Test("What cannot be compared is bad data, and a wrong use is one")
    func misuse() async throws {
        await #expect(throws: ExitCode(65)) { try await explain("Bearer x").run() }
        await #expect(throws: ExitCode(65)) { try await explain("OAuth oauth_signature").run() }
        #expect(throws: (any Error).self) { try Explain.parse(["--batch", "--against", "x"]) }
    }

    private static func report(_ change: (inout ExplainableRequest) -> Void) throws -> ComparisonReport {
        let signer = try ComparedSigner(SignedRequests.header(change))
        let comparison = try SignatureComparison(of: SignedRequests.request(), with: signer, now: 1_700_000_000)
        return ComparisonReport(comparison: comparison)
    }

    @Test("A person is shown where the base strings part, and why, and no secret")
    func text() throws {
        let text = try Self.report { $0.url = "https://api.example.com:444/r?a=1&b=2%20q" }.sections.text
        #expect(!text.contains("secret/") && !text.contains("the consumer") && text.contains("Key\n  th…&th…"))
        #expect(text.contains("no deviation that was tried"))

        let dropped = try Self.report { $0.url = "http://api.example.com/r?a=1&b=2%20q" }.sections.text
        #expect(dropped.contains("The other side signed the scheme http; "))
        #expect(dropped.contains("(scheme, proven)"))
        let expected = """
              They part behind character 8, in the URI: ours has https://api.example.com/r, theirs http://api.example.com/r.
              ours    GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26b%…
              theirs  GET&http%3A%2F%2Fapi.example.com%2Fr&a%3D1%26b%3…
                              ^
            """
        #expect(dropped.contains(expected), "\(dropped)")
    }

    @Test("A program is given the same")
    func json() throws {
        struct Answer: Decodable {
            struct Finding: Decodable {
                let cause: String
                let certainty: String
                let sentence: String
            }
            struct Parting: Decodable {
                let offset: Int
                let part: String
                let ours: String?
                let theirs: String?
            }
            struct Difference: Decodable {
                let name: String
                let ours: String?
                let theirs: String?
            }
            let same: Bool
            let verdict: String
            let findings: [Finding]
            let differences: [Difference]
            let base_string: String
            let their_base_string: String?
            let parting: Parting?
            let key: String
        }
        func answer(_ change: (inout ExplainableRequest) -> Void) throws -> Answer {
            try JSONDecoder().decode(Answer.self, from: Data(Self.report(change).json.line.utf8))
        }
        let explained = try answer { $0.method = "POST" }
        #expect(!explained.same && explained.verdict == "explained")
        #expect(explained.findings.map(\.cause) == ["method"] && explained.findings.first?.certainty == "proven")
        #expect(explained.parting?.offset == 0 && explained.parting?.part == "method")
        #expect(explained.parting?.ours == "GET" && explained.parting?.theirs == "POST")
        #expect(explained.their_base_string == "POST" + explained.base_string.dropFirst(3))
        #expect(explained.key == "th…&th…")
        let same = try answer { _ in }
        #expect(same.same && same.verdict == "same" && same.findings.isEmpty && same.parting == nil)
        let other = try answer { $0.options.includesVersion = false }
        #expect(other.differences.map(\.name) == ["oauth_version"] && other.differences.first?.theirs == nil)
    }

    @Test("PLAINTEXT is compared and its key never shown")
    func plaintext() throws {
        let header = try SignedRequests.header {
            $0.options.signatureMethod = .plaintext
            $0.credentials.tokenSecret = Secret("another token secret")
        }
        var request = SignedRequests.request()
        request.options.signatureMethod = .plaintext
        let comparison = try SignatureComparison(of: request, with: ComparedSigner(header), now: 1_700_000_000)
        let report = ComparisonReport(comparison: comparison)
        #expect(comparison.verdict == .unexplained)
        for text in [report.sections.text, report.json.line] {
            #expect(
                !text.contains("another") && !text.contains("consumer%20secret") && !text.contains("token%20secret")
            )
        }
    }

    @Test("What the other side sent neither commands the terminal nor forges a line, for a person or a program")
    func foreignText() throws {
        let hostile = "x%1B%5B2J%0AVerified%3A%20the%20signature%20is%20right.%C2%9B%E2%80%AE"
        let names = ["oauth_consumer_key", "oauth_nonce", "oauth_timestamp", hostile]
        let header =
            "OAuth " + names.map { "\($0)=\"\(hostile)\", " }.joined()
            + "oauth_signature=\"AAAA\", oauth_signature_method=\"HMAC-SHA1\", oauth_version=\"1.0\""
        let comparison = try SignatureComparison(
            of: SignedRequests.request(),
            with: ComparedSigner(header),
            now: 1_700_000_000
        )
        let report = ComparisonReport(comparison: comparison)
        #expect(report.sections.text.contains("\\u{1b}[2J\\u{a}Verified"))
        for text in [report.sections.text, report.json.line] {
            #expect(text.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" })
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("Verified") })
        }
    }
}
