import Bytes
import Credentials
import LocalAuthority
import NIOCore
import OAuthSigning
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Requests are signed on their way", .generousLimit, .timed)
struct SignedExchangeTests {
    @Test("An intercepted GET arrives signed over TLS, and its answer comes back")
    func signsInterceptedGet() async throws {
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity(ServerIdentity.shared.get()))
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let client = try await proxy.intercept()
            try await client.send("GET /1.1/a%2Fb?c=d&c=%20+&e HTTP/1.1\nHost: api.test\nX: y\n\n")
            let server = try await upstream.accept()
            let request = try await server.message(hasBody: false)
            #expect(request.target == "/1.1/a%2Fb?c=d&c=%20+&e")
            #expect(request["Host"] == "api.test")
            #expect(request["X"] == "y")
            #expect(request["Via"] == "1.1 paraph")
            let verified = try verify(request, scheme: .https)
            #expect(verified.token == ProxySetup.Secrets.token.token)
            try await server.send("HTTP/1.1 200 Fine\nContent-Length: 2\n\nok")
            let answer = try await client.message()
            #expect(answer.startLine == "HTTP/1.1 200 Fine")
            #expect(answer.body == "ok")
            #expect(answer["Via"] == "1.1 paraph")
        }
        await upstream.stop()
    }

    @Test("An absolute-form http:// request is signed as https and goes over TLS")
    func signsAbsoluteForm() async throws {
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity(ServerIdentity.shared.get()))
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://api.test:80/x?y=z HTTP/1.1\nHost: api.test:80\n\n")
            let server = try await upstream.accept()
            let request = try await server.message(hasBody: false)
            #expect(request.target == "/x?y=z")
            #expect(request["Host"] == "api.test")
            _ = try verify(request, scheme: .https)
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.message().status == 204)
        }
        await upstream.stop()
    }

    @Test("Bytes of the handshake that come along with CONNECT are not lost")
    func takesEarlyHandshake() async throws {
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity(ServerIdentity.shared.get()))
        try await RunningProxy.with(ProxySetup(secure: upstream)) { proxy in
            let client = try await proxy.connect()
            // Nothing is flushed before the first bytes of the handshake are.
            client.channel.write(
                ByteBuffer(string: "CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n"),
                promise: nil
            )
            try await client.startTLS(
                host: "api.test",
                trusting: RunningProxy.authority.get().certificatePEM,
                skipsConnectAnswer: true
            )
            try await client.send("GET / HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            let request = try await server.message(hasBody: false)
            #expect(throws: Never.self) { try verify(request, scheme: .https) }
        }
        await upstream.stop()
    }

    @Test("A form is collected, signed, and arrives as it was sent")
    func signsForm() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                """
                POST http://api.test/x?q=1 HTTP/1.1
                Host: api.test
                Content-Type: Application/X-WWW-Form-Urlencoded; charset=UTF-8
                Content-Length: 15


                """
            )
            try await client.send("a=1&b=%20+")
            try await client.send("&a=~z")
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request.body == "a=1&b=%20+&a=~z")
            #expect(request["Content-Length"] == "15")
            _ = try verify(request, scheme: .http)
        }
        await upstream.stop()
    }

    @Test("A chunked form is sent on with a length; one with trailers as it came", arguments: ["", "X-Sum: 1\r\n"])
    func signsChunkedForm(trailers: String) async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                """
                POST http://api.test/x HTTP/1.1
                Host: api.test
                Content-Type: application/x-www-form-urlencoded
                Transfer-Encoding: chunked

                3
                a=1
                4;ext
                &b=2
                0
                \(trailers)

                """
            )
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request.body == "a=1&b=2")
            #expect(request["Content-Length"] == (trailers.isEmpty ? "7" : nil))
            #expect(request["Transfer-Encoding"] == (trailers.isEmpty ? nil : "chunked"))
            _ = try verify(request, scheme: .http)
        }
        await upstream.stop()
    }

    @Test(
        "Where methods are confined, trailers that would have a framework take another one are left out",
        arguments: ["text/plain", "application/x-www-form-urlencoded"],
        ["X-HTTP-Method-Override: DELETE", "X_Http_Method_Override: DELETE"]
    )
    func overridingTrailers(type: String, trailer: String) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.apis[0].methods = ["POST"]
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            let head =
                "POST http://api.test/x HTTP/1.1\nHost: api.test\nContent-Type: \(type)\nTransfer-Encoding: chunked\n\n"
            try await client.send("\(head)3\na=1\n0\n\(trailer)\n\n")
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request.body == "a=1")
            #expect(request.trailers.isEmpty)
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
        }
    }

    @Test("A client that waits before it sends its form is told to go on, once, by the proxy")
    func answersExpectation() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                """
                POST http://api.test/x HTTP/1.1
                Host: api.test
                Content-Type: application/x-www-form-urlencoded
                Content-Length: 3
                Expect: 100-continue


                """
            )
            #expect(try await client.head().startLine == "HTTP/1.1 100 Continue")
            #expect(upstream.connectionCount == 0)
            try await client.send("a=1")
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request["Expect"] == nil)
            _ = try verify(request, scheme: .http)
            try await server.send("HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nContent-Length: 0\n\n")
            #expect(try await client.message().startLine == "HTTP/1.1 200 OK")
        }
        await upstream.stop()
    }

    @Test("A body that is not signed streams, and its Expect is the upstream's to answer")
    func passesExpectationOn() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                """
                POST http://api.test/x HTTP/1.1
                Host: api.test
                Content-Type: application/json
                Content-Length: 8
                Expect: 100-continue


                """
            )
            let server = try await upstream.accept()
            var request = try await server.head()
            #expect(request["Expect"] == "100-continue")
            try await server.send("HTTP/1.1 100 Continue\n\n")
            #expect(try await client.head().startLine == "HTTP/1.1 100 Continue")
            try await client.send(#"{"a":"#)
            #expect(try await server.bytes(5) == #"{"a":"#)
            try await client.send("1 }")
            request.body = #"{"a":"# + (try await server.bytes(3))
            _ = try verify(request, scheme: .http)
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
            #expect(try await client.message().status == 200)
        }
        await upstream.stop()
    }

    @Test(
        "A form over the limit is refused, whether its length is announced or not",
        arguments: ["Content-Length: 11\n\n", "Transfer-Encoding: chunked\n\nb\na=123456789\n0\n\n"]
    )
    func refusesLargeForm(rest: String) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].maxBody = 10
        try await RunningProxy.with(setup) { proxy in
            let answer = try await proxy.answer(
                to: "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: application/x-www-form-urlencoded\n"
                    + rest
            )
            #expect(answer.status == 413)
            #expect(answer.proxyError == "http_request_error")
            #expect(answer["Connection"] == "close")
            #expect(upstream.connectionCount == 0)
        }
        await upstream.stop()
    }

    @Test("A request that cannot be signed is refused with a reason, and not sent")
    func refusesUnsignable() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let answer = try await proxy.answer(
                to: "GET http://api.test/?oauth_nonce=mine HTTP/1.1\nHost: api.test\n\n"
            )
            #expect(answer.status == 400)
            #expect(answer.proxyError == "http_request_error")
            #expect(answer.body.contains("oauth_nonce"))
            #expect(upstream.receivedBytes == 0)
        }
        await upstream.stop()
    }

    @Test("Signatures go where the API wants them", arguments: [ParameterPlacement.query, .body])
    func placesSignature(placement: ParameterPlacement) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].scheme = .oauth1(
            OAuth1Settings(client: ProxySetup.Secrets.client, options: SigningOptions(placement: placement))
        )
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                """
                POST http://api.test/x?q=1 HTTP/1.1
                Host: api.test
                Content-Type: application/x-www-form-urlencoded
                Content-Length: 3

                a=1
                """
            )
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request["Authorization"] == nil)
            #expect(request.body.hasPrefix("a=1"))
            #expect((placement == .query ? request.target : request.body).contains("oauth_signature="))
            _ = try verify(request, scheme: .http)
        }
        await upstream.stop()
    }

    @Test("An Authorization of the client's own is replaced, kept or refused")
    func handlesExistingAuthorization() async throws {
        let upstream = try await ScriptedUpstream.start()
        let text = "GET http://api.test/ HTTP/1.1\nHost: api.test\nAuthorization: Bearer mine\n\n"
        for choice in APISettings.ExistingAuthorization.allCases {
            var setup = ProxySetup(plain: upstream)
            setup.apis[0].existingAuthorization = choice
            try await RunningProxy.with(setup) { proxy in
                if choice == .refuse {
                    #expect(try await proxy.answer(to: text).status == 403)
                    return
                }
                let client = try await proxy.connect()
                try await client.send(text)
                let request = try await upstream.accept().message(hasBody: false)
                if choice == .keep {
                    #expect(request["Authorization"] == "Bearer mine")
                } else {
                    _ = try verify(request, scheme: .http)
                }
            }
        }
        await upstream.stop()
    }

    @Test("Every request has a nonce of its own, pipelined ones too")
    func usesNonceOnce() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let client = try await proxy.connect()
            let text = "GET http://api.test/ HTTP/1.1\nHost: api.test\n\n"
            try await client.send(text + text + text)
            let server = try await upstream.accept()
            var nonces: Set<String> = []
            for _ in 0..<3 {
                let verified = try verify(try await server.message(hasBody: false), scheme: .http)
                nonces.insert(try #require(verified["oauth_nonce"]))
                try await server.send("HTTP/1.1 204 No Content\n\n")
                #expect(try await client.message().status == 204)
            }
            #expect(nonces.count == 3)
            #expect(upstream.connectionCount == 1)
        }
        await upstream.stop()
    }
}
