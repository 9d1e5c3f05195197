import Bytes
import Foundation
import NIOCore
import OAuthSigning
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A gateway", .generousLimit, .timed)
struct GatewayTests {
    static let answer = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"

    /// An access policy with one client.
    static let clients = AccessPolicy(clients: [
        Client(name: "billing") { $0.count == 5 && $0[0] == UInt8(ascii: "r") }
    ])

    static func basic(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }

    @Test("Requests go to the API's first host over TLS, signed, whatever Host said")
    func signs() async throws {
        try await RunningProxy.withGateway {
            $0.apis[0].hosts = ["api.test", "other.test"]
        } _: { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET /a?b=c HTTP/1.1\nHost: localhost:\(proxy.gatewayPort())\nX-Own: 1\n\n")
            let server = try await upstream.accept()
            let request = try await server.head()
            #expect(request.startLine == "GET /a?b=c HTTP/1.1")
            #expect(request["Host"] == "api.test")
            #expect(request["X-Own"] == "1")
            #expect(throws: Never.self) { try verify(request, scheme: .https) }
            try await server.send(Self.answer)
            let response = try await client.message()
            #expect(response.status == 200)
            #expect(response.body == "ok")
            let line = try await proxy.accessLogLine()
            #expect(line["authority"] as? String == "api.test")
            #expect(line["account"] as? String == "default")
        }
    }

    @Test("Several requests go through one connection, in absolute-form too; the answer to HEAD has no body")
    func keepsConnections() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            let own = "127.0.0.1:\(try proxy.gatewayPort())"
            var server: Wire?
            for (target, sent) in [("/1", "/1"), ("http://\(own)/2", "/2"), ("http://\(own)", "/")] {
                try await client.send("HEAD \(target) HTTP/1.1\nHost: \(own)\n\n")
                if server == nil { server = try await upstream.accept() }
                let request = try await #require(server).head()
                #expect(request.startLine == "HEAD \(sent) HTTP/1.1")
                #expect(request["Host"] == "api.test")
                try await server?.send("HTTP/1.1 200 OK\nContent-Length: 2\n\n")
                #expect(try await client.message(hasBody: false).status == 200)
            }
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("A Host of the upstream's length is replaced all the same")
    func replacesHostOfSameLength() async throws {
        try await RunningProxy.withGateway {
            $0.apis[0].gateway = GatewaySettings(hosts: ["own.test"])
        } _: { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET / HTTP/1.1\nHost: own.test\n\n")
            let server = try await upstream.accept()
            #expect(try await server.head()["Host"] == "api.test")
            try await server.send(Self.answer)
            #expect(try await client.message().status == 200)
        }
    }

