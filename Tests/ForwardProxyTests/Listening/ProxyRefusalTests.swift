import Bytes
import NIOCore
import OAuthSigning
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Requests that the proxy refuses", .generousLimit, .timed)
struct ProxyRefusalTests {
    @Test(
        "Malformed requests are refused, and the connection closed",
        arguments: [
            ("GET http://api.test/\n\n", 400), ("GET  http://api.test/ HTTP/1.1\nHost: api.test\n\n", 400),
            ("GET http://api.test/ HTTP/1.1\n\n", 400), ("GET http://api.test/ HTTP/1.1\nHost: a\nHost: a\n\n", 400),
            ("GET http://api.test/ HTTP/1.1\nHost : api.test\n\n", 400),
            ("GET http://api.test/ HTTP/1.1\nHost: api.test\n folded\n\n", 400),
            ("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 1\nTransfer-Encoding: chunked\n\n", 400),
            ("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 1, 2\n\n", 400),
            ("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: -1\n\n", 400),
            ("POST http://api.test/ HTTP/1.1\nHost: api.test\nTransfer-Encoding: gzip, chunked\n\n", 501),
            ("GET http://api.test/ HTTP/2.0\nHost: api.test\n\n", 505),
            ("GET http://user@api.test/ HTTP/1.1\nHost: api.test\n\n", 400), ("\u{16}\u{3}\u{1}\n", 400),
            ("GET / HTTP/1.1\nHost: api.test\n\n", 400), ("CONNECT api.test HTTP/1.1\nHost: api.test\n\n", 400),
        ]
    )
    func refusesMalformed(request: String, status: Int) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(request + plainGet)
            let answer = try await client.message()
            #expect(answer.status == status)
            #expect(answer.proxyError == "http_request_error")
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(answer["Connection"] == "close")
            #expect(try await client.rest().received.isEmpty)
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("A chunk that is malformed in the middle of a body is refused, and the upstream's request cut")
    func refusesMalformedChunk() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\n\n1\na\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            #expect(try await server.bytes(6) == "1\r\na\r\n")
            try await client.send("x\n")
            let answer = try await client.message()
            #expect(answer.status == 400)
            #expect(answer.proxyError == "http_request_error")
            #expect(try await server.rest().received.isEmpty)
        }
    }

    @Test("A header block over the limit is refused", arguments: [false, true])
    func refusesLargeHeader(isOneField: Bool) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.header = 2048
        } _: { proxy, upstream in
            let field =
                isOneField ? "X: \(String(repeating: "x", count: 4000))\n" : String(repeating: "X: y\n", count: 400)
            let answer = try await proxy.answer(to: "GET http://api.test/ HTTP/1.1\nHost: api.test\n\(field)\n")
            #expect(answer.status == 431)
            #expect(answer.proxyError == "http_request_error")
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("As many field lines as go with limits.header pass")
    func passesManyFields() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.header = 128 * 1024
        } _: { proxy, upstream in
            func request(_ fields: Int) -> String {
                "GET http://api.test/ HTTP/1.1\nHost: api.test\n\(String(repeating: "X: y\n", count: fields))\n"
            }
            let client = try await proxy.connect()
            try await client.send(request(511))
            #expect(try await upstream.accept().head().lines.filter { $0 == "X: y" }.count == 511)
            let answer = try await proxy.answer(to: request(512))
            #expect(answer.status == 431)
            #expect(answer.body.contains("It is 512, one for 256 bytes of limits.header"))
        }
    }

    @Test("Beside an absolute-form a Host field counts for nothing: what is signed and sent is the target's")
    func ignoresHost() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.apis[0].hosts = ["api.test", "other.test"]
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            var server: Wire?
            // As long as the target's, too, and the same one again.
            for host in ["other.test", "apx.test", "api.test", "API.TEST", "api.test:8443", "other.test"] {
                try await client.send("GET http://api.test/ HTTP/1.1\nHost: \(host)\n\n")
                let connection: Wire
                if let server { connection = server } else { connection = try await upstream.accept() }
                server = connection
                let request = try await connection.message(hasBody: false)
                #expect(request["Host"]?.lowercased() == "api.test")
                _ = try verify(request, scheme: .http)
                try await connection.send("HTTP/1.1 204 No Content\n\n")
                #expect(try await client.message().status == 204)
            }
        }
    }

    @Test("A Host that names another host is misdirected inside an interception")
    func refusesMisdirected() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.apis[0].hosts = ["api.test", "other.test"]
        } _: { proxy, upstream in
            let client = try await proxy.intercept()
            for host in ["other.test", "api.test:8443"] {
                try await client.send("GET / HTTP/1.1\nHost: \(host)\n\n")
                let inside = try await client.message()
                #expect(inside.status == 421)
                #expect(inside.proxyError == "http_request_error")
            }
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test(
        "Accounts that cannot be told or may not be used are refused",
        arguments: [
            ("Paraph-Account: nobody\n", 403), ("Paraph-Account: default\nParaph-Account: default\n", 400),
            ("Proxy-Authorization: Basic bm9ib2R5Og==\n", 403), ("Proxy-Authorization: Basic !\n", 400),
        ]
    )
    func refusesAccount(fields: String, status: Int) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let answer = try await proxy.answer(to: "GET http://api.test/ HTTP/1.1\nHost: api.test\n\(fields)\n")
            #expect(answer.status == status)
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test(
        "A field that says who asks is refused when it is repeated, with CONNECT and without",
        arguments: ["Paraph-Account: default\n", "Proxy-Authorization: Basic ZGVmYXVsdDo=\n"]
    )
    func refusesRepeatedField(field: String) async throws {
        try await ScriptedProvider.with(answer: { _, _ in ScriptedProvider.answer("200 OK") }) { provider in
            try await RunningProxy.with(ProxySetup(plain: provider.upstream)) { proxy in
                #expect(try await proxy.answer(to: RunningProxy.request(fields: field)).status == 200)
                for request in [
                    RunningProxy.request(fields: field + field),
                    "CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n\(field + field)\n",
                ] {
                    let answer = try await proxy.answer(to: request, hasBody: false)
                    #expect(answer.status == 400)
                    #expect(answer.proxyError == "http_request_error")
                }
                #expect(provider.count("/") == 1)
            }
        }
    }

    @Test("Clients that are not known are asked who they are, with CONNECT and without")
    func asksForCredentials() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(clients: [Self.billing])
        } _: { proxy, upstream in
            for request in [plainGet, "CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n\n"] {
                let answer = try await proxy.answer(to: request)
                #expect(answer.status == 407)
                #expect(answer["Proxy-Authenticate"]?.hasPrefix("Basic ") == true)
                #expect(answer.proxyError == "http_request_denied")
            }
            let client = try await proxy.connect()
            // billing:pass
            try await client.send(
                "GET http://api.test/ HTTP/1.1\nHost: api.test\nProxy-Authorization: Basic YmlsbGluZzpwYXNz\n\n"
            )
            let request = try await upstream.accept().head()
            #expect(request["Proxy-Authorization"] == nil)
        }
    }

    private static let billing = Client(name: "billing") { password in
        let expected = Array("pass".utf8)
        guard password.count == expected.count else { return false }
        return expected.indices.allSatisfy { password[$0] == expected[$0] }
    }

    @Test("An address in a denied network is not connected to, for APIs and for other hosts")
    func refusesDeniedNetworks() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = AccessPolicy(networks: NetworkPolicy(denied: [try IPNetwork("127.0.0.0/8")]))
        } _: { proxy, upstream in
            for host in ["api.test", "localhost:\(upstream.port)"] {
                let answer = try await proxy.answer(to: "GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
                // localhost may have an address of IPv6 too, where nothing listens.
                #expect(answer.status == 403 || (host != "api.test" && answer.status == 502))
            }
            let answer = try await proxy.answer(to: plainGet)
            #expect(answer.proxyError == "destination_ip_prohibited")
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("A name that does not resolve is a bad gateway")
    func tellsUnresolvedName() async throws {
        try await RunningProxy.withPlainUpstream { proxy, _ in
            let host = "nowhere.invalid"
            let answer = try await proxy.answer(to: "GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
            #expect(answer.status == 502)
            #expect(answer.proxyError == "dns_error")
            #expect(answer.body.contains(host))
        }
    }

    @Test("A port where nothing listens is a bad gateway, and the connection serves on")
    func tellsRefusedPort() async throws {
        try await UnusedPort.with { port in
            try await RunningProxy.with(ProxySetup(apis: [ProxySetup.API(port: port)])) { proxy in
                let client = try await proxy.connect()
                for _ in 0..<2 {
                    try await client.send(plainGet)
                    let answer = try await client.message()
                    #expect(answer.status == 502)
                    #expect(answer.proxyError == "connection_refused")
                }
            }
        }
    }

    @Test("A connection over the limit is told so, and one that ends makes room")
    func limitsConnections() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 1
        } _: { proxy, upstream in
            let first = try await proxy.connect()
            try await first.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            let refused = try await proxy.answer(to: plainGet)
            #expect(refused.status == 503)
            #expect(refused.proxyError == "connection_limit_reached")
            #expect(refused["Retry-After"] != nil)
            try await server.send("HTTP/1.1 204 No Content\nConnection: close\n\n")
            #expect(try await first.head().status == 204)
        }
    }
}
