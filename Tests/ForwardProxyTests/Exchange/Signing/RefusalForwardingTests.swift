import Foundation
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A provider's refusal goes to the client as it came, with what it means", .generousLimit, .timed)
struct RefusalForwardingTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var status: String
        var fields = "Content-Type: text/plain\n"
        var body: String
        /// The beginning of the details; nil: it is no refusal of the signature or the token.
        var details: String?

        var testDescription: String { "\(status) \(body)" }
    }

    static let answers = [
        Answer(
            status: "401 Nope",
            body: "oauth_problem=signature_invalid&oauth_problem_advice=look+at+it",
            details: "Signature invalid: check consumer_secret and the token's secret of api/default"
        ),
        Answer(
            status: "401 Unauthorized",
            fields: "ETag: \"x\"\nWWW-Authenticate: OAuth realm=\"r\", oauth_problem=\"token_expired\"\n",
            body: "",
            details: "Token refused: it is expired, revoked or unknown. Put a new one in the configuration"
        ),
        Answer(
            status: "403 Forbidden",
            fields: "Content-Type: application/json\n",
            body: #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#,
            details: "Token refused"
        ),
        Answer(
            status: "401 Unauthorized",
            fields: "Content-Type: text/xml\n",
            body: #"<?xml version="1.0"?><errors><error code="32">Could not authenticate you</error></errors>"#,
            details: "Signature invalid"
        ),
        Answer(
            status: "400 Bad Request",
            body: "oauth_problem=parameter_absent&oauth_parameters_absent=oauth_token%26oauth_nonce",
            details: "Parameters missing (oauth_token, oauth_nonce)"
        ),
        Answer(
            status: "400 Bad Request",
            fields: "Content-Type: application/json\n",
            body: #"{"message":"\"%fieldName\" is required. Enter and try again.","#
                + #""parameters":{"fieldName":"oauth_nonce"}}"#,
            details: "Parameters missing (oauth_nonce)"
        ),
        Answer(
            status: "401 Unauthorized",
            body: "<html>\n<p>log in</p>\n</html>",
            details: "The provider refuses the request and does not say why"
        ),
        Answer(status: "403 Forbidden", body: "You may not read this album.", details: nil),
        Answer(
            status: "400 Bad Request",
            fields: "Content-Type: application/json\n",
            body: #"{"error":"count must be a number"}"#,
            details: nil
        ),
        Answer(status: "404 Not Found", body: "oauth_problem=token_expired", details: nil),
        Answer(status: "500 Oops", body: "oauth_problem=token_expired", details: nil),
    ]

    @Test("Status, fields and body are the provider's own, whatever its dialect", arguments: answers)
    func forwards(answer: Answer) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            let length = "Content-Length: \(answer.body.utf8.count)\n"
            try await server.send("HTTP/1.1 \(answer.status)\n\(answer.fields)\(length)\n")
            try await server.sendBytes(ByteBuffer(string: answer.body))
            let got = try await client.message()
            #expect(got.startLine == "HTTP/1.1 \(answer.status)")
            #expect(got.body == answer.body)
            let sent = answer.fields.split(separator: "\n").map(String.init)
            #expect(Array(got.lines.dropFirst().prefix(sent.count)) == sent)
            guard let details = answer.details else {
                #expect(got["Proxy-Status"] == nil)
                return
            }
            let refusal = try #require(got.refusal)
            #expect(refusal.receivedStatus == got.status)
            #expect(refusal.details.hasPrefix(details), "\(refusal.details)")
            // It is told once: in the access log, where there is one.
            #expect(!proxy.log.text.contains("the provider refused a request"))
            let line = try await proxy.accessLogLine()
            #expect(line["status"] as? Int == Int(got.status))
            #expect(line["diagnosis"] is String)
            #expect((line["details"] as? String)?.hasPrefix(details) ?? false)
            try await proxy.expectNoSecrets()
        }
    }

    /// X's `{"errors":[{"code":135,"message":"Timestamp out of bounds."}]}`.
    private static let compressed =
        "H4sIAAAAAAACA6tWSi0qyi8qVrKKrlZKzk9JVbIyNDbVUcpNLS5OTAfylEIygeySxNwChfzSEoX8NIWk/NK8lGI9pdrYWgA5a+ncPgAAAA=="

    @Test(
        "A body with a content coding is read, where it can be, and goes on byte for byte",
        arguments: [
            (compressed, "gzip", "Timestamp refused"), (compressed, "br", "The provider refuses the request"),
            (String(compressed.prefix(40)), "gzip", "The provider refuses the request"),
        ]
    )
    func forwardsCoded(base64: String, coding: String, details: String) async throws {
        let body = ByteBuffer(bytes: try #require(Data(base64Encoded: base64)))
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send(
                "HTTP/1.1 401 No\nContent-Encoding: \(coding)\nContent-Length: \(body.readableBytes)\n\n"
            )
            try await server.sendBytes(body)
            let got = try await client.message()
            #expect(got.body == body.latin1)
            #expect(got["Content-Encoding"] == coding)
            #expect(got.refusal?.details.hasPrefix(details) == true, "\(got.lines)")
        }
    }

    @Test("The refusal of a HEAD has no body, and the connections go on")
    func forwardsHead() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(RunningProxy.request("HEAD"))
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send(
                "HTTP/1.1 401 No\nContent-Length: 100\nWWW-Authenticate: OAuth oauth_problem=\"nonce_used\"\n\n"
            )
            let got = try await client.message(hasBody: false)
            #expect(got["Content-Length"] == "100")
            #expect(got.refusal?.details.hasPrefix("Nonce used") == true)
            try await client.send(plainGet)
            _ = try await server.message(hasBody: false)
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            #expect(try await client.message().body == "ok")
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A refusal in chunks keeps its trailers")
    func forwardsChunked() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send(
                "HTTP/1.1 401 No\nTransfer-Encoding: chunked\nTrailer: X-Sum\n\ne\noauth_problem=\nd\ntoken_revoked\n"
                    + "0\nX-Sum: 1\n\n"
            )
            let got = try await client.message()
            #expect(got.body == "oauth_problem=token_revoked")
            #expect(got.trailers == ["X-Sum: 1"])
            #expect(got.refusal?.details.hasPrefix("Token refused") == true)
        }
    }

    @Test("A refusal that ends with its connection reaches clients of both versions", arguments: ["1.0", "1.1"])
    func forwardsUntilClose(version: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("GET http://api.test/ HTTP/\(version)\nHost: api.test\n\n")
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send("HTTP/1.1 401 No\n\noauth_problem=token_revoked")
            await server.close()
            let got = try await client.message()
            #expect(got.body == "oauth_problem=token_revoked")
            #expect(got.refusal?.details.hasPrefix("Token refused") == true)
        }
    }

    @Test("A Proxy-Status of the provider's own stays in front of ours, and interim responses before it go on")
    func keepsProxyStatus() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send(
                "HTTP/1.1 103 Early Hints\nLink: </a>\n\n"
                    + "HTTP/1.1 401 No\nProxy-Status: cdn; error=http_request_denied\nContent-Length: 0\n\n"
            )
            let hints = try await client.head()
            #expect(hints.lines == ["HTTP/1.1 103 Early Hints", "Link: </a>"])
            let got = try await client.message()
            #expect(got.values("Proxy-Status").first == "cdn; error=http_request_denied")
            #expect(got.values("Proxy-Status").count == 2)
            #expect(got.refusal?.receivedStatus == 401)
        }
    }

    @Test("Pipelined requests behind a refusal get their own answers, in order")
    func forwardsPipelined() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(["/a", "/b", "/c"].map { RunningProxy.request("GET", $0) }.joined())
            let server = try await upstream.accept()
            for (path, status) in [("/a", 401), ("/b", 200), ("/c", 403)] {
                #expect(try await server.message(hasBody: false).target == path)
                let body = "oauth_problem=token_rejected&path=\(path)"
                try await server.send("HTTP/1.1 \(status) X\nContent-Length: \(body.utf8.count)\n\n\(body)")
                let got = try await client.message()
                #expect(got.status == status)
                #expect(got.body == body)
                #expect(got.refusal?.receivedStatus == (status == 200 ? nil : status))
            }
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("An Authorization of the client's own that is refused is not ours to explain")
    func leavesOthersAlone() async throws {
        try await RunningProxy.withPlainUpstream({ $0.apis[0].existingAuthorization = .keep }) { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(RunningProxy.request(fields: "Authorization: Bearer mine\n"))
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send("HTTP/1.1 401 No\nContent-Length: 27\n\noauth_problem=token_expired")
            let got = try await client.message()
            #expect(got.body == "oauth_problem=token_expired")
            #expect(got["Proxy-Status"] == nil)
        }
    }

    @Test("What a provider echoes of our secrets goes to the client with its body, and into no log or field")
    func scrubsEchoes() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            let body =
                "oauth_problem=signature_invalid&oauth_problem_advice=the+key+is+hidden-client-secret%26hidden-token-secret"
            try await server.send("HTTP/1.1 401 No\nContent-Length: \(body.utf8.count)\n\n\(body)")
            let got = try await client.message()
            #expect(got.body == body)
            #expect(got.refusal?.details.contains("hidden") == false)
            try await proxy.expectNoSecrets()
        }
    }
}
