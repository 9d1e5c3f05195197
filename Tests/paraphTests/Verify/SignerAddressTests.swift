import ArgumentParser
import Bytes
import OAuthSigning
import SignatureComparison
import Testing

@testable import paraph

@Suite("The address that a received request was signed for")
struct SignerAddressTests {
    private let files: SecretFiles

    init() throws { files = try SecretFiles() }

    private func outcome(_ arguments: [String], for url: String) async throws -> VerifyReport {
        let header = try SignedRequests.header { $0.url = url }
        let command = try Verify.parse(["GET"] + arguments + ["--authorization", header] + files.options())
        let written = try await command.written.request(method: command.method, url: command.url)
        let given = try await command.content.applied(to: written)
        return VerifyReport(outcome: try await command.received(given).verify(now: 1_700_000_000), now: 1_700_000_000)
    }

    @Test("A path with the host that it was received for is verified")
    func path() async throws {
        let path = ["/r?a=1", "--host", "api.example.com"]
        #expect(try await outcome(path, for: "https://api.example.com/r?a=1").isVerified)
        #expect(try await outcome(path + ["--scheme", "http"], for: "http://api.example.com/r?a=1").isVerified)
        let field = ["/r?a=1", "-H", "host: api.example.com:8443"]
        #expect(try await outcome(field, for: "https://api.example.com:8443/r?a=1").isVerified)
    }

    @Test(
        "What a gateway's fields say is tried, and where the host and the scheme come from is told",
        arguments: [
            (["-H", "X-Forwarded-Host: api.example.com"], "with the host of X-Forwarded-Host:", "received"),
            (
                ["-H", "X-Forwarded-Host: a, api.example.com", "-H", "X-Forwarded-Proto: https", "--scheme", "http"],
                "with the host of X-Forwarded-Host and the scheme of X-Forwarded-Proto:", "X-Forwarded-Proto"
            ),
            (
                ["-H", "Forwarded: host=\"api.example.com\";proto=https", "--scheme", "http"],
                "with the host of Forwarded and the scheme of Forwarded:", "Forwarded"
            ),
            (
                ["--other-host", "x.example", "--other-host", "api.example.com"], "with the host of --other-host:",
                "received"
            ),
            (
                ["--scheme", "http", "-H", "X-Forwarded-Host: api.example.com"],
                "with the host of X-Forwarded-Host and another scheme:", "none"
            ),
        ]
    )
    func forwarded(more: [String], words: String, schemeFrom: String) async throws {
        let report = try await outcome(
            ["/r?a=1", "--host", "10.0.0.7:8080"] + more,
            for: "https://api.example.com/r?a=1"
        )
        #expect(!report.isVerified)
        #expect(report.text.contains("right for https://api.example.com, " + words), "\(report.text)")
        let received = (more.contains("http") ? "http" : "https") + "://10.0.0.7:8080,"
        #expect(report.text.contains("not right for " + received), "\(report.text)")
        #expect(report.json.contains(#""host":"api.example.com""#), "\(report.json)")
        #expect(report.json.contains(#""scheme_from":"\#(schemeFrom)""#), "\(report.json)")
    }

    @Test("The port that a gateway was asked at goes with each host")
    func port() async throws {
        let received = ["/r", "--host", "api.example.com:80", "-H", "X-Forwarded-Port: 8443"]
        let report = try await outcome(received, for: "https://api.example.com:8443/r")
        #expect(report.text.contains("with the host of X-Forwarded-Port:"))
    }

    @Test("Where none of them is right, the signatures are compared as ever")
    func none() async throws {
        let received = [
            "/r", "--host", "api.example.com", "--other-host", "b.example", "-H", "X-Forwarded-Host: \u{1}/",
        ]
        guard case .refused(.signatureInvalid, _?) = try await outcome(received, for: "https://c.example/s").outcome
        else {
            Issue.record("no comparison")
            return
        }
    }

    @Test("As many as are given, a bounded number is tried")
    func bounded() {
        var request = GivenRequest(method: "GET", target: "/")
        request.fields = [
            RequestField(name: "X-Forwarded-Host", value: (0..<10_000).map { "h\($0)" }.joined(separator: ",")),
            RequestField(name: "X-Forwarded-Port", value: "1"),
        ]
        let all = SignerAddress.candidates(for: request, scheme: .https, host: "h", otherHosts: ["o"])
        #expect(all.count <= 130)
    }

    @Test("A path without a host, with one that is none, and a scheme that is there already are bad data")
    func misuse() async throws {
        let header = ["--authorization", try SignedRequests.header()] + (try files.options())
        for more in [
            ["/r"], ["/r", "--host", "a/b"], ["/r", "--host", ""], ["https://a.example/", "--scheme", "http"],
        ] {
            await #expect(throws: ExitCode(65)) { try await Verify.parse(["GET"] + more + header).run() }
        }
        #expect(throws: (any Error).self) { try Verify.parse(["GET", "/r", "--other-host", "a/b"] + header) }
    }
}
