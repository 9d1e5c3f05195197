import HTTP1Codec
import Routing
import Testing

@Suite("An API confined to paths and methods")
struct ConfinementTests {
    private func decide(_ method: String, _ target: String) throws -> String {
        let router = try RouterFixture.router()
        let interception = try #require(router.connect("confined.example.com:443").interception)
        let inside = try router.inside(interception, method: method, target, account: "alice").words
        if target.hasPrefix("/") {
            let absolute = try router.absolute(method: method, "http://confined.example.com\(target)", account: "alice")
                .words
            #expect(inside == absolute)
        }
        return inside
    }

    @Test(
        "serves its prefixes",
        arguments: [
            "/1.1/", "/1.1/a", "/1.1/a?x=/../", "/1.1/a..b/.c/...", "/exact", "/exactly", "/1.1/a%2fb", "/1.1//x",
            "/1.1/;x=..", "/1.1/100%25", "/1.1/a%2520b", "/1.1/%e9t%c3%a9", "/1.1/%e4%b8%ad%F0%9F%98%80", "/1.1/%",
            "/1.1/%zz", "/1.1/a%01", "/1.1/a%3f../b", "/1.1/a%20", "/1.1/%20/b", "/1.1/.a%20/b", "/1.1/a%c2%a0/b",
            "/1.1/.%c3%a0/b", "/1.1/..%e3%80%81", "/1.1/..a%3fx",
            // Names in GBK and in Windows-1251, and an ellipsis.
            "/1.1/%d6%d0.%ce%c4", "/1.1/%ef%f0%e8.%e2%e5%f2", "/1.1/%e2%80%a6/a", "/1.1/%e2%88%96/a", "/1.1/%c2%a5",
            "/1.1/%u12", "/1.1/%25u12g4", "/1.1/%ef%bc%8ea", "/1.1/%e3%80%82/", "/1.1/a?%u002e%u002e/",
        ]
    )
    func permitted(_ target: String) throws {
        #expect(try decide("GET", target) == "forward confined/alice to confined.example.com:443")
    }

    @Test(
        "refuses other paths",
        arguments: ["/", "/1.1", "/2/", "/1.1%2fadmin", "/1%2e1/", "//1.1/", "/?/1.1/", "/1.10/"]
    )
    func outside(_ target: String) throws {
        #expect(try decide("GET", target) == "refuse path_not_allowed")
    }

    @Test(
        "refuses dot-segments, however they are written",
        arguments: [
            "/1.1/../admin", "/1.1/..", "/1.1/.", "/1.1/./a", "/1.1/%2e%2e/admin", "/1.1/%2E%2e", "/1.1/.%2e/x",
            "/1.1/a/%2e",
            "/1.1%2f..%2fadmin", "/1.1/%2f../x", "/1.1/..%2fadmin", "/1.1/..%5cadmin", "/1.1/..\\admin",
            "/1.1/x\\..\\admin",
            "/1.1/..;/admin", "/1.1/..;a=b/admin", "/1.1/%2e%2e%3b/admin", "/1.1/..?x", "/../1.1/",
            // Decoded twice, or more often.
            "/1.1/%252e%252e/admin", "/1.1/%252E%252e%252fadmin", "/1.1/.%25252e/admin", "/1.1/%25252525252525x",
            // In more bytes than are needed.
            "/1.1/%c0%ae%c0%ae/admin", "/1.1/%C0%AE.%c0%af", "/1.1/%e0%80%ae/", "/1.1/%f0%80%80%ae/",
            "/1.1/%f8%80%80%80%ae/", "/1.1/%fc%80%80%80%80%ae/",
            "/1.1/%25c0%25ae/", "/1.1/a%00/../..", "/1.1/a%00", "/1.1/a%2500b",
            // Cut off by readers that decode first.
            "/1.1/..%3fx", "/1.1/..%23x", "/1.1/%2e%2e%3f", "/1.1/a/..%253fx/b", "/1.1/.%3f/b",
            // Blanks and control characters that servers leave out, also between dots.
            "/1.1/..%20/", "/1.1/..%09", "/1.1/.%20./admin", "/1.1/..%2520/", "/1.1/%20../a", "/1.1/..%20%3fx",
            "/1.1/..%20.%5cadmin", "/1.1/..%c2%a0/", "/1.1/..%e3%80%80/", "/1.1/..%85/", "/1.1/.%e3%85%a4./",
            "/1.1/..%f3%a0%80%81/x", "/1.1/.%c2./", "/1.1/..%e2%88%95x", "/1.1/.%e2%80%8b./",
            "/1.1/.%c2%ad./", "/1.1/%ef%bb%bf../a", "/1.1/...%20/a", "/1.1/.%0a./", "/1.1/..%7f/", "/1.1/..%01;x/",
            // By compatibility, and in code pages.
            "/1.1/%ef%b8%b0/a", "/1.1/%ef%b8%99%20/a", "/1.1/%e2%80%a6%20/a", "/1.1/..%cd%be/a", "/1.1/..%ef%b9%94/a",
            "/1.1/..%ef%b8%94/a", "/1.1/..%ef%b9%96/a", "/1.1/..%ef%b8%96/a", "/1.1/..%ef%b9%9f/a",
            "/1.1/..%e2%81%87/a",
            "/1.1/..%e2%88%96admin", "/1.1/..%c2%a5admin", "/1.1/..%e2%82%a9admin", "/1.1/.%ff./a",
            // As IIS decodes.
            "/1.1/%u002e%u002e/", "/1.1/%U002E./", "/1.1/a%u002f..", "/1.1/%uff0e%uff0e/", "/1.1/%25u002e%25u002e/",
            "/1.1/%u0041",
            // Other characters that stand for dots and slashes.
            "/1.1/%ef%bc%8e%ef%bc%8e/", "/1.1/%E2%80%A5/admin", "/1.1/.%e2%80%a4/", "/1.1/%ef%b9%92./",
            "/1.1/a%ef%bc%8f..%ef%bc%bcadmin", "/1.1/..%ef%bc%9fx", "/1.1/%25ef%25bc%258e./",
        ]
    )
    func ambiguous(_ target: String) throws {
        #expect(try decide("GET", target) == "refuse ambiguous_path")
    }

