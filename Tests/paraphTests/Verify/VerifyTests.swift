import ArgumentParser
import Foundation
import OAuthSigning
import SignatureComparison
import Testing

@testable import paraph

@Suite("paraph verify")
struct VerifyTests {
    private let files: SecretFiles

    init() throws { files = try SecretFiles() }

    private func verify(_ header: String?, url: String = SignedRequests.url, _ more: [String] = []) throws -> Verify {
        let field = header.map { ["--authorization", $0] } ?? []
        return try Verify.parse(["GET", url] + field + more + files.options())
    }

    @Test("A right signature is verified, wherever it is sent")
    func verified() async throws {
        let header = try SignedRequests.header()
        try await verify(header).run()
        try await verify(" authorization: \(header)\r\n", ["--json"]).run()
        try await verify(nil, ["--header", "Authorization: " + header]).run()
        let query = try SignedRequests.request { $0.options.placement = .query }.explain().signed.target
        let url = "https://api.example.com" + String(decoding: try #require(query), as: UTF8.self)
        try await verify(nil, url: url).run()
        let form = try SignedRequests.request {
            $0.options.placement = .body
            $0.method = "POST"
            $0.contentType = "application/x-www-form-urlencoded"
            $0.body = Array("c=3".utf8)
        }
        .explain().signed.body
        let body = String(decoding: try #require(form), as: UTF8.self)
        try await Verify.parse(["POST", SignedRequests.url, "--data", body] + files.options()).run()
    }

    @Test("A wrong signature, another consumer key or token, and none at all are refused")
    func refused() async throws {
        let header = try SignedRequests.header()
        await #expect(throws: ExitCode(77)) { try await verify(header, url: SignedRequests.url + "&c=3").run() }
        await #expect(throws: ExitCode(77)) { try await verify(header, ["--consumer-key", "other"]).run() }
        await #expect(throws: ExitCode(77)) { try await verify(header, ["--token", "other"]).run() }
        await #expect(throws: ExitCode(77)) { try await verify(nil).run() }
        await #expect(throws: ExitCode(77)) { try await verify("Bearer x").run() }
        await #expect(throws: ExitCode(77)) { try await verify("OAuth x", ["--json"]).run() }
    }

    @Test(
        "A request without a signature is refused with the option that takes one",
        arguments: [VerificationFailure.notSigned, .parameterAbsent(name: "oauth_consumer_key")]
    )
    func unsigned(_ failure: VerificationFailure) {
        var report = VerifyReport(outcome: .refused(failure, nil), now: 0, hasAuthorization: false)
        #expect(report.text.contains("--authorization 'OAuth …'") && report.json.contains("--authorization"))
        report.hasAuthorization = true
        #expect(!report.text.contains("--authorization"))
    }

    @Test("A request without the token that alone is accepted is refused, however right its signature is")
    func onlyToken() async throws {
        func header(_ token: String?) throws -> String {
            try SignedRequests.header { ($0.credentials.token, $0.credentials.tokenSecret) = (token, nil) }
        }
        for without in try [header(nil), header("")] {
            try await verify(without).run()
            try await verify(without, ["--token", ""]).run()
            await #expect(throws: ExitCode(77)) { try await verify(without, ["--token", "tk"]).run() }
            await #expect(throws: ExitCode(77)) { try await verify(without, ["--token", "tk", "--json"]).run() }
        }
        try await verify(SignedRequests.header(), ["--token", "tk", "--consumer-key", "ck"]).run()
        await #expect(throws: ExitCode(77)) { try await verify(SignedRequests.header(), ["--token", ""]).run() }
        let noKey = try SignedRequests.header { $0.credentials.consumerKey = "" }
        try await verify(noKey, ["--consumer-key", ""]).run()
        await #expect(throws: ExitCode(77)) { try await verify(noKey, ["--consumer-key", "ck"]).run() }
        await #expect(throws: ExitCode(77)) { try await verify(SignedRequests.header(), ["--consumer-key", ""]).run() }
    }

    @Test("The secret of a token that is not accepted anyway is not asked for")
    func refusedToken() async throws {
        let secret = try files.file("the consumer secret")
        let header = try SignedRequests.header()
        for token in ["", "other"] {
            await #expect(throws: ExitCode(77)) {
                try await Verify.parse(
                    [
                        "GET", SignedRequests.url, "--authorization", header, "--token", token,
                        "--consumer-secret-file", secret,
                    ]
                )
                .run()
            }
        }
    }

    @Test("What is missing or cannot be read is told apart from a refusal")
    func misuse() async throws {
        let header = try SignedRequests.header()
        let secret = try files.file("the consumer secret")
        let known = ["GET", SignedRequests.url, "--authorization", header]
        await #expect(throws: ExitCode(64)) { try await Verify.parse(known).run() }
        await #expect(throws: ExitCode(64)) {
            try await Verify.parse(known + ["--consumer-secret-file", secret]).run()
        }
        await #expect(throws: ExitCode(64)) {
            try await verify(header.replacing("HMAC-SHA1", with: "RSA-SHA1")).run()
        }
        await #expect(throws: ExitCode(65)) { try await verify(header, url: "/r").run() }
        await #expect(throws: ExitCode(65)) {
            try await Verify.parse(known + ["--consumer-secret-file", "/nonexistent"]).run()
        }
        await #expect(throws: ExitCode(65)) { try await verify(header, ["--public-key-file", secret]).run() }
        #expect(throws: (any Error).self) { try verify(header, ["--header", "Authorization: " + header]) }
    }

    @Test(
        "An RSA signature is verified with the public key or the certificate",
        arguments: [
            RSAPair.publicKey, RSAPair.certificate,
        ]
    )
    func rsa(_ pem: String) async throws {
        let header = try SignedRequests.header {
            $0.options.signatureMethod = .rsaSHA256
            $0.credentials.privateKey = Secret(RSAPair.privateKey)
        }
        let options = try ["--authorization", header, "--public-key-file", files.file(pem)]
        try await Verify.parse(["GET", SignedRequests.url] + options).run()
        await #expect(throws: ExitCode(77)) { try await Verify.parse(["POST", SignedRequests.url] + options).run() }
    }

    private static func received(
        _ header: String,
        publicKey: RSAVerificationKey? = nil,
        _ change: (inout ExplainableRequest) -> Void = { _ in }
    ) -> RequestToVerify {
        RequestToVerify(
            request: SignedRequests.request(change),
            authorization: Array(header.utf8),
            consumerKey: nil,
            token: nil,
            publicKey: publicKey
        )
    }

    @Test("A timestamp that is no number of seconds is told, refused or not")
    func timestamps() throws {
        let fraction = try SignedRequests.header { $0.timestamp = "1700000000.5" }
        guard case .refused(_, let comparison?) = try Self.received(fraction).verify(now: 1_700_000_000) else {
            Issue.record("not refused")
            return
        }
        #expect(comparison.findings.contains { $0.cause == .timestampMalformed && $0.sentence.contains("a fraction") })
        let now: UInt64 = 1_700_000_000
        let milliseconds = try SignedRequests.header { $0.timestamp = "1700000000123" }
        let report = VerifyReport(outcome: try Self.received(milliseconds).verify(now: now), now: now)
        #expect(report.isVerified && report.text.contains("in milliseconds") && report.json.contains("timestamp_fault"))
    }

    @Test("A body may begin with hyphens")
    func hyphens() throws {
        let options = try ["--authorization", SignedRequests.header(), "--data", "--b"] + files.options()
        #expect(try Verify.parse(["POST", SignedRequests.url] + options).content.data == "--b")
    }

    @Test("The signer, the age of the signature and its part of the body are told")
    func report() throws {
        let header = try SignedRequests.header {
            $0.body = Array("{}".utf8)
            $0.options.bodyHash = .on
            $0.options.realm = "Photos"
        }
        let now: UInt64 = 1_700_000_412
        let outcome = try Self.received(header) { $0.body = Array("{}".utf8) }.verify(now: now)
        let report = VerifyReport(outcome: outcome, now: now)
        #expect(
            report.text == """
                Verified: the signature is right.
                  Consumer key      ck
                  Token             tk
                  Signature method  HMAC-SHA1
                  Timestamp         1700000000, 412 s behind this machine's clock
                  Nonce             n1
                  Realm             Photos
                  Body              oauth_body_hash is right
                """
        )
        #expect(report.isVerified)
        #expect(report.json.contains(#""timestamp_distance":-412,"nonce":"n1","realm":"Photos","body":"hash""#))
    }

    @Test("That the given token secret takes no part without a token is told")
    func unusedTokenSecret() throws {
        let header = try SignedRequests.header { ($0.credentials.token, $0.credentials.tokenSecret) = (nil, nil) }
        let outcome = try Self.received(header).verify(now: 0)
        let report = VerifyReport(outcome: outcome, now: 0, hasTokenSecret: true)
        #expect(report.text.contains("none, so that the key ends in &"))
        #expect(!VerifyReport(outcome: outcome, now: 0).text.contains("takes no part"))
        #expect(!report.json.contains(#""token""#))
        // It has no part in any signature by RSA.
        let signed = try SignedRequests.header {
            ($0.credentials.token, $0.credentials.tokenSecret) = (nil, nil)
            $0.options.signatureMethod = .rsaSHA256
            $0.credentials.privateKey = Secret(RSAPair.privateKey)
        }
        let received = Self.received(signed, publicKey: try RSAVerificationKey(pem: RSAPair.publicKey))
        let byRSA = VerifyReport(outcome: try received.verify(now: 0), now: 0, hasTokenSecret: true)
        #expect(byRSA.isVerified)
        #expect(byRSA.text.contains("Token             none\n"))
    }

    @Test("The body that no signature covers is told")
    func body() throws {
        func cover(_ change: @escaping (inout ExplainableRequest) -> Void) throws -> String? {
            let outcome = try Self.received(SignedRequests.header(change), change).verify(now: 0)
            guard case .verified(_, let body) = outcome else { return nil }
            return body.rawValue
        }
        #expect(try cover { _ in } == "absent")
        #expect(try cover { $0.body = Array("{}".utf8) } == "uncovered")
        let form = "application/x-www-form-urlencoded; charset=UTF-8"
        #expect(try cover { ($0.body, $0.contentType) = (Array("a=1".utf8), form) } == "form")
        #expect(
            try cover {
                ($0.body, $0.contentType) = (Array("a=1".utf8), form)
                $0.options.signatureMethod = .plaintext
            } == "uncovered"
        )
    }

    @Test("A refusal says what the other side did, whatever parameters it chose to send")
    func comparison() throws {
        let header = try SignedRequests.header {
            $0.url = $0.url.replacing("https", with: "http")
            $0.options.includesVersion = false
        }
        let outcome = try Self.received(header).verify(now: 1_700_000_000)
        guard case .refused(.signatureInvalid, let comparison?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(comparison.findings.map(\.cause) == [.scheme] && comparison.differences.isEmpty)
        let report = VerifyReport(outcome: outcome, now: 1_700_000_000)
        #expect(!report.isVerified && report.text.hasPrefix("Refused: The signature does not match the request.\n\n"))
        #expect(report.json.hasPrefix(#"{"verified":false,"error":"signature_invalid","#))
        #expect(report.json.contains(#""comparison":{"same":false,"#))
    }

    @Test("A token secret in the key of a request without a token is told", arguments: [nil, ""])
    func addedTokenSecret(_ token: String?) throws {
        let header = try SignedRequests.header { $0.credentials.token = token }
        let outcome = try Self.received(header).verify(now: 1_700_000_000)
        guard case .refused(.signatureInvalid, let comparison?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(comparison.verdict == .explained && comparison.findings.map(\.cause) == [.tokenSecretAdded])
        let text = VerifyReport(outcome: outcome, now: 1_700_000_000).text
        #expect(!text.contains("The same") && text.contains("added the token secret"))
        #expect(comparison.maskedKey.hasSuffix("&"))
    }

    @Test("A changed body is refused by its hash, and told")
    func bodyHash() throws {
        let header = try SignedRequests.header {
            $0.body = Array("{}".utf8)
            $0.options.bodyHash = .on
        }
        let outcome = try Self.received(header) { $0.body = Array("[]".utf8) }.verify(now: 1_700_000_000)
        guard case .refused(.bodyHashInvalid, let comparison?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(comparison.findings.map(\.cause) == [.bodyHash])
    }
}
