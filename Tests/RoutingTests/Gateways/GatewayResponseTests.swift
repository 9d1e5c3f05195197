import Testing

@testable import Routing

@Suite("A response through a gateway")
struct GatewayResponseTests {
    private static let api = ["api.example.com"]

    @Test(
        "has a reference of its own when it leads to the upstream",
        arguments: [
            (api, "https://api.example.com/a?b", "/a?b"), (api, "https://api.example.com", ""),
            (api, "HTTPS://API.Example.Com:443/a", "/a"),
            (api, "http://api.example.com/a", "/a"),
            (api, "http://api.example.com:443/a", "/a"),
            (api, "//api.example.com/a#b", "/a#b"), (api, "https://api.example.com?q", "?q"),
            (api, "https://api.example.com#f", "#f"),
            (api, "https://api.example.com:8443/a", nil), (api, "/a", nil),
            (api, "a", nil), (api, "", nil), (api, "?q", nil),
            (api, "https://www.example.com/a", nil),
            (api, "https://api.example.com.evil.example/", nil),
            (api, "https://api.example.com@evil.example/", nil),
            (api, "https://u:p@api.example.com/", nil), (api, "ftp://api.example.com/", nil),
            (api, "https:/api.example.com/a", nil), (api, "///a", nil),
            (["api.example.com", "b.example.com"], "https://b.example.com/a", nil),
            (["api.example.com:8443"], "https://api.example.com:8443/a", "/a"),
            (["api.example.com:8443"], "https://api.example.com/a", nil),
            (["api.example.com:8443"], "http://api.example.com/a", nil),
            (["api.example.com:443"], "https://api.example.com/a", "/a"),
            (["api.example.com:443"], "//api.example.com/a", "/a"),
            (["api.example.com:443"], "http://api.example.com/a", nil),
            (["[2001:DB8::1]"], "https://[2001:db8:0::1]/a", "/a"),
        ] as [([String], String, String?)]
    )
    func references(_ hosts: [String], _ reference: String, _ rest: String?) throws {
        let gateway = try GatewayDecisionTests.gateway(hosts)
        let offset = gateway.pathOffset(ofReference: reference.utf8Span.span)
        #expect(offset.map { String(decoding: reference.utf8.dropFirst($0), as: UTF8.self) } == rest)
    }

    @Test(
        "loses the Domain of a cookie that covers the upstream, and no other",
        arguments: [
            ("a=b; Domain=api.example.com; Path=/", "a=b; Path=/"), ("a=b;domain=.example.com", "a=b"),
            ("a=b; DOMAIN = Example.COM ;Secure", "a=b;Secure"), ("a=b; Domain=api.example.com; Domain=.com", "a=b"),
            ("a=b; Path=/; Domain=example.com; HttpOnly; SameSite=Lax", "a=b; Path=/; HttpOnly; SameSite=Lax"),
            (";Domain=example.com", ""), ("a=b;;Domain=example.com;", "a=b;;"),
            ("a=b; Path=/", nil), ("a=b", nil), ("", nil), (";", nil), ("Domain=example.com; Path=/", nil),
            ("a=b; Domain=other.example.com", nil), ("a=b; Domain=xample.com", nil), ("a=b; Domain=", nil),
            ("a=b; Domain=.", nil), ("a=b; Domain", nil), ("a=b; Domains=example.com", nil),
            ("a=b; Domain=x.api.example.com", nil), ("a=b; Domain=example.com.evil.example", nil),
        ] as [(String, String?)]
    )
    func cookies(_ cookie: String, _ expected: String?) throws {
        let gateway = try GatewayDecisionTests.gateway()
        let found = gateway.withoutDomain(cookie: cookie.utf8Span.span)
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("keeps a cookie's bytes, whatever they are")
    func bytes() throws {
        let gateway = try GatewayDecisionTests.gateway()
        let cookie = Array("a=\u{E9}".utf8) + [0xFF] + Array("; Domain=example.com; x=".utf8) + [0xFE]
        let expected = Array("a=\u{E9}".utf8) + [0xFF] + Array("; x=".utf8) + [0xFE]
        #expect(gateway.withoutDomain(cookie: cookie.span) == expected)
    }
}
