import ArgumentParser
import Bytes
import OAuthSigning
import TestSupport
import Testing

@testable import paraph

@Suite("--request of explain and verify")
struct RequestOptionTests {
    private let accounts: AccountFiles
    private let directory: TestDirectory

    init() throws {
        accounts = try AccountFiles()
        directory = try TestDirectory()
    }

    private func options(_ text: String) throws -> [String] {
        try ["--request", directory.write(text, to: "request")] + accounts.options("pictures/default")
    }

    private func curl(_ change: String = "") throws -> String {
        let header = try SignedRequests.header { $0.options.realm = "Photos" }
        return "curl '\(SignedRequests.url)\(change)' \\\n  -H 'Authorization: \(header)'\n"
    }

    @Test("A signature that the request has is verified, or compared with ours")
    func signed() async throws {
        try await Explain.parse(options(curl())).run()
        try await Verify.parse(options(curl())).run()
        await #expect(throws: ExitCode(1)) { try await Explain.parse(options(curl("&c=3")) + ["--json"]).run() }
        await #expect(throws: ExitCode(77)) { try await Verify.parse(options(curl("&c=3"))).run() }
        let query = try SignedRequests.request { $0.options.placement = .query }.explain().signed.target
        let target = String(decoding: try #require(query), as: UTF8.self)
        let http = try options("GET \(target) HTTP/1.1\nHost: api.example.com\n\n")
        try await Verify.parse(http).run()
        await #expect(throws: ExitCode(77)) { try await Verify.parse(http + ["--scheme", "http"]).run() }
    }

    @Test("What has no signature is signed, or refused")
    func unsigned() async throws {
        let request = try options("curl '\(SignedRequests.url)' -H 'Authorization: Basic x'")
        try await Explain.parse(request).run()
        await #expect(throws: ExitCode(77)) { try await Verify.parse(request).run() }
        await #expect(throws: ExitCode(65)) {
            try await Explain.parse(options("curl '\(SignedRequests.url)' -H 'Authorization: OAuth x'")).run()
        }
    }

    @Test("A line of the log is signed as the account that it names, and is not verified")
    func logged() async throws {
        let line = "18:49:50.123Z 200 GET 9us 0B  pictures/default  api.example.com/r  in=3B"
        let file = try directory.write(line, to: "request")
        try await Explain.parse(["--request", file, "--config", accounts.path]).run()
        let verify = ["--request", file] + accounts.options("pictures/default")
        await #expect(throws: ExitCode(65)) { try await Verify.parse(verify).run() }
    }

    @Test("Options take the place of what the request has")
    func applied() async throws {
        let read = GivenRequest(
            format: .curl,
            method: "POST",
            target: "/r",
            fields: [RequestField(name: "host", value: "a"), RequestField(name: "X", value: "1")],
            missingBody: "It is away."
        )
        await #expect(throws: GivenRequestError.bodyMissing("It is away.")) {
            let form = try ExplainedContent.parse(["--content-type", "application/x-www-form-urlencoded"])
            _ = try await form.applied(to: read)
        }
        let unchanged = try await ExplainedContent.parse([]).applied(to: read)
        #expect(unchanged.notes == ["It is away."])
        let options = ["--host", "b", "-H", "x: 2", "-H", "x: 3", "--data", "c=d", "--scheme", "http"]
        let request = try await ExplainedContent.parse(options).applied(to: read)
        #expect(try request.url == "http://b/r" && request.values(of: "X") == ["2", "3"] && request.notes.isEmpty)
        #expect(request.fieldValue("Content-Type") == "application/x-www-form-urlencoded")
    }

    @Test("The request is given once, and standard input is read once")
    func misuse() async throws {
        for arguments in [
            ["--request", "f", "GET", "https://h/"], ["--entry", "1", "GET", "https://h/"], ["--request", "f", "GET"],
            ["GET"], [],
        ] {
            let arguments = arguments + ["--account", "a/b"]
            #expect(throws: (any Error).self) { try Explain.parse(arguments) }
            #expect(throws: (any Error).self) { try Verify.parse(arguments) }
        }
        #expect(throws: (any Error).self) {
            try Explain.parse(["--request", "-", "--against", "-", "--account", "a/b"])
        }
        #expect(throws: (any Error).self) { try Verify.parse(["--request", "-", "--authorization", "-"]) }
        await #expect(throws: ExitCode(65)) { try await Explain.parse(["--request", "/nonexistent"]).run() }
        await #expect(throws: ExitCode(64)) {
            try await Explain.parse(["--request", directory.write(curl(), to: "request")]).run()
        }
    }
}
