import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing
import Testing

@testable import ForwardProxy

@Suite("Where a request goes")
struct ExchangeRouteTests {
    private struct Unforwarded: Error {}

    private func router(_ scheme: URIScheme, hosts: [String]) throws -> Router {
        let route = APIRoute(
            index: 0,
            name: "api",
            hosts: try hosts.map { try HostPattern($0) },
            accounts: ["default"],
            upstreamScheme: scheme
        )
        return Router(apis: APITable([route]), access: AccessPolicy())
    }

    private func absolute(
        _ target: String,
        host: String?,
        scheme: URIScheme = .https,
        hosts: [String] = ["api.test", "[::1]:8443", "other.test:8443"]
    ) throws -> ExchangeRoute {
        let fields = host.map { "Host: \($0)\n" } ?? ""
        let head = try requestHead("GET \(target) HTTP/1.\(host == nil ? 0 : 1)\n\(fields)\n")
        let router = try router(scheme, hosts: hosts)
        var known: KnownOrigin?
        func decide() -> RequestDecision {
            router.decide(absolute: head, known: &known)
        }
        switch decide() {
        case .forward(let forwarding):
            let route = ExchangeRoute(forwarding: forwarding, head: head)
            guard case .forward(let again) = decide() else { throw Unforwarded() }
            let next = ExchangeRoute(forwarding: again, head: head)
            #expect(next.host == route.host && next.replacesHost == route.replacesHost)
            #expect(next.requestTarget == route.requestTarget && next.target == route.target)
            return next
        case .pass(let authority, let offset, let client):
            return ExchangeRoute(passing: head, to: authority, originOffset: offset, client: client)
        case .refuse: throw Unforwarded()
        }
    }

    private func inside(_ connect: String, target: String, host: String) throws -> ExchangeRoute {
        let router = try router(.https, hosts: ["api.test", "[::1]:8443"])
        let decision = router.decide(connect: ByteBuffer(string: connect), proxyAuthorization: nil)
        guard case .intercept(let interception) = decision else { throw Unforwarded() }
        let head = try requestHead("GET \(target) HTTP/1.1\nHost: \(host)\n\n")
        let request = router.decide(inside: interception, head)
        guard case .forward(let forwarding) = request else { throw Unforwarded() }
        return ExchangeRoute(forwarding: forwarding, head: head)
    }

    @Test(
        "A Host field that names the authority stays as the client wrote it",
        arguments: [
            ("api.test:443", "api.test", "api.test"), ("api.test:443", "API.Test", "API.Test"),
            ("api.test:443", "api.test:443", "api.test:443"), ("[::1]:8443", "[::1]:8443", "[::1]:8443"),
            ("[::1]:8443", "[0:0::1]:8443", "[0:0::1]:8443"),
        ]
    )
    func keepsHost(connect: String, host: String, sent: String) throws {
        let route = try inside(connect, target: "/", host: host)
        #expect(!route.replacesHost)
        #expect(String(buffer: route.host) == sent)
        #expect(route.scheme == .https)
    }

    @Test(
        "A Host field that means another port upstream is replaced",
        arguments: [
            ("http://api.test/x", "api.test", false, "api.test"),
            ("http://api.test:80/x", "api.test:80", true, "api.test"),
            ("http://api.test/x", "api.test:80", true, "api.test"),
            ("https://api.test/x", "api.test:443", false, "api.test:443"),
            ("http://other.test:8443/x", "other.test:8443", false, "other.test:8443"),
            ("http://[::1]:8443/x", "[::1]:8443", false, "[::1]:8443"),
        ]
    )
    func replacesHost(target: String, host: String, replaces: Bool, sent: String) throws {
        let route = try absolute(target, host: host)
        #expect(route.replacesHost == replaces)
        #expect(String(buffer: route.host) == sent)
        #expect(String(buffer: route.requestTarget) == "/x")
        #expect(route.account == AccountReference.configured(api: 0, account: 0))
    }

    @Test("A request without a Host field gets the authority's")
    func addsHost() throws {
        let route = try absolute("http://api.test/x", host: nil)
        #expect(route.replacesHost)
        #expect(String(buffer: route.host) == "api.test")
    }

    @Test("An API in clear text is signed as http, on port 80")
    func signsClearText() throws {
        let route = try absolute("http://api.test/x", host: "api.test", scheme: .http)
        #expect(route.scheme == .http)
        #expect(route.authority.port == 80)
        #expect(!route.replacesHost)
    }

    @Test(
        "The target is sent from its path on, byte for byte",
        arguments: [
            ("http://api.test", "/"), ("http://api.test/", "/"), ("http://api.test?a=b", "/?a=b"),
            ("http://api.test/a%2fB/../c?d=http://e/", "/a%2fB/../c?d=http://e/"), ("http://api.test//x", "//x"),
        ]
    )
    func takesOriginForm(target: String, sent: String) throws {
        #expect(String(buffer: try absolute(target, host: "api.test").requestTarget) == sent)
    }

    @Test(
        "Inside an interception the target stays, and absolute-form becomes origin-form",
        arguments: [("/a?b", "/a?b"), ("https://api.test/a?b", "/a?b"), ("https://api.test:443", "/")]
    )
    func takesTargetInside(target: String, sent: String) throws {
        let route = try inside("api.test:443", target: target, host: "api.test")
        #expect(String(buffer: route.requestTarget) == sent)
    }

    @Test("A host of no API is passed on unsigned, on connections of its own kind")
    func passesOn() throws {
        let route = try absolute("http://Elsewhere.test/x?y", host: "elsewhere.test")
        #expect(route.account == nil)
        #expect(route.target.kind == .plain)
        #expect(String(buffer: route.host) == "elsewhere.test")
        #expect(String(buffer: route.requestTarget) == "/x?y")
    }
}