    @Test("leaves dot-segments to APIs that are not confined")
    func unconfined() throws {
        let router = try RouterFixture.router()
        #expect(
            try router.absolute("http://api.example.com/a/../b").words == "forward t/default to api.example.com:443"
        )
    }

    @Test("takes an empty path for a slash")
    func emptyPath() throws {
        let route = APIRoute(
            index: 0,
            name: "root",
            hosts: [try HostPattern("a.example")],
            accounts: ["default"],
            paths: ["/"]
        )
        let router = Router(apis: APITable([route]), access: AccessPolicy())
        for target in ["http://a.example", "http://a.example?q", "http://a.example/x"] {
            #expect(try router.absolute(target).words == "forward root/default to a.example:443", "\(target)")
        }
    }

    @Test(
        "serves its methods, case-sensitively",
        arguments: [
            ("GET", true), ("POST", true), ("get", false), ("DELETE", false), ("GETX", false),
        ]
    )
    func methods(_ method: String, _ isPermitted: Bool) throws {
        let expected = isPermitted ? "forward confined/alice to confined.example.com:443" : "refuse method_not_allowed"
        #expect(try decide(method, "/1.1/") == expected)
    }

    @Test(
        "refuses queries with which frameworks take another method",
        arguments: [
            ("?_method=DELETE", false), ("?a=1&_method=DELETE", false), ("?a=1;_METHOD=put", false),
            ("?_method", false), ("?%5Fmeth%6fd=x", false), ("?.method=x", false), ("?+_method=x", false),
            ("?%20%5bmethod=x", false),
            ("?_method%00a=x", false), ("?X-HTTP-Method-Override=PUT", false), ("?x_http_method=PUT", false),
            ("?a=1&&_method=x", false), ("?method=flickr.test", true), ("?a=_method", true), ("?a_method=x", true),
            ("?_methods=x", true), ("?a=&b=_method=x", true), ("?", true), ("?&", true),
        ]
    )
    func methodParameters(_ query: String, _ isPermitted: Bool) throws {
        let expected = isPermitted ? "forward confined/alice to confined.example.com:443" : "refuse method_parameter"
        #expect(try decide("POST", "/1.1/" + query) == expected)
    }

    @Test("leaves parameters to APIs that are not confined to methods")
    func unconfinedParameters() throws {
        let route = APIRoute(
            index: 0,
            name: "paths",
            hosts: [try HostPattern("a.example")],
            accounts: ["default"],
            paths: ["/a"]
        )
        let router = Router(apis: APITable([route]), access: AccessPolicy())
        #expect(try router.absolute("http://a.example/a?_method=x").words == "forward paths/default to a.example:443")
        let open = try RouterFixture.router()
        #expect(
            try open.absolute("http://api.example.com/?_method=x").words == "forward t/default to api.example.com:443"
        )
    }

    @Test(
        "names the fields with which frameworks take another method or path, however they are spelt",
        arguments: [
            ("X-HTTP-Method-Override", "x-http-method-override", nil),
            ("X_HTTP_Method_Override", "x-http-method-override", nil),
            ("x.http_method", "x-http-method", nil), ("X-Method_Override", "x-method-override", nil),
            ("X_Original_URL", nil, "x-original-url"), ("x-rewrite.url", nil, "x-rewrite-url"),
            ("X-HTTP-Methods", nil, nil), ("XHTTPMethod", nil, nil),
        ] as [(String, String?, String?)]
    )
    func fields(_ name: String, method: String?, path: String?) throws {
        let bytes = Array(name.utf8)
        let host = [try HostPattern("a.example")]
        let ofMethods = APIRoute(index: 0, name: "a", hosts: host, accounts: [], methods: ["GET"])
        #expect(ofMethods.overrides?.field(named: bytes.span) == method)
        let ofPaths = APIRoute(index: 0, name: "a", hosts: host, accounts: [], paths: ["/"])
        #expect(ofPaths.overrides?.field(named: bytes.span) == path)
        #expect(APIRoute(index: 0, name: "a", hosts: host, accounts: []).overrides == nil)
    }

    @Test("refuses a field with which frameworks take another method or path")
    func overridden() throws {
        func decide(_ api: APIRoute, _ field: String) throws -> String {
            let router = Router(apis: APITable([api]), access: AccessPolicy())
            let head = try RequestHead("GET", "http://a.example/a", [field: "x"])
            var known: KnownOrigin?
            return router.result(absolute: head, known: &known).words
        }
        let host = [try HostPattern("a.example")]
        let ofMethods = APIRoute(index: 0, name: "a", hosts: host, accounts: ["default"], methods: ["GET"])
        #expect(try decide(ofMethods, "X-HTTP-Method") == "refuse method_overridden")
        #expect(try decide(ofMethods, "X-Original-URL") == "forward a/default to a.example:443")
        let ofPaths = APIRoute(index: 0, name: "a", hosts: host, accounts: ["default"], paths: ["/"])
        #expect(try decide(ofPaths, "X-Original-URL") == "refuse method_overridden")
        let open = APIRoute(index: 0, name: "a", hosts: host, accounts: ["default"])
        #expect(try decide(open, "X-HTTP-Method") == "forward a/default to a.example:443")
    }
}
