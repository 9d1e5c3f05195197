import Bytes
import Foundation
import Inspection
import NIOCore
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A provider that repeats the request tells nobody of its secrets", .generousLimit, .timed)
struct RefusedEchoTests {
    private static let canaries = [
        "cookie-canary-1", "vault-canary-2", "query/canary=3", "form canary 4", "pin5", "basic-canary-6",
        ProxySetup.Secrets.token.token,
    ]

    private static let request = """
        POST http://api.test/a?page=2&access_token=query%2Fcanary%3D3 HTTP/1.1
        Host: api.test
        Cookie: theme=dark; session=cookie-canary-1
        X-Vault-Token: vault-canary-2
        X-Authorization: Basic dXNlcjpiYXNpYy1jYW5hcnktNg==
        Content-Type: application/x-www-form-urlencoded
        Content-Length: 35


        """

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test(
        "In Proxy-Status, in the log, and in the inspector",
        arguments: [
            canaries.joined(separator: " and "), canaries.map { $0.replacing("a", with: "%61") }.joined(separator: " "),
            canaries.prefix(4).map(base64).joined(separator: " ") + " dXNlcjpiYXNpYy1jYW5hcnktNg==",
            "sid cookie-canary-1; query%2Fcanary%3D3 form+canary+4",
        ]
    )
    func scrubs(echo: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            proxy.server.journal.keep(true)
            let client = try await proxy.connect()
            try await client.send(Self.request)
            try await client.sendBytes(ByteBuffer(string: "a=b&password=form+canary+4&pin=pin5"))
            let server = try await upstream.accept()
            _ = try await server.message()
            let body = #"{"errors":[{"code":32,"message":"Could not authenticate you: \#(echo)"}]}"#
            try await server.send(
                "HTTP/1.1 401 No\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n"
            )
            try await server.sendBytes(ByteBuffer(string: body))
            let got = try await client.message()
            #expect(got.body == body)
            let details = try #require(got.refusal?.details)
            #expect(details.contains("It said: Could not authenticate you: ") && details.contains("<secret>"))
            let line = try await proxy.accessLogText(lines: 1)
            let shown = try #require(proxy.server.journal.requests.first)
            let detail = shown.detail.line
            #expect(shown.details == details)
            for text in [details, line, detail] {
                for canary in Self.canaries {
                    #expect(!text.contains(canary) && !text.contains(Self.base64(canary)), "\(canary): \(text)")
                }
                #expect(
                    !text.contains("form+canary") && !text.contains("c%61n") && !text.contains("dXNlcjpi"),
                    "\(text)"
                )
            }
        }
    }

    @Test("Where the secrets of a body are not known, nothing of what the provider says is repeated")
    func saysNothing() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            let filler = String(repeating: "x", count: 70_000)
            let sent = #"{"note":"\#(filler)","password":"json-canary"}"#
            try await client.send(
                "POST http://api.test/a HTTP/1.1\nHost: api.test\nContent-Type: application/json\n"
                    + "Content-Length: \(sent.utf8.count)\n\n"
            )
            try await client.sendBytes(ByteBuffer(string: sent))
            let server = try await upstream.accept()
            _ = try await server.message()
            let body = "oauth_problem=signature_invalid&oauth_problem_advice=json-canary"
            try await server.send("HTTP/1.1 401 No\nContent-Length: \(body.utf8.count)\n\n\(body)")
            let details = try #require(try await client.message().refusal?.details)
            #expect(details.hasPrefix("Signature invalid: check") && !details.contains("It said"))
        }
    }
}
