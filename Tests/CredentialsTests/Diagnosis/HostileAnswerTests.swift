import Foundation
import OAuthSigning
import Testing

@testable import Credentials

@Suite("Answers that are not what they should be")
struct HostileAnswerTests {
    static func read(_ body: String, status: Int = 401, challenge: String? = nil) -> ProviderDiagnosis? {
        ProviderDiagnosis.read(
            status: status,
            fields: challenge.map { [("WWW-Authenticate", $0)] } ?? [],
            body: Array(body.utf8),
            secrets: []
        )
    }

    @Test("A refusal that is cut off anywhere is read without harm", arguments: try DiagnosisFixture.refusals())
    func truncated(answer: DiagnosisFixture.Answer) {
        let body = Array(answer.body.utf8)
        for count in stride(from: 0, to: body.count, by: 17) {
            let diagnosis = ProviderDiagnosis.read(
                status: 401,
                fields: [("WWW-Authenticate", String(decoding: body.suffix(count), as: UTF8.self))],
                body: Array(body.prefix(count)),
                secrets: []
            )
            #expect(diagnosis != nil)
        }
    }

    @Test("Where not all secrets of the request are known, none of the provider's words are told")
    func unknownSecrets() throws {
        let canary = "c4n4ry-c4n4ry"
        let text = "oauth_problem=parameter_rejected&oauth_parameters_rejected=\(canary)&oauth_problem_advice=\(canary)"
        func read(_ areAllKnown: Bool) -> ProviderDiagnosis? {
            ProviderDiagnosis.read(
                status: 401,
                fields: [("WWW-Authenticate", "OAuth realm=\"\(canary)\", oauth_problem=\"parameter_rejected\"")],
                body: Array(text.utf8),
                unreadBody: canary,
                secrets: [],
                requestSecrets: { RequestSecrets(areAllKnown: areAllKnown) }
            )
        }
        let told = try #require(read(true))
        let withheld = try #require(read(false))
        #expect(String(describing: told).contains(canary))
        #expect(!String(describing: withheld).contains(canary))
        #expect(withheld.cause == told.cause)
    }

    /// Each fills the 64 KiB that are read with what could make a reader go back, go deep or go on.
    static let floods = [
        "[", "{\"errors\":", "[{\"errors\":[", "\"", "\\", "oauth_problem ", "oauth_problem=\"", "oauth_problem=%",
        "debug_sbs=", "<error code=\"", "<error code=\"89\">", "<", "%25", "&amp;", "GET&", "a", " ", "\u{0}", "é",
        "=,",
        "Bearer x=\"\\\"\", ", "invalid signature. expected signature base string: ", "{\"a\":1},", "1,", "[],",
    ]

    @Test("64 KiB of anything are read without harm", arguments: floods)
    func flooded(unit: String) {
        let text = String(repeating: unit, count: 65_536 / unit.utf8.count)
        for text in [text, "{\"errors\":[" + text, "oauth_problem=signature_invalid&debug_sbs=" + text, "<" + text] {
            #expect(Self.read(text, challenge: text) != nil)
        }
        _ = Self.read(text, status: 403, challenge: text)
    }

    @Test("Arbitrary bytes are read without harm")
    func arbitrary() {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<300 {
            let body = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(ProviderDiagnosis.read(status: 401, fields: [], body: body, secrets: []) != nil)
        }
    }

    @Test("What lies beyond 64 KiB is not read")
    func oversized() {
        let padding = String(repeating: " ", count: 65_536)
        #expect(Self.read(padding + "expired token")?.cause == .unknown)
        #expect(Self.read(padding.dropLast(20) + "expired token")?.cause == .tokenRefused)
    }

    @Test("Words are printable and short, whatever the provider sends")
    func words() {
        let words =
            Self.read("Invalid signature\u{1B}[31m\r\n\u{202E}" + String(repeating: "é", count: 250))?.words ?? ""
        #expect(words.hasPrefix("Invalid signature[31m éé"))
        #expect(words.unicodeScalars.count == 200)
        let names = Self.read("oauth_problem=parameter_absent&oauth_parameters_absent=a%1B%0Ab%26\u{7}c")
        #expect(names?.missingParameters.allSatisfy { $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } } == true)
    }

    @Test("No more names of parameters are told than there can be")
    func parameterNames() {
        let names = (0..<50).map { "oauth_\($0)" }.joined(separator: "%26")
        let diagnosis = Self.read("oauth_problem=parameter_absent&oauth_parameters_absent=\(names)")
        #expect(diagnosis?.missingParameters.count == 16)
    }

    // MARK: Secrets

    static let secrets = ["Consumer Secret/1", "t0ken+Secret&2"]

    @Test("Secrets that a provider repeats are not repeated", arguments: secrets)
    func echoedSecrets(secret: String) throws {
        let unreserved = CharacterSet.alphanumerics.union(.init(charactersIn: "-._~"))
        let encoded = try #require(secret.addingPercentEncoding(withAllowedCharacters: unreserved))
        let twice = try #require(encoded.addingPercentEncoding(withAllowedCharacters: unreserved))
        let baseString = "POST&https%3A%2F%2Fa.example%2F&x_auth_password%3D\(twice)"
        let bodies = [
            "Invalid signature. Expected signature base string: \(encoded)&", "expired token \(secret)",
            "oauth_problem=signature_invalid&debug_sbs=\(baseString)", "oauth_problem=\(encoded)",
            "{\"message\":\"Invalid signature, key \(secret)\"}", "401 \(secret)",
        ]
        for body in bodies {
            let diagnosis = try #require(
                ProviderDiagnosis.read(
                    status: 401,
                    fields: [("WWW-Authenticate", "OAuth realm=\"r\", oauth_problem_advice=\"\(encoded)\"")],
                    body: Array(body.utf8),
                    secrets: Self.secrets.map { Secret($0) }
                )
            )
            let shown = String(describing: diagnosis) + diagnosis.sentence(.init(api: "a", account: "b"))
            #expect(!shown.contains(secret) && !shown.contains(encoded) && !shown.contains(twice))
            #expect(diagnosis.expectedBaseString == nil)
        }
    }

    @Test("A base string is told only when it is one")
    func baseStrings() {
        let signed = "GET&https%3A%2F%2Fa.example%2F&a%3Db"
        let expected = { (text: String) in
            Self.read("oauth_problem=signature_invalid&debug_sbs=\(text)")?.expectedBaseString
        }
        #expect(expected(signed) == signed)
        #expect(expected("\(signed) and more") == signed)
        #expect(expected("secret%26&token") == nil)
        #expect(expected("GET&ftp%3A%2F%2F&x") == nil)
        #expect(expected("&https%3A%2F%2Fa&x") == nil)
        #expect(expected(signed + String(repeating: "x", count: 8_192)) == nil)
    }
}