    @Test("A client that speaks HTTP/1.0 need not name the gateway")
    func servesHTTP10() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET /old HTTP/1.0\n\n")
            let server = try await upstream.accept()
            #expect(try await server.head()["Host"] == "api.test")
            try await server.send("HTTP/1.1 302 Found\nLocation: https://api.test/new\nContent-Length: 0\n\n")
            let response = try await client.message()
            #expect(response["Location"] == "http://127.0.0.1:\(try proxy.gatewayPort())/new")
        }
    }

    @Test("A form that is sent to it is signed with its parameters")
    func signsForms() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            let fields = "Content-Type: application/x-www-form-urlencoded\nContent-Length: 5\nExpect: 100-continue\n"
            try await client.send("POST /form HTTP/1.1\nHost: 127.0.0.1\n\(fields)\n")
            #expect(try await client.head().status == 100)
            try await client.send("a=1+2")
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request.body == "a=1+2")
            #expect(throws: Never.self) { try verify(request, scheme: .https) }
            try await server.send(Self.answer)
            #expect(try await client.message().status == 200)
        }
    }

    // MARK: Refusals

    @Test(
        "What is no request for it is refused, and reaches nobody",
        arguments: [
            ("GET / HTTP/1.1\nHost: evil.example\n\n", 421, "http_request_error", true),
            ("GET / HTTP/1.1\nHost: api.test\n\n", 421, "http_request_error", true),
            ("GET http://api.test/ HTTP/1.1\nHost: api.test\n\n", 421, "http_request_error", true),
            ("GET / HTTP/1.1\nHost: 127.0.0.1\nOrigin: https://evil.example\n\n", 403, "http_request_denied", true),
            ("GET / HTTP/1.1\nHost: 127.0.0.1\nOrigin: null\n\n", 403, "http_request_denied", true),
            (
                "GET / HTTP/1.1\nHost: 127.0.0.1\nOrigin: http://127.0.0.1\nOrigin: http://127.0.0.1\n\n", 403,
                "http_request_denied", true
            ),
            ("GET / HTTP/1.1\nHost: 127.0.0.1\nsec-fetch-site: cross-site\n\n", 403, "http_request_denied", true),
            (
                "GET / HTTP/1.1\nHost: 127.0.0.1\nSec-Fetch-Site: none\nSec-Fetch-Site: cross-site\n\n", 403,
                "http_request_denied", true
            ),
            ("GET / HTTP/1.1\nHost: 127.0.0.1\nParaph-Account: nobody\n\n", 403, "http_request_denied", true),
            ("TRACE / HTTP/1.1\nHost: 127.0.0.1\n\n", 501, "http_request_error", true),
            ("trace / HTTP/1.1\nHost: 127.0.0.1\n\n", 501, "http_request_error", true),
            ("Connect / HTTP/1.1\nHost: 127.0.0.1\n\n", 501, "http_request_error", true),
            (
                "GET / HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Basic YTpi\nAuthorization: Basic YTpi\n\n", 400,
                "http_request_error", false
            ),
            ("CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n\n", 400, "http_request_error", false),
            ("GET / HTTP/1.1\n\n", 400, "http_request_error", false),
            ("\u{16}\u{3}\u{1}\n", 400, "http_request_error", false),
        ]
    )
    func refuses(_ request: String, _ status: Int, _ error: String, _ goesOn: Bool) async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send(request)
            let answer = try await client.message()
            #expect(answer.status == status)
            #expect(answer.proxyError == error)
            #expect((answer["Connection"] == "close") == !goesOn)
            #expect(upstream.connectionCount == 0)
            #expect(answer.body.contains("HTTPS_PROXY") == request.hasPrefix("CONNECT"))
        }
    }

    @Test("A client that speaks TLS to it is told that it is a gateway")
    func tellsOfTLS() async throws {
        try await RunningProxy.withGateway { proxy, _ in
            let client = try await proxy.connectToGateway()
            try await client.send("\u{16}\u{3}\u{1}\n")
            #expect(try await client.message().body.contains("gateway"))
        }
    }

    // MARK: Clients

    @Test("Where clients are configured, it asks for their password as a server does")
    func asksForPassword() async throws {
        try await RunningProxy.withGateway {
            $0.access = Self.clients
        } _: { proxy, upstream in
            for fields in ["", "Authorization: \(Self.basic("billing:wrong"))\n", "Authorization: Bearer right\n"] {
                let answer = try await proxy.answerOfGateway(fields: fields)
                #expect(answer.status == 401)
                #expect(answer["WWW-Authenticate"] == #"Basic realm="paraph", charset="UTF-8""#)
                #expect(answer["Proxy-Authenticate"] == nil)
            }
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test(
        "A client's password goes no further, whatever becomes of other Authorization fields",
        arguments: APISettings.ExistingAuthorization.allCases
    )
    func consumesPassword(_ existing: APISettings.ExistingAuthorization) async throws {
        try await RunningProxy.withGateway {
            $0.access = Self.clients
            $0.apis[0].existingAuthorization = existing
        } _: { proxy, upstream in
            async let answer = proxy.answerOfGateway(fields: "Authorization: \(Self.basic("billing:right"))\n")
            let server = try await upstream.accept()
            let request = try await server.head()
            #expect(request["Authorization"]?.hasPrefix("OAuth ") == true)
            try await server.send(Self.answer)
            #expect(try await answer.status == 200)
            let line = try await proxy.accessLogLine()
            #expect(line["client"] as? String == "billing")
        }
    }

    @Test(
        "An Authorization field beside Proxy-Authorization is the client's own for the API",
        arguments: [
            (APISettings.ExistingAuthorization.replace, "OAuth"), (.keep, "Bearer"), (.refuse, nil),
        ] as [(APISettings.ExistingAuthorization, String?)]
    )
    func keepsOwnAuthorization(_ existing: APISettings.ExistingAuthorization, _ scheme: String?) async throws {
        try await RunningProxy.withGateway {
            $0.access = Self.clients
            $0.apis[0].existingAuthorization = existing
        } _: { proxy, upstream in
            let fields = "Proxy-Authorization: \(Self.basic("billing:right"))\nAuthorization: Bearer mine\n"
            async let answer = proxy.answerOfGateway(fields: fields)
            guard let scheme else {
                async let _ = upstream.answerNext()
                #expect(try await answer.status == 403)
                return #expect(upstream.connectionCount == 0)
            }
            let server = try await upstream.accept()
            let request = try await server.head()
            #expect(request["Authorization"]?.hasPrefix("\(scheme) ") == true)
            #expect(request["Proxy-Authorization"] == nil)
            try await server.send(Self.answer)
            #expect(try await answer.status == 200)
        }
    }
}
