import Bytes
import HTTP1Codec
import NIOCore
import Testing

@testable import Routing

@Suite("The route of a request")
struct RequestRouteTests {
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
    ) throws -> RequestRoute {
        let head = try RequestHead("GET", target, ["Host": host])
        let router = try router(scheme, hosts: hosts)
        var known: KnownOrigin?
        let route = try router.decide(absolute: head, known: &known)
        let next = try router.decide(absolute: head, known: &known)
        #expect(next.host == route.host && next.replacesHost == route.replacesHost)
        #expect(next.requestTarget == route.requestTarget && next.authority == route.authority)
        return next
    }

    private func inside(_ connect: String, target: String, host: String) throws -> RequestRoute {
        let router = try router(.https, hosts: ["api.test", "[::1]:8443"])
        let interception = try #require(router.connect(connect).interception)
        return try #require(try router.inside(interception, target, host: host).route)
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
        #expect(route.api?.index == 0 && route.account?.index == 0)
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

    @Test("A host of no API is passed on unsigned")
    func passesOn() throws {
        let route = try absolute("http://Elsewhere.test/x?y", host: "elsewhere.test")
        #expect(route.api == nil && route.account == nil)
        #expect(route.scheme == .http)
        #expect(String(buffer: route.host) == "elsewhere.test")
        #expect(String(buffer: route.requestTarget) == "/x?y")
    }
}
